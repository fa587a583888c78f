import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeGitAddress } from "./git-address.ts";
import { manifests, ROOT } from "./manifests.ts";

const PLUGIN = join(ROOT, "plugin");
const readJson = (...path: string[]): Record<string, unknown> =>
  JSON.parse(readFileSync(join(ROOT, ...path), "utf8")) as Record<string, unknown>;

describe("the plugin", () => {
  // Changed on purpose? UPDATE_DOCS=1 npx vitest run plugin.test writes them.
  test.each(Object.entries(manifests()))("has the manifest %s", (path, wanted) => {
    const now = readJson(path);
    if (process.env["UPDATE_DOCS"] === "1")
      writeFileSync(join(ROOT, path), `${JSON.stringify(wanted(now), null, 2)}\n`);
    expect(readJson(path)).toEqual(wanted(now));
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

  test("is installed from the branch `release`, which holds what is built and no sources", () => {
    const address = makeGitAddress(mkdtempSync(join(tmpdir(), "heed-address-")));
    const git = (...args: string[]): string =>
      execFileSync("git", ["--git-dir", address, ...args], { encoding: "utf8" });
    const filesOf = (ref: string): string[] => git("ls-tree", "-r", "--name-only", ref).split("\n");
    expect(filesOf("main").filter((file) => file.includes("dist/"))).toEqual([]);
    const released = filesOf("release");
    expect(released.filter((file) => /^(?:src|test|scripts|package\.json)/.test(file))).toEqual([]);
    // The portable part is at the root, with the skill: beside Codex's manifest it would keep Codex from its hooks.
    expect(released).toEqual(
      expect.arrayContaining(["plugin.json", "mcp.json", "skills/heed-memory/SKILL.md"]),
    );
    expect(released).not.toContain("plugin/plugin.json");
    expect(git("ls-tree", "release", "plugin/dist/heed.cjs")).toMatch(/^100755 /);
    const offered = [".claude-plugin", ".cursor-plugin", ".agents/plugins"].map((folder) => {
      const file = git("show", `release:${folder}/marketplace.json`);
      return (JSON.parse(file) as { plugins: { source: unknown }[] }).plugins.map(({ source }) => source);
    });
    expect(offered).toEqual([["./plugin"], ["./plugin"], [{ source: "local", path: "./plugin" }]]);
    // Each file that a manifest of the release names is there.
    const named = ["gemini-extension.json", "mcp.json", "hooks/hooks.json", ".pre-commit-hooks.yaml"].flatMap(
      (file) =>
        Array.from(git("show", `release:${file}`).matchAll(/plugin\/[\w./-]+\.cjs/g), ([path]) => path),
    );
    expect(named.length).toBeGreaterThan(2);
    expect(released).toEqual(expect.arrayContaining(named));
    rmSync(address, { recursive: true });
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
