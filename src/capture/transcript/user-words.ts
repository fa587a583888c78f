import type { MessageLine } from "./handed-over.ts";
import { withoutHandedOver } from "./handed-over.ts";

/** A message of a person taken apart. */
export interface UserWords {
  /** What the person typed, code and pastes included, without what clients and hooks put in. Empty: nobody typed it. */
  said: string;
  /** Of that the prose: no code, quotations, logs, tables, diffs. What can be meant as an instruction. */
  prose: string;
  /** The slash command that was called, for example `/review 12`. */
  command?: string;
}

/** Longer messages are cut: what is pasted at such length is not typed. */
export const MAX_TYPED_CHARS: number = 40_000;

/** Tags under which clients, hooks and heed put their own text into a person's message. */
const OWN_TAGS =
  /<(system-reminder|system_reminder|heed[\w-]*|task-notification|local-command-[a-z]+|command-(?:name|message|args|contents)|bash-(?:input|stdout|stderr)|session_context|environment_context|user_instructions|permissions[ _]instructions|user-memory-input|persisted-output|ide_[a-z_]+|hook_context|INSTRUCTIONS|user-prompt-submit-hook|turn_aborted|subagent_notification|skill|untrusted[\w-]*|editor_context|attached_files)\b[^>\n]{0,200}>/gi;

