import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { cutText } from "../memory/shown-text.ts";
import { redactSecrets } from "../memory/screening/find-secrets.ts";
import { appendText, rotateLog } from "../machine/state-file.ts";
import { type Places, findPlaces } from "../machine/places.ts";
import type { Problem } from "../machine/heed-error.ts";
import { readOrEmpty } from "../machine/regular-file.ts";

/** Past this size the log is set aside as `heed.log.1`, so that it never fills a disk. */
const MAX_LOG_BYTES = 1024 * 1024;
/** One entry is cut at this length: an error may quote hostile input. */
const MAX_ENTRY_CHARS = 2000;

/** Appends to `heed.log` what neither model nor client may see; on stderr too with `HEED_DEBUG=1`. Never throws. */
export function logTrouble(
  where: string,
  trouble: unknown,
  env: Readonly<Record<string, string | undefined>> = process.env,
): void {
  try {
    const text = trouble instanceof Error ? (trouble.stack ?? trouble.message) : String(trouble);
    if (env["HEED_DEBUG"] === "1") console.error(`heed: ${where}: ${redactSecrets(text)}`);
    const { state } = findPlaces(env);
    mkdirSync(state, { recursive: true });
    const file = join(state, "heed.log");
    rotateLog(file, MAX_LOG_BYTES);
    const entry = redactSecrets(text.slice(0, 2 * MAX_ENTRY_CHARS))
      .slice(0, MAX_ENTRY_CHARS)
      .replace(/\s*\n\s*/g, " | ");
    appendText(file, `${new Date().toISOString()} ${process.pid} ${where}: ${entry}\n`);
  } catch {
    // Nobody is left to tell.
  }
}

const MAX_READ_BYTES = 256 * 1024;

/** The events since a time that got no answer, by the log, as a problem. */
export function unansweredEvents({ state }: Places, since: string): Problem[] {
  const file = join(state, "heed.log");
  const found = readOrEmpty(file, { maxBytes: MAX_READ_BYTES, part: "end" })
    .split("\n")
    .flatMap((line) => {
      const [, time = "", why = ""] =
        /^(\S+) \d+ (?:mcp )?unanswered: (?:Error: )?(.*?)(?: \| |$)/.exec(line) ?? [];
      return time > since ? [{ time, why }] : [];
    });
  const last = found.at(-1);
  if (!last) return [];
  const message = `${found.length} ${found.length === 1 ? "event" : "events"} of agents without heed's answer, so no rule or guard was asked; the last at ${last.time.slice(0, 16)}Z: ${cutText(last.why, 200)}`;
  return [{ file, severity: "error", code: "unanswered", message, remedy: "run heed doctor" }];
}
