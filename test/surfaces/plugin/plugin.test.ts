import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { manifests, ROOT } from "./manifests.ts";

const PLUGIN = join(ROOT, "plugin");
const readJson = (...path: string[]): Record<string, unknown> =>
  JSON.parse(readFileSync(join(ROOT, ...path), "utf8")) as Record<string, unknown>;

describe("the plugin", () => {
  // Changed on purpose? UPDATE_DOCS=1 npx vitest run plugin.test writes them.
  test.each(Object.entries(manifests()))("has the manifest %s", (path, expected) => {
    const file = join(ROOT, path);
    if (process.env["UPDATE_DOCS"] === "1") {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `${JSON.stringify(expected, null, 2)}\n`);
    }
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(expected);
  });

  test("is under the package's licence", () => {
    expect(readFileSync(join(PLUGIN, "LICENSE"), "utf8")).toBe(readFileSync(join(ROOT, "LICENSE"), "utf8"));
  });

  test("is described within what registries take", () => {
    const { description } = readJson("server.json") as { description: string };
    expect(description.length).toBeLessThanOrEqual(100);
  });

  test("holds nothing that makes the client install dependencies", () => {
    const files = readdirSync(PLUGIN, { recursive: true, encoding: "utf8" });
    const unwanted =
      /(?:^|\/)(?:package(?:-lock)?\.json|npm-shrinkwrap\.json|bun\.lockb?|yarn\.lock|node_modules)$/;
    expect(files.filter((file) => unwanted.test(file))).toEqual([]);
  });

  test("is offered by the repository's marketplace", () => {
    const { plugins } = readJson(".claude-plugin/marketplace.json") as {
      plugins: { name: string; source: string }[];
    };
    expect(plugins).toMatchObject([{ name: "heed", source: "./plugin" }]);
    expect(existsSync(join(ROOT, plugins[0]?.source ?? "", ".claude-plugin/plugin.json"))).toBe(true);
  });

  test("has a skill whose description tells when to use it, within what the client shows", () => {
    const text = readFileSync(join(PLUGIN, "skills/heed-memory/SKILL.md"), "utf8");
    const description = /^description: (.*)$/m.exec(text)?.[1] ?? "";
    expect(description).toContain("Use when");
    expect(description.length).toBeLessThan(1024);
    // Read whole each time it is used.
    expect(text.length).toBeLessThan(4500);
    for (const tool of text.matchAll(/`(memory_[a-z]+)`/g)) {
      expect(readFileSync(join(ROOT, "plugin/dist/mcp.cjs"), "utf8")).toContain(`"${tool[1]}"`);
    }
  });
});
