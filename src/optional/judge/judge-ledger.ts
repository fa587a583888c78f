import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { appendEvent, readEvents, rotateLog } from "../../platform/event-log.ts";
import { FORMATS } from "../../platform/file-formats.ts";
import type { Judgement } from "./judge.ts";
import type { Places } from "../../platform/places.ts";
import type { JudgeLedgerTotals } from "../../app/api/judge-status.ts";

/** Past this size the ledger is set aside as `judge.jsonl.1`: two of them hold thousands of calls. */
const MAX_BYTES = 1024 * 1024;

const fileOf = (places: Places): string => join(places.state, "judge.jsonl");

/**
 * What the judge was asked and what that cost, on disk: a budget that a restarted server forgot would be none. A call
 * that another process makes at the same moment may be counted late; each is counted.
 */
export class JudgeLedger {
  readonly #places: Places;

  constructor(places: Places) {
    this.#places = places;
  }

  /** What a session has used: a call that has not come back counts as the most that it could cost. */
  spent(session: string): { calls: number; tokens: number } {
    const records = this.#records();
    const answers = new Map(
      records.filter(({ kind }) => kind === "answered").map((record) => [record["id"], record]),
    );
    const asked = records.filter((record) => record["kind"] === "asked" && record["session"] === session);
    const tokens = asked.map((record) => costOf(record, answers.get(record["id"])));
    return { calls: asked.length, tokens: tokens.reduce((sum, cost) => sum + cost, 0) };
  }

  /** Writes down a call before it is made; returns how to write down what came of it. Throws what the file system throws. */
  begin(
    call: { session: string; judge: string; reserve: number },
    now: () => Date,
  ): (judgement: Judgement, elapsedMs: number) => void {
    const id = randomBytes(6).toString("hex");
    this.#append({ kind: "asked", id, time: now().toISOString(), ...call });
    return (judgement, elapsedMs) => {
      const { usage } = judgement;
      this.#append({
        kind: "answered",
        id,
        time: now().toISOString(),
        outcome: judgement.kind === "chosen" ? "chosen" : judgement.failure,
        ...(judgement.kind === "chosen"
          ? { handles: judgement.handles.length }
          : { message: judgement.message }),
        ...(usage && { input: usage.input, output: usage.output, isEstimated: usage.isEstimated }),
        elapsedMs: Math.round(elapsedMs),
      });
    };
  }

  /** All that is kept, summed up. */
  totals(): JudgeLedgerTotals {
    const records = this.#records();
    const answers = records.filter(({ kind }) => kind === "answered");
    const asked = records.filter(({ kind }) => kind === "asked");
    const outcomes: Record<string, number> = {};
    for (const { outcome } of answers) outcomes[String(outcome)] = (outcomes[String(outcome)] ?? 0) + 1;
    const unanswered = asked.length - answers.length;
    if (unanswered > 0) outcomes["unanswered"] = unanswered;
    const sum = (key: string): number => answers.reduce((total, record) => total + numberOf(record[key]), 0);
    const times = answers.map(({ elapsedMs }) => numberOf(elapsedMs)).sort((a, b) => a - b);
    const last = answers.at(-1);
    return {
      sessions: new Set(asked.map(({ session }) => session)).size,
      calls: asked.length,
      outcomes,
      inputTokens: sum("input"),
      outputTokens: sum("output"),
      isEstimated: answers.some(({ isEstimated }) => isEstimated === true),
      ...(asked[0] && { since: String(asked[0]["time"]) }),
      ...(times.length > 0 && { medianMs: times[Math.floor(times.length / 2)] as number }),
      ...(last && {
        last: {
          time: String(last["time"]),
          outcome: String(last["outcome"]),
          ...(typeof last["message"] === "string" && { message: last["message"] }),
        },
      }),
    };
  }

  #records(): Record<string, unknown>[] {
    const file = fileOf(this.#places);
    return [...readEvents(`${file}.1`, FORMATS.judge), ...readEvents(file, FORMATS.judge)];
  }

  #append(record: object): void {
    const file = fileOf(this.#places);
    rotateLog(file, MAX_BYTES);
    appendEvent(file, FORMATS.judge, record);
  }
}

/** Only what a provider says itself is less than the most that was set aside; one that refused counted nothing. */
function costOf(
  asked: Readonly<Record<string, unknown>>,
  answer: Readonly<Record<string, unknown>> | undefined,
): number {
  if (typeof answer?.["input"] === "number") return answer["input"] + numberOf(answer["output"]);
  return answer?.["outcome"] === "refused" ? 0 : numberOf(asked["reserve"]);
}

const numberOf = (value: unknown): number =>
  typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : 0;