/** Messages that no person wrote, by how they begin. */
const UNWRITTEN =
  /^\s*(?:<task-notification|\{"task_id"|This session is being continued from a previous conversation|Caveat: The messages below were generated|\[Request interrupted by user|# AGENTS\.md instructions|<objective>|<process>|Base directory for this skill|Stop hook feedback|PreToolUse:|PostToolUse:|API Error|Continue from where you left off\.?\s*$|Your task is to create a detailed summary|Warning: apply_patch was requested)/;

/** What Claude Code writes in the user's name above a plan that the agent drew up and the user approved. */
const PLAN = /^Implement the following plan:/;

/** heed's own text in a context, should a client put it where the person's words are. */
const HEED_HEADS = [
  "Standing rules that the user gave and heed keeps",
  "Of the standing rules that heed keeps",
  "The last session here, as heed recorded it",
  "What earlier sessions learned about this project and its user, kept by heed",
  "New or changed in what heed keeps here",
  "A past conversation seems to be about this",
];

/** Tells what a person said from everything else that reaches an agent as their message. */
export function userWords(message: string): UserWords {
  const text = message.slice(0, MAX_TYPED_CHARS).replace(/\r\n?/g, "\n");
  const command = commandOf(text);
  const nothing = { said: "", prose: "", ...(command && { command }) };
  if (UNWRITTEN.test(text)) return nothing;
  const said = withoutOwnTags(text)
    .replace(/\[Image(?: #\d+|: source: [^\]\n]*)\]/g, " ")
    .trim();
  if (said === "" || HEED_HEADS.some((head) => said.startsWith(head))) return nothing;
  // A raw slash command; a path ("/etc/hosts is wrong") goes on with a slash or a dot.
  if (/^\/[a-z][\w-]*(?::[\w:-]+)?(?=\s|$)/i.test(said)) return { ...nothing, command: said.slice(0, 200) };
  return { said, prose: PLAN.test(said) ? "" : proseOf(said), ...(command && { command }) };
}

/** A passage in quotation marks of this length is somebody else's, as is what a link or a picture is called at such length. */
const QUOTED =
  /["“][^"“”\n]{40,}["”]|(?<![^\s(])["“](?=\S)[^"“”]{40,1000}["”](?![\p{L}\p{N}])|[„«‹‘]\s?[^„“”«»‹›‘\n]{40,}\s?[“”»›’](?!\p{L})|(?<![\p{L}\p{N}])'(?=\S)[^\n]{40,1000}?(?<=\S)'(?![\p{L}\p{N}])|!?\[[^\]\n]{40,}\](?=\()/gu;
/** A line by which a block of others' words begins, and just as it ends: quotation marks or brackets by three, a line across. */
const DELIMITER = /^\s{0,3}("{3}|'{3}|-{3,}|={3,}|\*{3,}|_{3,}|<{3,}|>{3,})\s*$/;
/** An element that is opened and closed further down; one that says that rules are in it is the writer's own. */
const OPENS_ELEMENT =
  /^\s*<(?!(?:rules?|preferences?|conventions?|guidelines?)\b)([a-z][\w-]*)\b[^>\n]*>(?!.*<\/\1>)/i;

/**
 * What a person typed as their own words: of the prose what is neither quoted nor handed over (see
 * {@link withoutHandedOver}). Words of others in their message are not theirs: neither an order nor a yes.
 */
export function ownWords(message: string): string {
  const { said, prose } = userWords(message);
  return prose === "" ? "" : joined(withoutHandedOver(linesOf(said))).replace(QUOTED, '"…"');
}

function commandOf(text: string): string | undefined {
  const name = /<command-name>\s*(\/?[^<\n]{1,100})<\/command-name>/.exec(text)?.[1]?.trim();
  if (name === undefined) return undefined;
  const args = /<command-args>([^<]{0,200})/.exec(text)?.[1]?.trim() ?? "";
  return `${name} ${args}`.trim();
}

/** Cuts out what stands between an own tag and its end; without an end, to the end of the text. */
function withoutOwnTags(text: string): string {
  let kept = "";
  let at = 0;
  OWN_TAGS.lastIndex = 0;
  for (let open = OWN_TAGS.exec(text); open !== null; open = OWN_TAGS.exec(text)) {
    kept += text.slice(at, open.index);
    const close = `</${open[1]}>`;
    const end = text.toLowerCase().indexOf(close.toLowerCase(), OWN_TAGS.lastIndex);
    at = end < 0 ? text.length : end + close.length;
    OWN_TAGS.lastIndex = at;
    if (at >= text.length) break;
  }
  return kept + text.slice(at);
}

/** Lines of these looks are pasted: stack traces, logs, prompts of a shell, diffs, tables, code. */
const PASTED: readonly RegExp[] = [
  /^\s*>/,
  /^\s*(?:at |File "|Traceback |Caused by:|\.\.\. \d+ more)/,
  /^\s*(?:\/\/|\/\*|\|\s)/,
  /^\s*(?:\[?\d{1,4}[./-]\d{1,2}[./-]\d{2,4},?[T ]\s?\d\d?:|\[?\d\d?:\d\d:\d\d|\[\d+[/:.])/,
  /^\s*(?:\$|➜|❯|%|PS [A-Z]:|[\w.-]+@[\w.-]+[:~])\s/,
  /^\s*(?:error|warning|warn|info|debug|fatal|trace|npm (?:err!|warn))\b[\s:[\]!]/i,
  /^\s*(?:diff --git|@@ |index [0-9a-f]{6,}|\+\+\+ |--- |[-+]\s*(?:import|const|let|function|def|class|return)\b)/,
  /[│┃─━┌┐└┘├┤┬┴┼╭╮╰╯⎿⏺✓✗✔✖⚠]|^\s*\|.*\|\s*$/,
  /^\s*(?:import |export |const |let |var |function |def |class |public |private |#include|package |using |SELECT |INSERT |UPDATE |CREATE |<\/?[a-z][\w-]*[ >/])/,
  /[;{}]\s*$|^\s*[)}\]]+[;,]?\s*$|=>|===|!==|&&\s*$|\|\|\s*$/,
  /^\s*(?:[\w.-]+\/)+[\w.-]+:\d+/,
  /^\s*"?[\w.-]+"?\s*:\s*(?:["{[]|\d|true\b|false\b|null\b)/,
  /^\s*(?:modified|deleted|new file|renamed):\s/,
];

/** A line of more characters than this without the end of a sentence is data. */
const MAX_LINE_CHARS = 2000;

/** The lines of a message that are prose. */
function proseOf(said: string): string {
  return joined(linesOf(said).map(({ text, isProse }) => (isProse ? text : "")));
}

function linesOf(said: string): MessageLine[] {
  const lines = said.split("\n");
  const unended = new Set<string>();
  let fence = "";
  let blockEnd = -1;
  let isCode = false;
  // What stands above: code four blanks in comes behind a blank line, and goes on from no list.
  let above = "";
  let isBlankAbove = false;
  return lines.map((text, at) => {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(text)?.[1] ?? "";
    const isFenced = mark !== "" || fence !== "";
    if (mark !== "") fence = fence === "" ? mark : mark.startsWith(fence) ? "" : fence;
    if (!isFenced && at > blockEnd) blockEnd = endOfBlock(lines, at, unended);
    const isIndented = /^(?: {4}|\t)\s*\S/.test(text);
    isCode = isIndented && (isCode || (isBlankAbove && above !== "" && !LIST_ITEM.test(above)));
    isBlankAbove = text.trim() === "";
    if (!isBlankAbove && !isIndented) above = text;
    const isMarked = isFenced || at <= blockEnd || isCode || /^\s*>/.test(text);
    const isProse = !isMarked && text.length <= MAX_LINE_CHARS && !isPasted(text);
    return { text, isProse, isMarked };
  });
}

const LIST_ITEM = /^\s*(?:[-*+•]|\d{1,2}[.)])\s/;

/** The line by which a block ends that begins in a line: an element, or what stands between two lines across; else -1. */
function endOfBlock(lines: readonly string[], at: number, unended: Set<string>): number {
  const text = lines[at] ?? "";
  const across = DELIMITER.exec(text)?.[1]?.slice(0, 3).replace("<<<", ">>>");
  const element = /^\s*<!--/.test(text) ? "-->" : OPENS_ELEMENT.exec(text)?.[1]?.toLowerCase();
  const end = across ?? (element === undefined || element === "-->" ? element : `</${element}>`);
  if (end === undefined || unended.has(end)) return -1;
  for (let i = across === undefined ? at : at + 1; i < lines.length; i++) {
    const line = lines[i] ?? "";
    const isEnd =
      across === undefined
        ? line.toLowerCase().includes(end)
        : DELIMITER.exec(line)?.[1]?.startsWith(end) === true;
    if (isEnd) return i;
  }
  unended.add(end);
  return -1;
}

function joined(lines: readonly string[]): string {
  return lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

function isPasted(line: string): boolean {
  if (line.trim() === "") return false;
  if (PASTED.some((look) => look.test(line))) return true;
  // Mostly signs and digits: a path list, a hash, a table.
  const letters = line.match(/\p{L}/gu)?.length ?? 0;
  const signs = line.replace(/[\p{L}\s.,!?'"’()-]/gu, "").length;
  // A thumb is a word.
  return signs > letters && !/^\s*\p{Extended_Pictographic}/u.test(line);
}
