import { object, optional } from "../here/schema.ts";
import { optionalFlag } from "./arguments.ts";
import { method } from "../here/call.ts";

const capture = optional(object({ isInBackground: optionalFlag, waitsForIdle: optionalFlag }));

export const LEARNING = {
  /**
   * Captures the sessions that wait: their episodes, and what a model proposes of them (`learn: model`). What cannot be
   * read comes back as problems.
   *
   * @param options - `isInBackground`: it stops when somebody says something in a session; what is left is done next time.
   *   `waitsForIdle`: it begins when nobody has said anything for a minute, or not at all when that takes an hour.
   * @throws HeedError `invalid-input` for invalid options.
   */
  capture: method({ options: capture }, () => import("../past/capture-waiting.ts"), "runCapture"),
};
