import { expect, test } from "vitest";
import type { Fault } from "./checked-session.ts";
import { playSession } from "./played-session.ts";
import { SENTENCE_KINDS, type SentenceKind } from "./sentences.ts";

/** `npm run fuzz` plays 5,000. */
const SESSIONS = 200;

test("what heed says of its memories is so, in random sessions", { timeout: 900_000 }, async () => {
  const faults: Fault[] = [];
  const said = new Set<SentenceKind>();
  for (let seed = 1; seed <= SESSIONS; seed++) {
    const played = await playSession(seed);
    faults.push(...played.faults);
    for (const kind of played.kinds) said.add(kind);
  }
  expect(faults).toEqual([]);
  // A kind of sentence that no session said was compared with nothing.
  expect(SENTENCE_KINDS.filter((kind) => !said.has(kind))).toEqual([]);
});
