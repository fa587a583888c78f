import { oneLine } from "../text/one-line.ts";
import type { SessionDigest } from "../digest/session-digest.ts";
import { openWork } from "./open-work.ts";
import { rankSentences } from "./rank-sentences.ts";

/** What git knows of the session, looked up by the caller. */
export interface RepositoryState {
  branch: string;
  /** `git diff --stat` of what is not committed, then what git does not know yet; empty: nothing. */
  diffStat: string;
}

/** The whole text stays below this many characters. */
const MAX_CHARS = 9000;

/**
 * The record of a session as markdown: what was wanted, where it stopped and what is open first, since a new session
 * is offered only the beginning of it.
 */
export function renderEpisode(digest: SessionDigest, repository?: RepositoryState): string {
  const asked = digest.asks.filter((ask) => ask !== oneLine(digest.goal, 240));
  const open = openWork(digest);
  const branch = repository?.branch || digest.branch;
  const parts: string[] = [
    `**Goal:** ${digest.goal === "" ? oneLine(digest.asks[0] ?? "not told", 400) : digest.goal}`,
    when(digest, branch),
    ...section("Where it stopped", [stoppedAt(digest)]),
    ...section("Open steps", open.slice(0, 8)),
    ...section(
      "Asked last",
      asked.slice(-5).map((ask) => oneLine(ask, 140)),
    ),
    ...section("Decisions", digest.decisions.slice(-6)),
    ...section("Commits", digest.commits.slice(-8)),
    ...section("Files changed", filesOf(digest)),
    ...section("Not committed (git diff --stat)", (repository?.diffStat ?? "").split("\n").slice(-12)),
    ...section("Errors met", digest.errors.slice(-6)),
    ...section("Commands", commandsOf(digest)),
    ...section("Kept in memory", digest.notes.slice(-8)),
    ...section("Summary", rankSentences(summarised(digest), 5)),
    ...section(
      "Asked before",
      asked
        .slice(0, -5)
        .slice(-15)
        .map((ask) => oneLine(ask, 140)),
    ),
  ];
  return bounded(parts);
}

/** The sentences that do not stand further up already. */
function summarised({ sentences, goal, asks, lastMessage }: SessionDigest): string[] {
  const shown = [goal, ...asks.slice(-5), oneLine(lastMessage, 500)];
  return sentences.filter((sentence) => !shown.some((text) => text.includes(sentence)));
}

/** The one line by which an episode is chosen. */
export function episodeTitle(digest: SessionDigest): string {
  const goal = digest.goal === "" ? (digest.asks[0] ?? "a session without a goal") : digest.goal;
  return oneLine(`Session: ${goal}`, 160);
}

/** Whether there is anything to record: a session in which nothing was asked or done is none. */
export function isWorthRecording(digest: SessionDigest): boolean {
  return digest.counts.turns > 0 || (digest.asks.length > 0 && digest.counts.calls > 0);
}

/** A greeting, or questions without work and decisions: recorded, but nothing to go on with. */
export function isTrivial(digest: SessionDigest): boolean {
  const { files, commands, commits, plan, decisions } = digest;
  const isWork = Object.keys(files).length + commands.length + commits.length + plan.length > 0;
  return !isWork && decisions.length === 0 && openWork(digest).length === 0;
}

/**
 * Whether somebody may want to go on: something is known to be open, files that the session changed are not committed, or
 * the last word was the user's.
 */
export function isUnfinished(digest: SessionDigest, repository: RepositoryState): boolean {
  const inside = (file: string): string =>
    digest.cwd !== "" && file.startsWith(`${digest.cwd}/`) ? file.slice(digest.cwd.length + 1) : file;
  const isUncommitted = Object.keys(digest.files).some((file) => repository.diffStat.includes(inside(file)));
  return openWork(digest).length > 0 || isUncommitted || digest.lastMessage === "";
}

function when(digest: SessionDigest, branch: string): string {
  const { turns, calls, failures, compactions } = digest.counts;
  const span = [digest.started, digest.ended].map((time) => time.slice(0, 16).replace("T", " ")).join(" to ");
  const counts = [
    `${turns} ${turns === 1 ? "message" : "messages"}`,
    `${calls} tool ${calls === 1 ? "call" : "calls"}`,
    ...(failures > 0 ? [`${failures} failed`] : []),
    ...(compactions > 0 ? [`compacted ${compactions === 1 ? "once" : `${compactions} times`}`] : []),
  ];
  return `**When:** ${span} UTC${branch === "" ? "" : `, branch ${branch}`}; ${counts.join(", ")}`;
}

function stoppedAt(digest: SessionDigest): string {
  if (digest.lastMessage === "") {
    const last = digest.asks.at(-1);
    return last === undefined ? "" : `the agent had not answered yet to: ${oneLine(last, 240)}`;
  }
  return oneLine(
    digest.lastMessage.replace(/```[\s\S]*?(?:```|$)/g, " […] ").replace(/\*\*|^#+\s*/gm, ""),
    500,
  );
}

function filesOf({ files, cwd }: SessionDigest): string[] {
  const inside = (file: string): string =>
    cwd !== "" && file.startsWith(`${cwd}/`) ? file.slice(cwd.length + 1) : file;
  return Object.entries(files)
    .sort(([, a], [, b]) => b - a)
    .slice(0, 15)
    .map(([file, edits]) => `${inside(file)}${edits > 1 ? ` (${edits} edits)` : ""}`);
}

function commandsOf({ commands }: SessionDigest): string[] {
  return commands
    .slice(-12)
    .map(
      ({ command, outcome, times }) =>
        `${outcome}: ${oneLine(command, 120)}${times > 1 ? ` (${times} times)` : ""}`,
    );
}

function section(title: string, items: readonly string[]): string[] {
  const lines = items.map((item) => item.trim()).filter((item) => item !== "");
  return lines.length === 0 ? [] : ["", `**${title}:**`, "", ...lines.map((line) => `- ${line}`)];
}

function bounded(lines: readonly string[]): string {
  let length = 0;
  const kept = lines.filter((line) => (length += line.length + 1) <= MAX_CHARS);
  return kept.join("\n");
}
