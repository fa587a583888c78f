import { cutText } from "./cut-text.ts";
import { defuseLine } from "./delimit.ts";

const MAX_LINE_CHARS = 240;
const MAX_OPEN_STEPS = 3;
const MAX_FILES = 4;

/**
 * At most three lines on how to go on: where a session stopped, what is open, which of its files are not
 * committed.
 */
export function episodeLines(body: string, day: string, uncommitted: readonly string[]): string[] {
  const when = /^\*\*When:\*\* .*$/m.exec(body)?.[0];
  if (when === undefined) return [line("", body.trim())].filter((text) => text !== "");
  const branch = /, branch ([^;\n]+);/.exec(when)?.[1];
  const stopped = itemsOf(body, "Where it stopped")[0] ?? "";
  const at = [day, branch === undefined ? "" : `branch ${branch}`].filter((part) => part !== "").join(", ");
  return [
    line(`Stopped${at === "" ? "" : ` (${at})`}: `, stopped),
    line("Open: ", openStepsOf(body).slice(0, MAX_OPEN_STEPS).join("; ")),
    line("Not committed: ", uncommitted.slice(0, MAX_FILES).join(", ")),
  ].filter((text) => text !== "");
}

/** The files that the session of a record changed, as heed wrote them. */
export function filesOfEpisode(body: string): string[] {
  return itemsOf(body, "Files changed").map((item) => item.replace(/ \(\d+ edits\)$/, ""));
}

/** The files that were not committed when the record was written. */
export function uncommittedOf(body: string): string[] {
  return itemsOf(body, "Not committed (git diff --stat)")
    .map((item) => item.split("|")[0]?.trim() ?? "")
    .filter((file) => file !== "" && !/\d+ files? changed/.test(file));
}

/** What was left to do, as far as the record shows. */
export function openStepsOf(body: string): string[] {
  return itemsOf(body, "Open steps");
}

function line(label: string, text: string): string {
  return text === "" ? "" : cutText(`${label}${defuseLine(text)}`, MAX_LINE_CHARS);
}

function itemsOf(body: string, title: string): string[] {
  const at = body.indexOf(`**${title}:**`);
  if (at < 0) return [];
  const [, items = ""] = /^[^\n]*\n\s*\n((?:- [^\n]*(?:\n|$))+)/.exec(body.slice(at)) ?? [];
  return items
    .split("\n")
    .filter((item) => item.startsWith("- "))
    .map((item) => item.slice(2).trim());
}
