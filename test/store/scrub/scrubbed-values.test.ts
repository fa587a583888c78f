import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rememberScrubbed, ScrubbedValues } from "../../../src/store/scrub/scrubbed-values.ts";
import { temporaryFolder } from "../temporary-store.ts";

describe("values that were scrubbed", () => {
  test("are known again wherever they stand, and are not in what is kept of them", () => {
    const state = temporaryFolder();
    rememberScrubbed({ state }, " blue-Heron/42\n");
    rememberScrubbed({ state }, "a 'quoted' \"one\"");
    rememberScrubbed({ state }, "blue-Heron/42");
    const kept = readFileSync(join(state, "scrubbed.json"), "utf8");
    expect(kept).not.toMatch(/heron|quoted/i);
    expect((JSON.parse(kept) as { values: unknown[] }).values).toHaveLength(3);
    expect(statSync(join(state, "scrubbed.json")).mode & 0o077).toBe(0);
    const values = new ScrubbedValues({ state });
    expect(values.clean("x blue-Heron/42, blue-Heron/42y")).toBe("x (scrubbed), (scrubbed)y");
    expect(values.clean('"a \'quoted\' \\"one\\""')).toBe('"(scrubbed)"');
    expect(values.clean("blue-Heron/4")).toBe("blue-Heron/4");
  });

  test("a text is cleaned as by a search for the value itself", () => {
    const state = temporaryFolder();
    rememberScrubbed({ state }, "abcabd");
    const values = new ScrubbedValues({ state });
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "b", "c", "d", "abcabd", "é", "\u{1f600}")), (pieces) => {
        const text = pieces.join("");
        expect(values.clean(text)).toBe(text.replaceAll("abcabd", "(scrubbed)"));
      }),
      { numRuns: 100 },
    );
  });

  test("of a damaged record counts what was last good; without that nothing is let out", () => {
    const state = temporaryFolder();
    rememberScrubbed({ state }, "a value");
    for (const record of ["{", "", '{"format":9,"values":[]}']) {
      writeFileSync(join(state, "scrubbed.json"), record);
      expect(new ScrubbedValues({ state }).clean("a value")).toBe("(scrubbed)");
    }
    rmSync(join(state, "scrubbed.json.kept"));
    expect(() => new ScrubbedValues({ state })).toThrow(/is damaged/);
  });
});
