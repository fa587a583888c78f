import { asRecord } from "../../../machine/read-fields.ts";
import { claudeCodeFormat } from "./claude-code-format.ts";
import { codexFormat } from "./codex-format.ts";
import { copilotFormat } from "./copilot-format.ts";
import { geminiFormat } from "./gemini-format.ts";
import { LineSplitter } from "./line-splitter.ts";
import { opencodeFormat } from "./opencode-format.ts";
import { qwenFormat } from "./qwen-format.ts";
import type { TranscriptEvent, TranscriptFormat } from "./transcript-event.ts";

/** The agents whose transcripts are read. */
export const FORMATS: readonly TranscriptFormat[] = [
  // Before Claude Code's, whose field names it has.
  qwenFormat,
  claudeCodeFormat,
  codexFormat,
  geminiFormat,
  copilotFormat,
  opencodeFormat,
];

/** Records are told by their first characters; what comes later may be anybody's text. */
const HEAD_BYTES = 1500;
const BYTE_ORDER_MARK = Buffer.from("\uFEFF");
/** A file whose format is unknown after this many records is no transcript. */
const MAX_RECORDS_UNKNOWN = 200;

/**
 * Reads a transcript as a stream: chunks in, events out. The first known record tells the format. Useless
 * records are skipped before they are parsed; a line that is not JSON is lost alone.
 */
export class TranscriptReader {
  readonly #splitter: LineSplitter;
  readonly #onEvent: (event: TranscriptEvent) => void;
  #format: TranscriptFormat | undefined;
  #unknownRecords = 0;
  #brokenLines = 0;

  constructor(onEvent: (event: TranscriptEvent) => void, client?: string) {
    this.#onEvent = onEvent;
    this.#format = FORMATS.find((format) => format.client === client);
    this.#splitter = new LineSplitter((line) => this.#read(line));
  }

  push(chunk: Buffer): void {
    this.#splitter.push(chunk);
  }

  /** Skips bytes of the stream. */
  skip(bytes: number): void {
    this.#splitter.skip(bytes);
  }

  /** Bytes up to the end of the last whole line: where the next run reads on. */
  get doneBytes(): number {
    return this.#splitter.doneBytes;
  }

  /** The agent whose transcript it is; undefined while nothing tells. */
  get client(): string | undefined {
    return this.#format?.client;
  }

  /** Lines that were no JSON or too long. */
  get lostLines(): number {
    return this.#brokenLines + this.#splitter.skippedLines;
  }

  #read(given: Buffer): void {
    const line = given.indexOf(BYTE_ORDER_MARK) === 0 ? given.subarray(BYTE_ORDER_MARK.length) : given;
    if (this.#format?.isNoise(line.toString("latin1", 0, HEAD_BYTES))) return;
    if (!this.#format && this.#unknownRecords >= MAX_RECORDS_UNKNOWN) return;
    let record: Readonly<Record<string, unknown>> | undefined;
    try {
      record = asRecord(JSON.parse(line.toString("utf8")));
    } catch {
      this.#brokenLines += 1;
      return;
    }
    if (!record) return;
    this.#format ??= this.#recognise(record);
    for (const event of this.#format?.events(record) ?? []) this.#onEvent(asRefusal(event));
  }

  #recognise(record: Readonly<Record<string, unknown>>): TranscriptFormat | undefined {
    this.#unknownRecords += 1;
    return FORMATS.find((format) => format.recognises(record));
  }
}

/** How heed's own refusals begin, as guards word them; clients hand them over as errors of the tool. */
const OWN_REFUSAL = /^(?:.{0,80}: )?(?:Refused by a rule of the user that heed keeps|heed: )/;

/** A call that heed stopped did not fail: nothing is to be learned from how it was got around. */
function asRefusal(event: TranscriptEvent): TranscriptEvent {
  return event.kind === "result" && event.outcome === "failed" && OWN_REFUSAL.test(event.text)
    ? { ...event, outcome: "refused" }
    : event;
}
