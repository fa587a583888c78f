import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../store/temporary-store.ts";

const ROOT = join(import.meta.dirname, "../..");

interface Import {
  path: string;
  kind: string;
  external?: boolean;
}

interface Metafile {
  inputs: Record<string, { imports: Import[] }>;
  outputs: Record<string, { imports: Import[]; inputs: Record<string, { bytesInOutput: number }> }>;
}

/** What esbuild told about the bundles when it made them. */
const { inputs, outputs } = JSON.parse(readFileSync(join(ROOT, ".build/bundles.json"), "utf8")) as Metafile;

/** The files of which a bundle holds anything at all. */
function filesIn(bundle: string): string[] {
  const held = Object.entries(outputs[`plugin/dist/${bundle}.cjs`]?.inputs ?? {});
  return held.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([file]) => file);
}

function packagesIn(bundle: string): string[] {
  const names = filesIn(bundle).flatMap((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []);
  return [...new Set(names)].sort((a, b) => a.localeCompare(b));
}

/** What is evaluated when an entry is loaded: all that it imports without waiting for a use. */
function evaluatedAtStart(entry: string): string[] {
  const seen = new Set([entry]);
  for (const file of seen) {
    for (const { path, kind, external } of inputs[file]?.imports ?? []) {
      if (kind !== "dynamic-import" && external !== true && path in inputs) seen.add(path);
    }
  }
  return [...seen];
}

describe("start-up is an API: what a bundle may hold", () => {
  test.each([
    ["hook", []],
    ["core", []],
    ["cli", []],
    // Without a JSON Schema validator.
    ["mcp", ["@modelcontextprotocol/core", "@modelcontextprotocol/server", "zod"]],
  ])("%s: these libraries alone: %j", (bundle, packages) => {
    expect(packagesIn(bundle)).toEqual(packages);
  });

  test.each([
    ["hook", ["freshness", "guard", "here", "machine", "memory", "past", "search", "session", "store"]],
    ["search", ["freshness", "here", "machine", "memory", "search", "store"]],
  ])("%s: these rooms alone", (bundle, rooms) => {
    const held = filesIn(bundle).flatMap((file) => /^src\/([^/]+)\//.exec(file)?.[1] ?? []);
    expect([...new Set(held)].filter((room) => !["facade", "surfaces"].includes(room)).sort()).toEqual(rooms);
  });

  test("what a bundle leaves out is asked for by the façade and the command line's table, not by what it holds", () => {
    const asking = Object.entries(inputs).filter(([, { imports }]) =>
      imports.some(({ path }) => path.startsWith("never-entered:")),
    );
    const files = asking.map(([file]) => file.replace(/^src\/facade\/.*/, "src/facade/"));
    expect([...new Set(files)].sort()).toEqual(["src/facade/", "src/surfaces/cli/command-table.ts"]);
  });

  test("the hook has nothing of the command line, and evaluates little before it knows what happened", () => {
    expect(filesIn("hook").filter((file) => file.startsWith("src/surfaces/cli/"))).toEqual([]);
    const early = evaluatedAtStart("src/surfaces/hooks/main.ts");
    expect(early.filter((file) => /^src\/(?:search|session)\//.test(file))).toEqual([]);
  });

  test("the server: zod without its languages", () => {
    const languages = filesIn("mcp").flatMap((file) => /zod\/v4\/locales\/(.*)/.exec(file)?.[1] ?? []);
    expect(languages.filter((name) => name !== "index.js")).toEqual(["en.js"]);
  });

  test("the server reads heed's core after its first answer, from the file that it shares with the command line", () => {
    const own = [...filesIn("mcp"), ...filesIn("cli")].filter((file) => file.startsWith("src/"));
    // Of heed itself the tables that schemas and help texts are made of, suggestions for mistyped names, the one reader and the one writer of files, the editor of YAML, the names of tools, handles, the grammar of formulas.
    const tables = [
      ..."nearest-names limits handle formula write-guide codec/edit-yaml"
        .split(" ")
        .map((name) => `memory/${name}`),
      ..."places regular-file atomic-file sha256".split(" ").map((name) => `machine/${name}`),
      "here/schema",
      "guard/tools",
    ].flatMap((name) => evaluatedAtStart(`src/${name}.ts`));
    expect(own.filter((file) => !file.startsWith("src/surfaces/") && !tables.includes(file))).toEqual([]);
    const core = inputs["src/surfaces/mcp/tools/heed-sessions.ts"]?.imports.filter(
      ({ path }) => path === "./core.cjs",
    );
    expect(core?.map(({ kind }) => kind)).not.toContain("import-statement");
  });

  test("what speaks to a team's server: the driver, in a file that is loaded where one is joined", () => {
    const others = packagesIn("team").filter((name) => !/^(?:pg|postgres-)/.test(name));
    expect(others).toEqual(["split2", "xtend"]);
    for (const bundle of ["core", "hook", "search", "cli", "mcp"]) {
      const text = readFileSync(join(ROOT, `plugin/dist/${bundle}.cjs`), "utf8");
      expect(filesIn(bundle).filter((file) => /team-server|migrations/.test(file))).toEqual([]);
      expect(text.split('require("./team.cjs")').length).toBeLessThanOrEqual(4);
    }
  });

  test("a search between pipes: no network or terminal of Node", () => {
    const home = temporaryFolder();
    const list = "process.on('exit', () => console.error(process.moduleLoadList.join()))";
    const preload = `data:text/javascript,${encodeURIComponent(list)}`;
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ["--import", preload, join(ROOT, "plugin/dist/heed.cjs"), "search", "--json", "queue"],
      {
        cwd: home,
        env: { PATH: process.env["PATH"], HOME: home, HEED_STATE_DIR: join(home, "state") },
        encoding: "utf8",
        input: "",
      },
    );
    expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringContaining('"hits":[]') });
    expect(stderr).toContain("NativeModule fs");
    expect(stderr).not.toMatch(/NativeModule (?:net|tty),/);
  });

  test.each(["hook", "search", "core", "cli"])("%s reads a library at its first use", (bundle) => {
    const text = readFileSync(join(ROOT, `plugin/dist/${bundle}.cjs`), "utf8");
    const libraries = [...text.matchAll(/.{0,24}require\("\.\/lib-/g)].map(([use]) => use);
    expect(libraries.filter((use) => !/\w ?\?\?= ?require/.test(use))).toEqual([]);
  });

  test("bundles are plain ASCII, as the launcher reads them", () => {
    for (const file of Object.keys(outputs).filter((name) => name.endsWith(".cjs")))
      expect([file, /[^\0-\x7f]/.test(readFileSync(join(ROOT, file), "utf8"))]).toEqual([file, false]);
  });
});
