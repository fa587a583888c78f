import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { HeedErrorCode } from "../../src/heed.ts";
import { readApi } from "./read-api.ts";

/** Programs tell errors by these: a code that is taken away or renamed breaks them. */
const CODES = [
  "invalid-input",
  "not-found",
  "ambiguous",
  "gate-refused",
  "changed-outside",
  "conflict",
  "locked",
  "read-only",
  "no-store",
  "git-failed",
  "broken-file",
  "io-failed",
  "unreachable",
] as const satisfies readonly HeedErrorCode[];
/** Does not compile when a code is missing above. */
const all: readonly (typeof CODES)[number][] = CODES satisfies readonly HeedErrorCode[];
const isComplete: HeedErrorCode extends (typeof CODES)[number] ? true : false = true;

const SRC = join(import.meta.dirname, "../../src");

describe("the codes of HeedError", () => {
  it("are these, each with its meaning and its data", () => {
    const source = readFileSync(join(SRC, "machine/heed-error.ts"), "utf8");
    const documented = [...source.matchAll(/^ \* - `([a-z-]+)`: .+\. data: \{.*\}$/gm)].map(
      ([, code]) => code,
    );
    expect(documented).toEqual(all);
    expect(isComplete).toBe(true);
  });

  it("are the only ones that comments name", () => {
    const named = new Set(readApi().flatMap(({ methods }) => methods.flatMap(({ codes }) => codes)));
    expect([...named].filter((code) => !all.some((known) => known === code))).toEqual([]);
  });

  it("are each used", () => {
    const text = readdirSync(SRC, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !file.endsWith("heed-error.ts"))
      .map((file) => readFileSync(join(SRC, file), "utf8"))
      .join("\n");
    expect(all.filter((code) => !new RegExp(`HeedError\\(\\s*"${code}"`).test(text))).toEqual([]);
  });
});
