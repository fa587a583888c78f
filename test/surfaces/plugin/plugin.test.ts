import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { claudeHooks } from "../../../src/surfaces/clients/entry/claude-hooks.ts";

const ROOT = join(import.meta.dirname, "../../..");
const PLUGIN = join(ROOT, "plugin");
const readJson = (...path: string[]): Record<string, unknown> =>
  JSON.parse(readFileSync(join(ROOT, ...path), "utf8")) as Record<string, unknown>;

describe("the plugin", () => {
  test("has the hooks that registration writes, aimed at its own folder and server", () => {
    const target = {
      variant: "resident",
      command: "node",
      args: ["${CLAUDE_PLUGIN_ROOT}/dist/heed.cjs", "hook"],
      server: "plugin:heed:heed",
    } as const;
    expect(readJson("plugin/hooks/hooks.json")["hooks"]).toEqual(claudeHooks(target));
  });

  test("starts its server without extra certificates, which triple Node's start", () => {
    expect(readJson("plugin/.mcp.json")).toEqual({
      mcpServers: {
        heed: {
          command: "node",
          args: ["${CLAUDE_PLUGIN_ROOT}/dist/heed.cjs", "mcp"],
          env: { NODE_EXTRA_CA_CERTS: "" },
        },
      },
    });
  });

  test("is of the package's version and licence", () => {
    const { version, license } = readJson("package.json");
    expect(readJson("plugin/.claude-plugin/plugin.json")).toMatchObject({ name: "heed", version, license });
    expect(readFileSync(join(PLUGIN, "LICENSE"), "utf8")).toBe(readFileSync(join(ROOT, "LICENSE"), "utf8"));
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
