import { createHash } from "node:crypto";
import { playSession } from "../../session/truth/played-session.ts";
import type { FuzzTarget } from "../fuzz-target.ts";
import { must } from "../fuzz-target.ts";

/** The text is the seed of a session; what heed says of its memories in it is so. */
export const sentences: FuzzTarget = {
  name: "sentences",
  seeds: ["1", "2", "3"],
  words: "quote undo pull attach compaction resume trust".split(" "),
  maxMs: 60_000,
  cases: 5,
  async check(input) {
    const seed = createHash("sha256").update(input).digest().readUInt32LE(0);
    const { faults } = await playSession(seed);
    must(faults.length === 0, JSON.stringify(faults, undefined, 2));
  },
};
