import { oneLine } from "./capture/tool-calls.ts";
import {
  type PastConversation,
  type SessionWork,
  openSteps,
  filesInside,
  writeConversation,
} from "../here/records/past-conversations.ts";
import { isAbsolute } from "node:path";
import { type Place, reconcileStores } from "../here/place.ts";
import type { CaptureJob } from "../here/capture-queue.ts";
import { readTranscript } from "./conversations/read-conversations.ts";
import type { IsToStop } from "./transcripts/read-session.ts";
import { learnByModel, notSeenBefore } from "./learn-by-model.ts";
import { openedStore } from "../here/opened-stores.ts";
import { sessionKey } from "../here/records/session-state.ts";
import { usersStore } from "../write/make-store.ts";
import { memoryOfDraft } from "../write/memory-of-draft.ts";
import { MemoryWriter } from "../write/memory-writer.ts";
import { folderScope } from "../machine/repository-identity.ts";
import { runGit } from "../machine/run-git.ts";
import type { Actor, Memory, Status } from "../memory/memory.ts";
import { decayDay } from "../memory/memory-type.ts";
import { isoSeconds } from "../machine/read-fields.ts";
import { redactSecrets } from "../memory/screening/find-secrets.ts";

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
function isWorthRecording({ files, commands, commits, plan }: SessionWork): boolean {
  return Object.keys(files).length + commands.length + commits.length + plan.length > 0;
}

