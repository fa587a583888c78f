import { isAscii } from "./screening/hostile-text.ts";

export interface UserWords {
  /** What the person sent, without what clients and hooks put in and what the client marks as pasted. */
  said: string;
  /** The part of it that is neither fenced nor marked with `>`. */
  prose: string;
  /** A person wrote it: it is no message of the client's, no command, and no plan that the agent drew up. */
  isWritten: boolean;
}

/** Longer messages are cut: what is pasted at such length is not typed. */
export const MAX_TYPED_CHARS: number = 40_000;

/** Tags under which clients, hooks and heed put their own text into a person's message. */
const OWN_TAGS =
  /<(system-reminder|system_reminder|heed[\w-]*|task-notification|local-command-[a-z]+|command-(?:name|message|args|contents)|bash-(?:input|stdout|stderr)|session_context|environment_context|user_instructions|permissions[ _]instructions|user-memory-input|persisted-output|ide_[a-z_]+|hook_context|INSTRUCTIONS|user-prompt-submit-hook|turn_aborted|pasted_content|subagent_notification|skill|untrusted[\w-]*|editor_context|attached_files)\b[^>\n]{0,200}>/gi;

/** Messages that no person wrote, by how they begin. */
const UNWRITTEN =
  /^\s*(?:<task-notification|\{"task_id"|This session is being continued from a previous conversation|Caveat: The messages below were generated|\[Request interrupted by user|# AGENTS\.md instructions|<objective>|<process>|Base directory for this skill|Stop hook feedback|PreToolUse:|PostToolUse:|API Error|Continue from where you left off\.?\s*$|Your task is to create a detailed summary|Warning: apply_patch was requested)/;

/** What Claude Code writes in the user's name above a plan that the agent drew up and the user approved. */
const PLAN = /^Implement the following plan:/;

/** heed's own text in a context, should a client put it where the person's words are. */
const HEED_HEADS = [
  "Standing rules that the user gave and heed keeps",
  "Standing rules that heed keeps",
  "Unfinished work here, as heed recorded it",
  "What earlier sessions learned about this project and its user, kept by heed",
  "New or changed in what heed keeps here",
  "A past conversation seems to be about this",
];

/** Tells what a person said from everything else that reaches an agent as their message. */
export function userWords(message: string): UserWords {
  const text = withoutPrivate(message.slice(0, MAX_TYPED_CHARS)).replace(/\r\n?/g, "\n");
  const nothing = { said: "", prose: "", isWritten: false };
  if (UNWRITTEN.test(text)) return nothing;
  const said = (text.includes("<") ? withoutOwnTags(text) : text)
    .replace(/\[Image(?: #\d+|: source: [^\]\n]*)\]/g, " ")
    .trim();
  if (said === "" || HEED_HEADS.some((head) => said.startsWith(head))) return nothing;
  // A raw slash command; a path ("/etc/hosts is wrong") goes on with a slash or a dot.
  if (/^\/[a-z][\w-]*(?::[\w:-]+)?(?=\s|$)/i.test(said)) return nothing;
  const isWritten = !PLAN.test(said);
  return { said, prose: isWritten ? unmarkedLines(said) : "", isWritten };
}

/** A prompt without `<private>…</private>`; an unclosed mark reaches to the end, an unopened one to the beginning. */
export function withoutPrivate(prompt: string): string {
  let [kept, at, depth] = ["", 0, 0];
  for (const mark of prompt.matchAll(/<(\/?)\s*private\b[^>]{0,200}>/gi)) {
    const isClosing = mark[1] === "/";
    if (depth === 0) kept = isClosing ? "" : `${kept}${prompt.slice(at, mark.index)} `;
    depth = Math.max(0, depth + (isClosing ? -1 : 1));
    at = mark.index + mark[0].length;
  }
  return depth > 0 ? kept : kept + prompt.slice(at);
}

function unmarkedLines(text: string): string {
  let fence = "";
  const lines = text.split("\n").map((line) => {
    const mark = /^\s*(?:(?:[-*+•]|\d{1,2}[.)])\s+)?(`{3,}|~{3,})/.exec(line)?.[1] ?? "";
    const isFenced = mark !== "" || fence !== "";
    if (mark !== "") fence = fence === "" ? mark : mark.startsWith(fence) ? "" : fence;
    return isFenced || /^\s*>/.test(line) ? "" : line;
  });
  return lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** Cuts out the text between an own tag and its end; without an end, to the end of the text. */
function withoutOwnTags(text: string): string {
  let kept = "";
  let at = 0;
  OWN_TAGS.lastIndex = 0;
  for (let open = OWN_TAGS.exec(text); open !== null; open = OWN_TAGS.exec(text)) {
    // The texts before and after it were not said in one breath.
    kept += `${text.slice(at, open.index)}\n`;
    const end = endOf(text, open[0], open[1] ?? "", OWN_TAGS.lastIndex);
    at = end < 0 ? text.length : end;
    OWN_TAGS.lastIndex = at;
    if (at >= text.length) break;
  }
  return kept + text.slice(at);
}

/** Where an element ends. A paste is closed with the id that it was opened with, which what is pasted cannot know. */
function endOf(text: string, opening: string, name: string, from: number): number {
  const close = name.toLowerCase() === "pasted_content" ? opening.replace("<", "</") : `</${name}>`;
  const at = text.toLowerCase().indexOf(close.toLowerCase(), from);
  return at < 0 ? -1 : at + close.length;
}

/** A longer turn holds a document, whoever typed or pasted it: nothing in it is taken for the user's own word. */
const MAX_CHARS = 1500;
const MAX_LINES = 25;

/** What the user typed: not fenced, quoted, or in client tags; empty for long turns. By structure, never by wording. */
export function typedText(prompt: string): string {
  // Whatever is that long without marks stays too long when it is cut.
  const { said, isWritten } = userWords(prompt.slice(0, MAX_TYPED_CHARS));
  if (!isWritten || said.length > MAX_CHARS || said.split("\n").length > MAX_LINES) return "";
  return unmarkedLines(said);
}

export function isUserPrompt(prompt: string): boolean {
  return userWords(prompt).said !== "";
}

/** Prompts of fewer letters than this ask for nothing: `y`, `ok`, `1`. */
const MIN_LETTERS = 3;

/** Words that keep a conversation going: a prompt of nothing else is about what was said before. */
const GOING_ON: ReadonlySet<string> = new Set(
  (
    "a ahead alright and awesome continue cool correct do does done exactly excellent fine go good got great i is it keep " +
    "lets looks me nah next nice no nope now ok okay on perfect please proceed resume right so sounds stop sure thank thanks " +
    "that thats the then this thx try again very wait well works yea yeah yep yes you yup"
  ).split(" "),
);
const MAX_GOING_ON_CHARS = 80;

/** Whether a prompt can be about anything: `yes`, `2` and `ok, go on` are turns, but no memory is relevant to them. */
export function isWorthRecalling(prompt: string): boolean {
  return isUserPrompt(prompt) && wordsOf(prompt).join("").length >= MIN_LETTERS && !isGoingOn(prompt);
}

function isGoingOn(prompt: string): boolean {
  if (prompt.length > MAX_GOING_ON_CHARS) return false;
  return wordsOf(prompt.toLowerCase().replaceAll(/['’]/g, "")).every((word) => GOING_ON.has(word));
}

function wordsOf(text: string): readonly string[] {
  return text.match(isAscii(text) ? /[a-z\d]+/gi : /[\p{L}\p{N}]+/gu) ?? [];
}

/** Of a longer text the ends are read: what is pasted between them is rarely the question. */
export const MAX_READ_CHARS: number = 6000;

export const endsOf = (text: string, half: number = MAX_READ_CHARS / 2): string =>
  text.length <= 2 * half ? text : `${text.slice(0, half)}\n${text.slice(-half)}`;
