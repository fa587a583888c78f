import { oneLine } from "./one-line.ts";
import { type PastConversation, type SessionWork, openSteps } from "../../here/records/past-conversations.ts";

export type WorkSession = Pick<PastConversation, "conversation"> & { work: SessionWork };

/** What git knows of the session, looked up by the caller. */
export interface RepositoryState {
  branch: string;
  /** `git diff --stat` of what is not committed, then what git does not know yet; empty: nothing. */
  diffStat: string;
}

const TITLE_FILES = 3;

/** The record of a session as markdown: where it stopped and what is open first, then what was done. */
export function renderEpisode(session: WorkSession, repository: RepositoryState): string {
  const { work } = session;
  const { started, ended } = session.conversation;
  const span = [started, ended].map((time) => time.slice(0, 16).replace("T", " ")).join(" to ");
  const branch = branchOf(session, repository);
  return [
    `**When:** ${span} UTC${branch === "" ? "" : `, branch ${branch}`}`,
    ...section("Where it stopped", [stoppedAt(session)]),
    ...section("Open steps", openSteps(work).slice(0, 8)),
    ...section("Commits", work.commits),
    ...section("Files changed", filesOf(work)),
    ...section("Not committed (git diff --stat)", repository.diffStat.split("\n").slice(-12)),
    ...section("Commands", commandsOf(work)),
  ].join("\n");
}

/** The one line by which an episode is chosen: its day, branch and files, and no word of anybody. */
export function episodeTitle(session: WorkSession, repository: RepositoryState): string {
  const { conversation, work } = session;
  const branch = branchOf(session, repository);
  const day = conversation.started === "" ? "" : ` of ${conversation.started.slice(0, 10)}`;
  const own = filesByEdits(work).filter(({ isInside }) => isInside);
  const named = own.slice(0, TITLE_FILES).map(({ name }) => name);
  const more = own.length > named.length ? ` and ${own.length - named.length} more` : "";
  const what = named.length === 0 ? "" : `: ${named.join(", ")}${more}`;
  return oneLine(`Session${day}${branch === "" ? "" : ` on ${branch}`}${what}`, 160);
}

/** Whether there is anything to record: what was only said is in the history. */
export function isWorthRecording({ files, commands, commits, plan }: SessionWork): boolean {
  return Object.keys(files).length + commands.length + commits.length + plan.length > 0;
}

/** Whether work is left: open steps, or changed files not committed. */
export function isUnfinished(work: SessionWork, repository: RepositoryState): boolean {
  const isUncommitted = filesByEdits(work).some(({ name }) => repository.diffStat.includes(name));
  return openSteps(work).length > 0 || isUncommitted;
}

function branchOf({ conversation }: WorkSession, repository: RepositoryState): string {
  return repository.branch || conversation.branch;
}

/** The agent's closing message, if it said more than a word or two. */
function stoppedAt({ conversation: { closing } }: WorkSession): string {
  return oneLine(
    (closing?.text ?? "").replace(/```[\s\S]*?(?:```|$)/g, " […] ").replace(/\*\*|^#+\s*/gm, ""),
    500,
  );
}

/** The files that were changed, the most edited first; by their path in the session's folder where they lie in it. */
function filesByEdits({ files, cwd }: SessionWork): { name: string; edits: number; isInside: boolean }[] {
  return Object.entries(files)
    .map(([file, edits]) => {
      const isBelow = cwd !== "" && file.startsWith(`${cwd}/`);
      const isInside = isBelow || !/^(?:[/\\~]|[A-Za-z]:|\.\.)/.test(file);
      return { name: isBelow ? file.slice(cwd.length + 1) : file, edits, isInside };
    })
    .sort((a, b) => b.edits - a.edits);
}

function filesOf(work: SessionWork): string[] {
  return filesByEdits(work)
    .slice(0, 15)
    .map(({ name, edits }) => `${name}${edits > 1 ? ` (${edits} edits)` : ""}`);
}

function commandsOf({ commands }: SessionWork): string[] {
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
