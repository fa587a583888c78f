import { asRecord } from "../../../machine/read-fields.ts";
import {
  claudeCodeFormat,
  codexFormat,
  copilotFormat,
  geminiFormat,
  opencodeFormat,
  qwenFormat,
} from "./client-formats.ts";
import {
  type Fields,
  type Said,
  type TranscriptEvent,
  type TranscriptFormat,
  textAt,
} from "./transcript-event.ts";

export const FORMATS: readonly TranscriptFormat[] = [
  // Before Claude Code's, whose field names it has.
  qwenFormat,
  claudeCodeFormat,
  codexFormat,
  geminiFormat,
  copilotFormat,
  opencodeFormat,
];

/** Reads the records of a transcript. The first known one tells the format; a line that is not JSON is lost alone. */
export class RecordReader {
  #format: TranscriptFormat | undefined;

  constructor(client?: string) {
    this.#format = FORMATS.find((format) => format.client === client);
  }

  /** The agent whose transcript it is; undefined while nothing tells. */
  get client(): string | undefined {
    return this.#format?.client;
  }

  readLine(line: Buffer): TranscriptEvent[] {
    let value: unknown;
    try {
      // The mark of UTF-8 may stand before the first one.
      value = JSON.parse(line.toString("utf8").replace(/^\uFEFF/, ""));
    } catch {
      return [];
    }
    const record = asRecord(value);
    return record ? this.read(record) : [];
  }

  read(record: Fields): TranscriptEvent[] {
    this.#format ??= FORMATS.find((format) => format.recognises(record));
    const { rows = {} } = this.#format ?? {};
    const kind = this.#format?.kindOf(record) ?? "";
    const said = Object.hasOwn(rows, kind) ? (rows[kind]?.(record) ?? []) : [];
    return said.flatMap((event) => wholeEvent(event, textAt(record, "timestamp")));
  }
}

/** How heed's own refusals begin, as guards word them; clients hand them over as errors of the tool. */
const OWN_REFUSAL = /^(?:.{0,80}: )?(?:Refused by a rule of the user that heed keeps|heed: )/;

/** With its time, and none that says nothing. A call that heed stopped did not fail: how it was got around is no lesson. */
function wholeEvent(event: Said, time: string): TranscriptEvent[] {
  if (event.kind === "place") {
    const said = Object.entries(event).filter(([, value]) => value !== "" && value !== false);
    return said.length > 1 ? [Object.fromEntries(said) as TranscriptEvent] : [];
  }
  const isEmpty = (event.kind === "tool" ? event.tool : event.text).trim() === "";
  if (isEmpty && event.kind !== "result") return [];
  const whole = { time, ...event } as TranscriptEvent;
  const isOwn = event.kind === "result" && event.outcome === "failed" && OWN_REFUSAL.test(event.text);
  return [isOwn ? ({ ...whole, outcome: "refused" } as TranscriptEvent) : whole];
}
