import { memoryWrittenBy } from "../../capture/memory-written-by.ts";
import { commandOfCall } from "../../capture/tool-call.ts";
import { TranscriptReader } from "../../capture/transcript/transcript-reader.ts";
import { readRegularBytes } from "../../platform/regular-file.ts";

/** So much of a transcript's end is read: a turn's tool calls. */
const MAX_BYTES = 512 * 1024;

/**
 * What the agent wrote in its last turn into a memory that is not heed's: its client's own, CLAUDE.md; as far as the
 * transcript has it by now. What went through heed's tools is looked up where it came to be.
 */
export function writtenElsewhere(transcript: string): string[] {
  if (transcript === "" || transcript.endsWith(".json")) return [];
  let written: string[] = [];
  const reader = new TranscriptReader((event) => {
    if (event.kind === "user") written = [];
    if (event.kind !== "tool" || /(?:^|__)memory_\w+$/.test(event.tool)) return;
    const text = memoryWrittenBy(event.tool, event.input, commandOfCall(event.tool, event.input));
    if (text !== undefined) written.push(text);
  });
  try {
    reader.push(readRegularBytes(transcript, { maxBytes: MAX_BYTES, part: "end" }));
  } catch {
    // Gone, or not there yet: then nothing is known of it.
    return [];
  }
  return written;
}
