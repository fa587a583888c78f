import { expect, test } from "vitest";
import type { Fault } from "./checked-session.ts";
import { playSession } from "./played-session.ts";
import { SENTENCE_KINDS, type SentenceKind } from "./sentences.ts";

/** `npm run fuzz` plays 5,000; the last one was told of a fact that had ended. */
const SEEDS = [...Array.from({ length: 200 }, (_, i) => i + 1), 1654342009];

test("what heed says of its memories is so, in random sessions", { timeout: 900_000 }, async () => {
  const faults: Fault[] = [];
  const said = new Set<SentenceKind>();
  for (const seed of SEEDS) {
    const played = await playSession(seed);
    faults.push(...played.faults);
    for (const kind of played.kinds) said.add(kind);
  }
  expect(faults).toEqual([]);
  // A kind of sentence that no session said was compared with nothing.
  expect(SENTENCE_KINDS.filter((kind) => !said.has(kind))).toEqual([]);
});
