import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { appendEvent, readEvents, rotateLog, FORMATS } from "../../machine/state-file.ts";
import { localDay } from "../../machine/read-fields.ts";
import type { Places } from "../../machine/places.ts";

const MAX_BYTES = 1024 * 1024;

interface LearnOutcome {
  time: string;
  outcome: string;
  items: number;
  message: string | undefined;
  /** Tokens, by the length of the texts; undefined without an answer. */
  input: number | undefined;
  output: number | undefined;
  elapsedMs: number;
}

/** What learning by a model has cost on a day (UTC). */
export interface LearnDay {
  calls: number;
  tokens: number;
  /** Items that came back, before any check. */
  items: number;
  /** Result of the last call. */
  last?: string;
}

/** What the learning model was asked and what that cost, on disk: the budget is the day's, whatever runs. */
export class LearnLedger {
  readonly #file: string;

  constructor(places: Places) {
    this.#file = join(places.state, "learn.jsonl");
  }

  /** What the day of a moment has used; a call without an answer counts as the most that it could cost. */
  spent(day: Date): LearnDay {
    const records = [
      ...readEvents(`${this.#file}.1`, FORMATS.learn),
      ...readEvents(this.#file, FORMATS.learn),
    ];
    const answers = new Map(records.filter(({ kind }) => kind === "answered").map((one) => [one["id"], one]));
    const isOfDay = (time: unknown): boolean => localDay(new Date(String(time))) === localDay(day);
    const asked = records.filter(({ kind, time }) => kind === "asked" && isOfDay(time));
    const spent: LearnDay = { calls: asked.length, tokens: 0, items: 0 };
    for (const call of asked) {
      const answer = answers.get(call["id"]);
      const used =
        typeof answer?.["input"] === "number" ? answer["input"] + Number(answer["output"]) : undefined;
      spent.tokens += used ?? (answer?.["outcome"] === "refused" ? 0 : Number(call["reserve"]));
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
    return (outcome) => this.#append({ kind: "answered", id, ...outcome });
  }

  #append(record: object): void {
    rotateLog(this.#file, MAX_BYTES);
    appendEvent(this.#file, FORMATS.learn, record);
  }
}
