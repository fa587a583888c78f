import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const DIST = join(import.meta.dirname, "../../dist");

interface Metafile {
  inputs: Record<string, { imports: { path: string; kind: string; external?: boolean }[] }>;
  outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }>;
}

const { inputs, outputs } = JSON.parse(readFileSync(join(DIST, "meta.json"), "utf8")) as Metafile;

/** The files of which a bundle holds anything at all. */
function filesIn(bundle: string): string[] {
  const held = Object.entries(outputs[`dist/bin/${bundle}.cjs`]?.inputs ?? {});
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
  test("the hook: heed's own code, no library", () => {
    expect(packagesIn("hook")).toEqual([]);
  });

  test("the hook: of the façade nothing that only commands and tools use", () => {
    const files = filesIn("hook");
    expect(files).toContain("src/app/session/answer-event.ts");
    expect(
      files.filter((file) => file.startsWith("src/curate/") || file.startsWith("src/surfaces/cli/")),
    ).toEqual([]);
    expect(files).not.toContain("src/app/setup/attach-store.ts");
  });

  test("the hook evaluates little before it knows what happened", () => {
    const layers = evaluatedAtStart("src/surfaces/hooks/main.ts").map(
      (file) => /^src\/([^/]+)/.exec(file)?.[1],
    );
    expect(layers).not.toContain("index");
    expect(layers).not.toContain("recall");
    expect(layers).not.toContain("inject");
  });

  test("the server: the SDK without its JSON Schema validator, zod without its languages", () => {
    expect(packagesIn("mcp")).toEqual(["@modelcontextprotocol/core", "@modelcontextprotocol/server", "zod"]);
    const languages = filesIn("mcp").filter((file) => file.includes("zod/v4/locales/"));
    expect(languages.map((file) => file.split("/").at(-1)).filter((name) => name !== "index.js")).toEqual([
      "en.js",
    ]);
  });

  test("the server reads heed's core after its first answer, from the file that it shares with the command line", () => {
    const own = [...filesIn("mcp"), ...filesIn("cli")].filter((file) => file.startsWith("src/"));
    // Of heed itself the tables that schemas and help texts are made of.
    const tables = evaluatedAtStart("src/memory/limits.ts");
    expect(own.filter((file) => !file.startsWith("src/surfaces/") && !tables.includes(file))).toEqual([]);
    const core = inputs["src/surfaces/mcp/tools/heed-sessions.ts"]?.imports.filter(
      ({ path }) => path === "./core.cjs",
    );
    expect(core?.map(({ kind }) => kind)).not.toContain("import-statement");
    expect(packagesIn("core")).toEqual([]);
  });

  test("the server starts without anything of the sentence model; its tokenizer is in its thread's file alone", () => {
    const own = ["mcp", "core", "cli", "hook"].flatMap((bundle) => filesIn(bundle));
    expect(own.filter((file) => file.includes("@huggingface") || file.includes("onnx-encoder"))).toEqual([]);
    expect(
      filesIn("hook").filter((file) =>
        /^src\/.*(?:semantic-recall|worker-encoder|resident-semantic)/.test(file),
      ),
    ).toEqual([]);
    expect(Object.keys(outputs["dist/bin/sentence-worker.mjs"]?.inputs ?? {})).toContain(
      "src/optional/semantic/onnx-encoder.ts",
    );
    const loaded = evaluatedAtStart("src/heed.ts").filter((file) => file.includes("semantic"));
    expect(loaded).toEqual(["src/optional/semantic/late-semantic.ts"]);
  });

  test("the server starts without anything of the judge, and a hook has none of it", () => {
    const ofJudge = (file: string): boolean => /^src\/(?:.*(?:judge-desk|judge-ledger|ask-judge))/.test(file);
    expect(filesIn("core").filter(ofJudge)).not.toEqual([]);
    expect(["mcp", "hook", "search"].flatMap((bundle) => filesIn(bundle)).filter(ofJudge)).toEqual([]);
    expect(evaluatedAtStart("src/heed.ts").filter((file) => file.includes("judge"))).toEqual([
      "src/optional/judge/late-judge.ts",
    ]);
  });

  test("the command line: heed's own code, no library", () => {
    expect(packagesIn("cli")).toEqual([]);
  });

  test("what source defines, and what became of a claim, is read from files of its own, at the first use", () => {
    const own = ["hook", "search", "core", "claim-checker"].flatMap((bundle) => filesIn(bundle));
    expect(own.filter((file) => /^src\/freshness\/(?:source|explain-break|follow-)/.test(file))).toEqual([]);
    expect(filesIn("read-source")).toContain("src/freshness/source/find-definitions.ts");
    expect(filesIn("ask-history")).toContain("src/freshness/explain-break.ts");
  });

  test.each([
    ["hook", 310],
    ["mcp", 700],
    ["cli", 200],
    ["core", 920],
    ["claim-checker", 60],
  ])("%s: at most %i kB", (bundle, maxKb) => {
    expect(statSync(join(DIST, "bin", `${bundle}.cjs`)).size / 1000).toBeLessThan(maxKb);
  });

  test("the plugin holds what is published", () => {
    const plugin = join(DIST, "../plugin/dist");
    expect(readdirSync(plugin)).toEqual(readdirSync(join(DIST, "bin")));
    for (const file of readdirSync(plugin)) {
      expect(readFileSync(join(plugin, file)).equals(readFileSync(join(DIST, "bin", file)))).toBe(true);
    }
  });
});
