import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { redactSecrets } from "../memory/screening/find-secrets.ts";
import { appendText, rotateLog } from "../machine/event-log.ts";
import { takeUntold, wordsOf } from "../machine/versioned-file.ts";
import { type Places, findPlaces } from "../machine/places.ts";

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

/** Notes, once a process, which files of a newer heed were met and left as they are. Never throws. */
export function logNewerFiles({
  env,
  places,
}: {
  env: Readonly<Record<string, string | undefined>>;
  places: Places;
}): void {
  for (const newer of takeUntold([places.state, places.cache, places.config]))
    logTrouble("newer file", wordsOf(newer), env);
}
