import { redactSecrets } from "../screening/redact-secrets.ts";
import { errorLine } from "./text/error-line.ts";
import { oneLine } from "./text/one-line.ts";
import type { SessionDigest } from "./digest/session-digest.ts";
import { sentencesOf } from "./text/sentences.ts";
import { isDecision } from "./explicit/standing-words.ts";
import { confirmedReason } from "./solutions/confirmed-reason.ts";
import { noteDone, trackRemark } from "./solutions/track-remarks.ts";
import { trackStruggle } from "./solutions/track-struggles.ts";
import { commandOfCall, filesOfCall, isLook, programsOf, withoutHeredocs } from "./tool-call.ts";
import { foldPlan } from "./fold-plan.ts";
import { memoryWrittenBy } from "./memory-written-by.ts";
import type { TranscriptEvent } from "./transcript/transcript-event.ts";
import { MAX_TYPED_CHARS, userWords } from "./transcript/user-words.ts";

const MAX_ASKS = 40;
const MAX_FILES = 80;
const MAX_COMMANDS = 60;
const MAX_ERRORS = 15;
const MAX_DECISIONS = 12;
const MAX_COMMITS = 20;
const MAX_SENTENCES = 150;
const MAX_SEEN = 400;
const MAX_PENDING = 60;
const MAX_TURNS = 200;
const MAX_WON = 50;
/** What is kept of one message of the agent. */
const MAX_MESSAGE_CHARS = 1500;
/** What is kept of the agent's words before a turn: enough to see what a "no" is about. */
const MAX_BEFORE_CHARS = 600;

/** Takes one event into the digest of its session. `agent` is set for the events of a subagent. */
export function foldEvent(digest: SessionDigest, event: TranscriptEvent, agent?: string): void {
  if ("time" in event && event.time !== "") {
    if (digest.started === "" || event.time < digest.started) digest.started = event.time;
    if (event.time > digest.ended) digest.ended = event.time;
  }
  switch (event.kind) {
    case "place":
      if (agent !== undefined) return;
      digest.cwd = event.cwd ?? digest.cwd;
      digest.branch = event.branch ?? digest.branch;
      digest.isSubagent ||= event.isSubagent === true;
      return;
    case "user":
      // What a subagent is told is the agent's word.
      if (agent === undefined && !digest.isSubagent) foldUser(digest, event);
      return;
    case "assistant":
      foldAssistant(digest, event.text, agent);
      return;
    case "tool":
      foldCall(digest, event);
      return;
    case "result":
      foldResult(digest, event);
      return;
    case "compaction":
      if (agent === undefined) digest.counts.compactions += 1;
      return;
  }
}

function foldUser(digest: SessionDigest, event: Extract<TranscriptEvent, { kind: "user" }>): void {
  // Before anything is taken out of it: a key is known by all of its lines.
  const { said, prose, command } = userWords(redactSecrets(event.text.slice(0, MAX_TYPED_CHARS)));
  // Some clients write a message twice: when it is queued and when it is taken up, with other ids and times.
  const isSeen =
    markSeen(digest, event.id) ||
    (said !== "" && markSeen(digest, `said:${said.slice(0, 80)}@${digest.counts.calls}`));
  if (isSeen) return;
  const ask = said === "" ? (command ?? "") : said;
  if (ask === "") return;
  if (said === "") {
    if (
      !/^\/?(?:clear|compact|model|exit|quit|login|logout|resume|help|status|config|cost|mcp|memory|init|agents|hooks|permissions|plugin|effort|context)\b/.test(
        ask,
      )
    )
      pushBounded(digest.asks, oneLine(ask, 200), MAX_ASKS);
    return;
  }
  digest.counts.turns += 1;
  // A greeting or a question before any work is not what the session was for.
  const isOpening = !hasWork(digest) && /^(?:hi|hello|hey|hallo|moin)\b|\?\s*$/i.test(digest.goal);
  if ((digest.goal === "" || (isOpening && !said.trim().endsWith("?"))) && isAsk(said))
    digest.goal = oneLine(said, 400);
  pushBounded(digest.asks, oneLine(said, 240), MAX_ASKS);
  for (const sentence of sentencesOf(prose)) {
    if (sentence.length > 20) pushBounded(digest.sentences, oneLine(sentence, 300), MAX_SENTENCES);
    if (isDecision(sentence)) pushBounded(digest.decisions, oneLine(sentence, 240), MAX_DECISIONS);
  }
  const { id, time } = event;
  const before = digest.lastMessage.slice(-MAX_BEFORE_CHARS);
  pushBounded(
    digest.turns,
    { id, time, said: said.slice(0, 4000), prose: prose.slice(0, 4000), before, written: [] },
    MAX_TURNS,
  );
  digest.lastMessage = "";
}

function hasWork({ files, commands, commits }: SessionDigest): boolean {
  return Object.keys(files).length + commands.length + commits.length > 0;
}

/** A greeting or a yes is no goal. */
function isAsk(said: string): boolean {
  return (said.match(/\p{L}{2,}/gu)?.length ?? 0) >= 3;
}