/** Whether work is left: open steps, or changed files not committed. */
function isUnfinished(work: SessionWork, repository: RepositoryState): boolean {
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

/** While a session goes on its episode is written this often at most: each time is a commit. */
const EPISODE_EVERY_MS = 5 * 60_000;

/** What was captured of one session. */
export interface CapturedSession {
  session: string;
  /** Name of the episode that was written. */
  episode: string | undefined;
  /** Turns of the user that had not been read before. */
  turns: number;
  /** How many proposals of a model about them wait; none unless `learn` is `model`. */
  proposals: number;
}

interface Occasion {
  why: CaptureJob["why"] | "compaction";
  isToStop: IsToStop;
}

/** Reads a session on and keeps its record; undefined when it was told to stop. Rejects when the transcript cannot be read. */
export async function captureSession(
  outer: Place,
  { session, transcript: file, cwd }: Omit<CaptureJob, "why">,
  occasion: Occasion,
): Promise<CapturedSession | undefined> {
  const { isToStop } = occasion;
  const here = isAbsolute(cwd) ? outer.at(cwd) : outer;
  const withWork = here.found.capture !== "off";
  const past = readTranscript(here, { file, session, cwd }, { isToStop, withWork });
  return isToStop() ? undefined : concludeSession(outer, past, occasion);
}

/** Has a model asked about what was read of a session, and brings its episode up to date. */
export async function concludeSession(
  outer: Place,
  past: PastConversation,
  { why, isToStop }: Occasion,
): Promise<CapturedSession> {
  const { session, client, work } = past;
  if (!work) return { session, episode: undefined, turns: 0, proposals: 0 };
  // A folder that is gone still counts: its session must not become knowledge of the repository in which it is read.
  const place = isAbsolute(work.cwd) ? outer.at(work.cwd) : outer;
  // A resumed or forked session carries the turns of the one before.
  work.turns = notSeenBefore(place.places, work.turns);
  const turns = work.turns.length;
  // Before a compaction somebody waits: no model is asked.
  const proposals =
    why === "compaction"
      ? 0
      : await learnByModel(place, { session, work }, { client, isOver: why === "end", isToStop });
  let episode: string | undefined;
  if (isEpisodeDue(place, work, why)) {
    episode = await writeEpisode(place, { ...past, work });
    Object.assign(work, { episodeAt: place.now().toISOString(), isDirty: false });
  }
  writeConversation(place.places, past);
  if (place !== outer) await reconcileStores(place.workspace);
  return { session, episode, turns, proposals };
}

function isEpisodeDue(place: Place, work: SessionWork, why: Occasion["why"]): boolean {
  if (!work.isDirty) return false;
  if (why !== "stop" || work.episodeAt === "") return true;
  return place.now().getTime() - Date.parse(work.episodeAt) >= EPISODE_EVERY_MS;
}

const GIT_TIMEOUT_MS = 3000;
const MAX_GIT_BYTES = 64 * 1024;
const DIFF_STAT =
  "diff --stat=300,250 --stat-graph-width=20 --no-ext-diff --no-textconv --ignore-submodules=all HEAD";

async function writeEpisode(place: Place, past: PastConversation & WorkSession): Promise<string | undefined> {
  const { session, client, conversation, work } = past;
  if (!isWorthRecording(work)) return undefined;
  const repository = await place.learnRepository();
  const state = await repositoryState(
    place,
    repository?.branch ?? conversation.branch,
    repository !== undefined,
    filesInside(work),
  );
  const store = openedStore(place, await usersStore(place));
  const now = isoSeconds(place.now());
  const created = conversation.started === "" ? now : isoSeconds(new Date(conversation.started));
  const key = sessionKey(session).replace(/^h-/, "");
  // Ids that begin with the time are alike for sessions that began together.
  const isTaken = (name: string): boolean =>
    (store.read(`episodes/${name}.md`).memory?.metadata.origin.session ?? session) !== session;
  const short = `${created.slice(0, 10)}-${key.slice(0, 8)}`;
  const name = isTaken(short) ? `${created.slice(0, 10)}-${key.slice(0, 60)}` : short;
  const updated = conversation.ended === "" ? now : isoSeconds(new Date(conversation.ended));
  const statement = redactSecrets(episodeTitle(past, state));
  const body = redactSecrets(renderEpisode(past, state));
  const status: Status = isUnfinished(work, state) ? "open" : "confirmed";
  const actor: Actor = { kind: "hook", client, session };
  const writer = new MemoryWriter(place, actor);
  const file = `episodes/${name}.md`;
  const current = store.read(file).memory;
  if (current) {
    const isSame = current.metadata.statement === statement && current.body.trim() === body.trim();
    if (isSame && current.metadata.status === status) return name;
    const changes = { statement, body, updated, status };
    await writer.amend(current, changes, { kind: "episode", why: `episode ${name} goes on` });
    return name;
  }
  const policy = place.types.get("episode");
  if (!policy) return undefined;
  const draft = { type: policy.name, name, statement, body, status };
  const here = { now: () => place.now(), repository };
  const memory: Memory = {
    ...memoryOfDraft(here, { draft, actor, store }, policy),
    name,
    created,
    updated,
    scope: {
      repo: repository?.name ?? folderScope(place.cwd),
      ...(state.branch !== "" && { branch: state.branch }),
      paths: [],
    },
    decayAfter: decayDay(updated),
  };
  await writer.create(store.ref, memory, { kind: "episode", why: `episode ${name}` });
  return name;
}

/** Of files that git does not know, only those touched. Empty when git does not answer in time. */
async function repositoryState(
  place: Place,
  branch: string,
  isRepository: boolean,
  touched: readonly string[],
): Promise<RepositoryState> {
  if (!isRepository) return { branch: "", diffStat: "" };
  const ask = async (args: string[]): Promise<string> => {
    const bounds = { timeoutMs: GIT_TIMEOUT_MS, maxBytes: MAX_GIT_BYTES };
    return (await runGit(args, { cwd: place.cwd, env: place.env, ...bounds })).stdout.trimEnd();
  };
  try {
    const changed = await ask(DIFF_STAT.split(" "));
    const added =
      touched.length === 0 ? "" : await ask(["ls-files", "--others", "--exclude-standard", "--", ...touched]);
    const files = added.split("\n").flatMap((file) => (file === "" ? [] : [`${file} | new`]));
    return { branch, diffStat: [changed, ...files].filter((text) => text !== "").join("\n") };
  } catch {
    return { branch, diffStat: "" };
  }
}
