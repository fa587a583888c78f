import type { BackfillOptions } from "../past/capture-waiting.ts";
import { list, object, optional, text, shape } from "../here/schema.ts";
import { optionalFlag, isApplied, limit, since, progress } from "./arguments.ts";
import { method } from "../here/call.ts";

const capture = optional(object({ isInBackground: optionalFlag, waitsForIdle: optionalFlag }));
const options = optional(
  shape<BackfillOptions>({ from: optional(list(text("a path"))), since, limit, isApplied }),
);

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
  /**
   * Reads old transcripts, the newest first; with `isApplied` it captures each as if it had just ended. Resumable.
   *
   * @throws HeedError `invalid-input` also when there is nothing at a path that was given, or capture is off.
   */
  backfill: method({ options, progress }, () => import("../past/capture-waiting.ts"), "backfill"),
};
