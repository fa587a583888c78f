import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const DIST = join(import.meta.dirname, "../../dist");

interface Metafile {
  outputs: Record<
    string,
    { entryPoint?: string; inputs: Record<string, { bytesInOutput: number }>; imports: { path: string }[] }
  >;
}

const { outputs } = JSON.parse(readFileSync(join(DIST, "meta.json"), "utf8")) as Metafile;

/** Packages of which a bundle holds anything at all. */
function packagesIn(bundle: string): string[] {
  const output = outputs[`dist/bin/${bundle}.cjs`];
  const used = Object.entries(output?.inputs ?? {}).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  const names = used.flatMap(([file]) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []);
  return [...new Set(names)].sort();
}

describe("start-up is an API: what a bundle may hold", () => {
  test("the hook: no SDK, no schema library", () => {
    expect(packagesIn("hook")).not.toContain("zod");
    expect(packagesIn("hook").filter((name) => name.startsWith("@modelcontextprotocol"))).toEqual([]);
  });

  test("the server: the SDK without its JSON Schema validator and zod without its languages", () => {
    const inputs = Object.keys(outputs["dist/bin/mcp.cjs"]?.inputs ?? {});
    expect(packagesIn("mcp")).toContain("@modelcontextprotocol/server");
    expect(packagesIn("mcp").filter((name) => /ajv|cfworker|hono|express/.test(name))).toEqual([]);
    const languages = inputs.filter((file) => file.includes("zod/v4/locales/"));
    expect(languages.filter((file) => !/\/(?:en|index)\.js$/.test(file))).toEqual([]);
  });

  test.each([
    ["hook", 400],
    ["mcp", 1000],
  ])("%s: at most %i kB", (bundle, maxKb) => {
    expect(statSync(join(DIST, "bin", `${bundle}.cjs`)).size / 1000).toBeLessThan(maxKb);
  });
});
