import { nat } from "fast-check";
import { playSession } from "../../session/truth/played-session.ts";
import type { FuzzTarget } from "../fuzz-target.ts";
import { must } from "../fuzz-target.ts";

/** The text is the seed of a session; what heed says of its memories in it is so. */
export const sentences: FuzzTarget = {
  name: "sentences",
  seeds: [],
  words: [],
  made: nat(2 ** 31 - 1).map(String),
  cases: 1,
  async check(input) {
    const { faults } = await playSession(Number(input));
    must(
      faults.length === 0,
      faults.map(({ did, why, sentence }) => `${did}: ${why}: ${sentence}`).join("\n"),
    );
  },
};
