import type { Day } from "../memory/calendar-day.ts";
import type { MemoryDraft } from "../memory/memory-draft.ts";

const LANGUAGES = ["en", "de", "fr", "es"];
const EVERYWHERE = /(?<!\p{L})(?:everywhere|anywhere|überall|partout|en todas partes)(?!\p{L})/iu;

/** Whether words name a day: by its date, by its month, or as seen from today ("until Friday"). */
export function saysDay(said: string, time: string, today: Day): boolean {
  const day = time.slice(0, 10);
  if (said.includes(day)) return true;
  if (day < today || Number.isNaN(Date.parse(day))) return false;
  const days = (Date.parse(day) - Date.parse(today)) / 86_400_000;
  const parts: Intl.DateTimeFormatOptions[] = [
    { month: "long" },
    ...(days <= 7 ? [{ weekday: "long" } as const] : []),
  ];
  return LANGUAGES.some((language) =>
    parts.some((part) =>
      holdsWord(said, new Intl.DateTimeFormat(language, { ...part, timeZone: "UTC" }).format(new Date(day))),
    ),
  );
}

/** Whether words name where something is to hold: its branch and what tells each path; or, where it is freed of them, everywhere. */
export function saysPlace(said: string, scope: MemoryDraft["scope"]): boolean {
  if (scope === undefined || scope === "everywhere") return EVERYWHERE.test(said);
  const { branch, paths = [] } = scope;
  if (branch === undefined && paths.length === 0) return EVERYWHERE.test(said);
  return (
    (branch === undefined || holdsWord(said, branch)) &&
    paths.every((path) => wordsOfPath(path).some((part) => holdsWord(said, part)))
  );
}

/** What tells a path: its innermost folder or file that is named in full, else its pattern. */
function wordsOfPath(path: string): string[] {
  const parts = path.split("/").filter((part) => /[\p{L}\p{N}]/u.test(part));
  const named = parts.findLast((part) => !part.includes("*")) ?? parts.at(-1) ?? "";
  return [path, ...(named.match(/[\p{L}\p{N}][\p{L}\p{N}_-]+/gu) ?? [])];
}

function holdsWord(text: string, word: string): boolean {
  const escaped = word.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  return new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, "iu").test(text);
}
