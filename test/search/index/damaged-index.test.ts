import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { updateIndex, writeIndex } from "../../../src/search/index/index-writer.ts";
import { MANIFEST_FILE, readManifest, openIndex } from "../../../src/search/index/index-reader.ts";
import { IndexDamage } from "../../../src/search/index/segment/bytes.ts";
import { search, type SearchResult } from "../../../src/search/search.ts";
import { sampleDocument } from "./sample-documents.ts";

const documents = Array.from({ length: 5 }, (_, place) =>
  sampleDocument(`memory-${place}`, `alpha beta${place} gamma "delta" ${"alpha ".repeat(place)}`, {
    type: place % 2 === 0 ? "feedback" : "project",
    tags: ["git"],
  }),
);
let root = "";
let intact = "";
const QUERY = { text: 'alpha beta1 "gamma delta" gam*', isExplained: true, types: ["project"] };

/** Everything that a caller can ask of an index; undefined for what is refused as damaged. */
function answersOf(directory: string): Answers | undefined {
  let injected = 0;
  const reader = openIndex(directory, () => injected++);
  if (reader === undefined) return undefined;
  const ask = <T>(read: () => T): T | undefined => {
    const before = injected;
    try {
      return read();
    } catch (error) {
      if (!(error instanceof IndexDamage) || injected === before) throw error;
      return undefined;
    }
  };
  try {
    return {
      found: ask(() => search([reader], QUERY)),
      memories: ask(() => reader.memories()),
      rules: ask(() => reader.memories(["feedback"])),
      files: ask(() => reader.fileTable()),
    };
  } finally {
    reader.close();
  }
}

interface Answers {
  found: SearchResult | undefined;
  memories: unknown;
  rules: unknown;
  files: unknown;
}

/** Whether answers are right, say that there are none, or, what must never be, are wrong. */
function judge(answers: Answers | undefined, expected: Answers): "right" | "refused" | "wrong" {
  if (answers === undefined) return "refused";
  const areRight = (["found", "memories", "rules", "files"] as const).every(
    (name) => answers[name] === undefined || isDeepStrictEqual(answers[name], expected[name]),
  );
  if (!areRight) return "wrong";
  return Object.values(answers).includes(undefined) ? "refused" : "right";
}

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "heed-damage-"));
  intact = join(root, "intact");
  writeIndex(intact, documents);
  const changed = sampleDocument("memory-1", "alpha changed gamma delta");
  updateIndex(intact, [changed], () => ["project/memory-0.md#"]);
});
afterAll(() => rmSync(root, { recursive: true }));

describe("a damaged index", () => {
  it("is refused or right, whichever byte is flipped and wherever a file is cut", () => {
    const expected = answersOf(intact) as Answers;
    expect(expected.found?.hits).toHaveLength(2);
    expect(expected.memories).toHaveLength(4);
    const copy = join(root, "copy");
    const wrong: string[] = [];
    let flips = 0;
    let noticed = 0;
    cpSync(intact, copy, { recursive: true });
    const live = readManifest(intact).segments.map((segment) => segment.file);
    for (const file of [MANIFEST_FILE, ...live]) {
      const bytes = readFileSync(join(intact, file));
      for (let at = 0; at < bytes.length; at++) {
        const flipped = Buffer.from(bytes);
        flipped[at] = (flipped[at] as number) ^ (1 << (at % 8));
        writeFileSync(join(copy, file), flipped);
        flips++;
        const verdict = judge(answersOf(copy), expected);
        if (verdict === "wrong") wrong.push(`${file} byte ${at}`);
        if (verdict === "refused") noticed++;
        if (at % 29 !== 0) continue;
        writeFileSync(join(copy, file), bytes.subarray(0, at));
        expect(openIndex(copy)).toBeUndefined();
      }
      writeFileSync(join(copy, file), bytes);
    }
    expect(wrong).toEqual([]);
    expect(answersOf(copy)).toEqual(expected);
    // The rest is what nothing above reads: padding and the lists of terms that were not asked for.
    expect(noticed / flips).toBeGreaterThan(0.6);
  }, 120_000);

  it.each([
    ["missing", (directory: string) => rmSync(directory, { recursive: true })],
    ["empty", (directory: string) => writeFileSync(join(directory, "manifest"), "")],
    [
      "of another version",
      (directory: string) => {
        const text = readFileSync(join(directory, "manifest"), "utf8");
        writeFileSync(join(directory, "manifest"), text.replace(/"version":\d+/, '"version":0'));
      },
    ],
    [
      "without a segment",
      (directory: string) => {
        for (const file of readdirSync(directory))
          if (file.endsWith(".segment")) rmSync(join(directory, file));
      },
    ],
  ])("that is %s is undefined, cannot be updated, and can be rebuilt", (name, damage) => {
    const directory = join(root, name);
    cpSync(intact, directory, { recursive: true });
    damage(directory);
    expect(openIndex(directory)).toBeUndefined();
    expect(updateIndex(directory, [], () => [])).toBeUndefined();
    writeIndex(directory, documents);
    expect(openIndex(directory)?.documentCount).toBe(documents.length);
  });
});
