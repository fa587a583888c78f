import { asRecord } from "../../../machine/read-fields.ts";
import { claudeCodeFormat } from "./claude-code-format.ts";
import { codexFormat } from "./codex-format.ts";
import { copilotFormat } from "./copilot-format.ts";
import { geminiFormat } from "./gemini-format.ts";
import { opencodeFormat } from "./opencode-format.ts";
import { qwenFormat } from "./qwen-format.ts";
import type { TranscriptEvent, TranscriptFormat } from "./transcript-event.ts";

export const FORMATS: readonly TranscriptFormat[] = [
  // Before Claude Code's, whose field names it has.
  qwenFormat,
  claudeCodeFormat,
  codexFormat,
  geminiFormat,
  copilotFormat,
  opencodeFormat,
];

const BYTE_ORDER_MARK = Buffer.from("\uFEFF");

/** Reads the lines of a transcript. The first known record tells the format; a line that is not JSON is lost alone. */
export class RecordReader {
  #format: TranscriptFormat | undefined;

  constructor(client?: string) {
    this.#format = FORMATS.find((format) => format.client === client);
  }

  /** The agent whose transcript it is; undefined while nothing tells. */
  get client(): string | undefined {
    return this.#format?.client;
  }

  read(given: Buffer): TranscriptEvent[] {
    const line = given.indexOf(BYTE_ORDER_MARK) === 0 ? given.subarray(BYTE_ORDER_MARK.length) : given;
    if (line.length === 0) return [];
    try {
      const record = asRecord(JSON.parse(line.toString("utf8")));
      if (!record) return [];
      this.#format ??= FORMATS.find((format) => format.recognises(record));
      return (this.#format?.events(record) ?? []).map(asRefusal);
    } catch (error) {
      if (error instanceof SyntaxError) return [];
      throw error;
    }
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
