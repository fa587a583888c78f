import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { appendEvent, readEvents, rotateLog } from "../../machine/event-log.ts";
import { FORMATS } from "../../machine/versioned-file.ts";
import type { Places } from "../../machine/places.ts";
import type { LearnDay } from "../../here/api/setup-reports.ts";
import type { TokenUsage } from "../model/model.ts";

const MAX_BYTES = 1024 * 1024;

/** Result of a call. */
export interface LearnOutcome {
  time: Date;
  outcome: string;
  items: number;
  message: string | undefined;
  usage: TokenUsage | undefined;
  elapsedMs: number;
}

/** What the learning model was asked and what that cost, on disk: a budget that the next run forgot would be none. */
export class LearnLedger {
  readonly #file: string;

  constructor(places: Places) {
    this.#file = join(places.state, "learn.jsonl");
  }

  /** What a day (UTC) has used: a call that has not come back counts as the most that it could cost. */
  spent(day: string): LearnDay {
    const records = [
      ...readEvents(`${this.#file}.1`, FORMATS.learn),
      ...readEvents(this.#file, FORMATS.learn),
    ];
    const answers = new Map(records.filter(({ kind }) => kind === "answered").map((one) => [one["id"], one]));
    const asked = records.filter((one) => one["kind"] === "asked" && String(one["time"]).startsWith(day));
    const spent: LearnDay = { calls: asked.length, tokens: 0, items: 0 };
    for (const call of asked) {
      const answer = answers.get(call["id"]);
      const reported =
        typeof answer?.["input"] === "number" ? answer["input"] + Number(answer["output"]) : undefined;
      spent.tokens += reported ?? (answer?.["outcome"] === "refused" ? 0 : Number(call["reserve"]));
      spent.items += Number(answer?.["items"] ?? 0);
      const message = answer?.["message"];
      if (answer)
        spent.last = `${String(answer["outcome"])}${typeof message === "string" ? `: ${message}` : ""}`;
    }
    return spent;
  }

  /** Records a call before it is made; returns a function that records its result. */
  begin(
    call: { session: string; model: string; reserve: number },
    time: Date,
  ): (outcome: LearnOutcome) => void {
    const id = randomBytes(6).toString("hex");
    this.#append({ kind: "asked", id, time: time.toISOString(), ...call });
    return ({ time: ended, usage, message, elapsedMs, ...rest }) =>
      this.#append({
        kind: "answered",
        id,
        time: ended.toISOString(),
        ...rest,
        ...(message !== undefined && { message }),
        ...(usage && { input: usage.input, output: usage.output }),
        elapsedMs: Math.round(elapsedMs),
      });
  }

  #append(record: object): void {
    rotateLog(this.#file, MAX_BYTES);
    appendEvent(this.#file, FORMATS.learn, record);
  }
}