function foldAssistant(digest: SessionDigest, text: string, agent: string | undefined): void {
  const said = redactSecrets(text.slice(0, MAX_MESSAGE_CHARS * 4)).trim();
  if (said === "") return;
  const wonBySaying = trackRemark(digest.open, digest.done, said);
  if (wonBySaying) pushBounded(digest.won, wonBySaying, MAX_WON);
  // Later on the agent speaks of other things.
  for (const struggle of digest.won) struggle.reason ??= confirmedReason(struggle, said) ?? "";
  if (agent !== undefined) return;
  digest.lastMessage = said.slice(0, MAX_MESSAGE_CHARS);
  const prose = said.replace(/```[\s\S]*?(?:```|$)/g, "").slice(0, MAX_MESSAGE_CHARS);
  for (const sentence of sentencesOf(prose).slice(0, 6)) {
    if (sentence.length > 30) pushBounded(digest.sentences, oneLine(plain(sentence), 300), MAX_SENTENCES);
    if (isDecision(sentence)) pushBounded(digest.decisions, oneLine(plain(sentence), 240), MAX_DECISIONS);
  }
}

function plain(sentence: string): string {
  return sentence.replace(/\*\*|__|^#+\s*/g, "");
}

function foldCall(digest: SessionDigest, event: Extract<TranscriptEvent, { kind: "tool" }>): void {
  if (markSeen(digest, event.id)) return;
  digest.counts.calls += 1;
  const { tool, input } = event;
  const given = commandOfCall(tool, input);
  const command = given && redactSecrets(given.slice(0, 20_000));
  for (const file of filesOfCall(tool, input)) touch(digest, file);
  if (Object.keys(input).length > 0) foldPlan(digest.plan, tool, input);
  const written = memoryWrittenBy(tool, input, given);
  if (written !== undefined) digest.turns.at(-1)?.written.push(redactSecrets(written).slice(0, 2000));
  const what = withoutHeredocs(command ?? inputText(input)).slice(0, 2000);
  digest.pending[event.id] = {
    tool,
    what: oneLine(what, 600),
    programs: command === undefined ? [] : programsOf(command),
    isLook: command !== undefined && isLook(command),
  };
  const waiting = Object.keys(digest.pending);
  if (waiting.length > MAX_PENDING) delete digest.pending[waiting[0] ?? ""];
}

/** An input as short JSON: long texts in it (a file that is written) are cut before they are taken in. */
function inputText(input: Readonly<Record<string, unknown>>): string {
  const short = Object.entries(input)
    .slice(0, 8)
    .map(
      ([key, value]) =>
        [key, typeof value === "string" ? redactSecrets(value.slice(0, 4000)).slice(0, 160) : value] as const,
    );
  return redactSecrets(JSON.stringify(Object.fromEntries(short)).slice(0, 2000));
}

function foldResult(digest: SessionDigest, event: Extract<TranscriptEvent, { kind: "result" }>): void {
  const call = digest.pending[event.id];
  if (!call || !Object.hasOwn(digest.pending, event.id)) return;
  delete digest.pending[event.id];
  // Only what is kept passes the search for secrets: most output is not.
  const output = event.outcome === "failed" ? redactSecrets(ends(event.text)) : event.text;
  if (event.outcome === "failed") {
    digest.counts.failures += 1;
    const error = errorLine(output);
    if (error !== "" && !digest.errors.includes(error)) pushBounded(digest.errors, error, MAX_ERRORS);
  }
  if (call.programs.length > 0) foldCommand(digest, call.what, event.outcome, call.isLook);
  const isCommit = event.outcome === "ok" && call.programs.includes("git commit");
  const commit = isCommit ? /^\[[^\]\n]{1,200} ([0-9a-f]{7,40})\] (.{1,200})$/m.exec(ends(output)) : null;
  if (commit)
    pushBounded(digest.commits, redactSecrets(`${commit[1]} ${oneLine(commit[2] ?? "", 100)}`), MAX_COMMITS);
  const { outcome, time } = event;
  const won = trackStruggle(digest.open, { call, outcome, output, time });
  if (won) pushBounded(digest.won, won, MAX_WON);
  if (outcome === "ok") noteDone(digest.done, { call, time });
}

function ends(text: string): string {
  return text.length <= 8000 ? text : `${text.slice(0, 4000)}\n${text.slice(-4000)}`;
}

function foldCommand(
  digest: SessionDigest,
  command: string,
  outcome: "ok" | "failed" | "refused",
  isLook: boolean,
): void {
  if (isLook && outcome === "ok") return;
  const short = oneLine(command, 160);
  // The last one stands last: how it ended is how the session stopped.
  const known = digest.commands.findIndex((run) => run.command === short && run.outcome === outcome);
  const times = known < 0 ? 1 : (digest.commands.splice(known, 1)[0]?.times ?? 0) + 1;
  pushBounded(digest.commands, { command: short, outcome, times }, MAX_COMMANDS);
}

function touch(digest: SessionDigest, file: string): void {
  const path = oneLine(redactSecrets(file.slice(0, 1000)), 300);
  const edits = Object.hasOwn(digest.files, path) ? (digest.files[path] ?? 0) : 0;
  if (edits === 0 && Object.keys(digest.files).length >= MAX_FILES) return;
  // A path may be named like a key of every object.
  Object.defineProperty(digest.files, path, {
    value: edits + 1,
    enumerable: true,
    configurable: true,
    writable: true,
  });
  for (const struggle of digest.open) struggle.hasEdits = true;
  digest.done.splice(0);
}

/** Notes an id; whether it was there already. */
function markSeen(digest: SessionDigest, id: string): boolean {
  if (id === "") return false;
  if (digest.seen.includes(id)) return true;
  pushBounded(digest.seen, id, MAX_SEEN);
  return false;
}

function pushBounded<T>(list: T[], item: T, max: number): void {
  list.push(item);
  if (list.length > max) list.shift();
}
