import { cutText } from "./cut-text.ts";
import { defuseLine } from "./fence.ts";

const MAX_LINE_CHARS = 240;
const MAX_OPEN_STEPS = 3;
const MAX_FILES = 4;

/**
 * What a record of a session says about going on, in four lines at most: what was wanted, where it stopped, what is open,
 * and what is not committed. Read from the sections that heed writes; the beginning of a record of another form.
 */
export function episodeLines(body: string, day: string): string[] {
  const goal = /^\*\*Goal:\*\* (.+)$/m.exec(body)?.[1];
  if (goal === undefined) return [line("", body.trim())].filter((text) => text !== "");
  const branch = /^\*\*When:\*\* .*?, branch ([^;\n]+);/m.exec(body)?.[1];
  const stopped = itemsOf(body, "Where it stopped")[0] ?? "";
  const uncommitted = itemsOf(body, "Not committed (git diff --stat)")
    .map((item) => item.split("|")[0]?.trim() ?? "")
    .filter((file) => file !== "" && !/\d+ files? changed/.test(file));
  const at = [day, branch === undefined ? "" : `branch ${branch}`].filter((part) => part !== "").join(", ");
  return [
    line("Goal: ", goal),
    line(`Stopped${at === "" ? "" : ` (${at})`}: `, stopped),
    line("Open: ", itemsOf(body, "Open steps").slice(0, MAX_OPEN_STEPS).join("; ")),
    line("Not committed: ", uncommitted.slice(0, MAX_FILES).join(", ")),
  ].filter((text) => text !== "");
}

/** The files that the session of a record changed, as heed wrote them. */
export function filesOfEpisode(body: string): string[] {
  return itemsOf(body, "Files changed").map((item) => item.replace(/ \(\d+ edits\)$/, ""));
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
