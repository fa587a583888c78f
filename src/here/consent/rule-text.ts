import { cutAround, cutText, defuseLine, shownLine } from "../../memory/shown-text.ts";
import {
  quotationsIn,
  readSections,
  userQuotationIn,
  withoutQuotations,
} from "../../memory/codec/sections.ts";
import { plainWords } from "../../memory/handle.ts";
import type { MemoryMetadata, MemoryHeader } from "../../memory/memory.ts";
import { saysElse } from "../../search/difference.ts";
import { describeWholeGuard, parseGuards } from "../../guard/parse-guards.ts";
import { LIMITS } from "../../memory/limits.ts";
import type { TypeTable } from "../../memory/memory-type.ts";

/** Whether the user approved only the statement and their own words: the rest is a model's text, and data. */
export function isStatementAlone({ origin: { door } }: Pick<MemoryMetadata, "origin">): boolean {
  return door === "quote" || door === "dialog" || door === "formula";
}

/** So much of a rule's text is kept before all that goes beyond the statements of others. */
const MAX_CORE_CHARS = 400;

/** The user's line is cut to this, around the quote, where room is short. */
const SHORT_LINE_CHARS = 120;

/** What a rule says, on one line: `whole`, without text that the user did not see, and `core`, kept longest. */
export function ruleTexts({
  metadata,
  body,
}: {
  metadata: Pick<MemoryMetadata, "statement" | "origin">;
  body: string;
}): {
  whole: string;
  core: string;
  isBeginning: boolean;
} {
  const statement = defuseLine(metadata.statement);
  const words = plainWords(statement);
  if (isStatementAlone(metadata)) {
    const { quote = "", first } = metadata.origin;
    const line = defuseLine(userQuotationIn(body) ?? "");
    const withLine = (shown: string): string =>
      plainWords(shown) === "" || plainWords(line) === words
        ? statement
        : first === "line"
          ? `you: "${shown}" (read as: ${statement})`
          : `${statement} (you: "${shown}")`;
    // What was typed after `heed keep:` and is longer than a statement.
    const isCut = statement.endsWith("…") && line.startsWith(statement.slice(0, -1));
    const whole = isCut ? line : withLine(line);
    const core = isCut ? statement : withLine(cutAround(line, defuseLine(quote), SHORT_LINE_CHARS));
    return { whole, core, isBeginning: whole.startsWith(core) };
  }
  const more = statementOfBody(body, statement);
  const moreWords = plainWords(more);
  const core = cutText(statement, MAX_CORE_CHARS);
  if (moreWords === "" || ` ${words} `.includes(` ${moreWords} `))
    return { whole: statement, core, isBeginning: true };
  if (moreWords.startsWith(words)) return { whole: more, core, isBeginning: true };
  const whole = `${statement}${/[.!?:;…]$/.test(statement) ? "" : ":"} ${more}`;
  // Keeps what the statement does not say rather than the statement.
  const isBeginning = !saysElse(statement, more);
  return { whole, core: isBeginning ? core : cutText(more, MAX_CORE_CHARS), isBeginning };
}

/** The text before the labelled parts, without quotations that say nothing else. */
function statementOfBody(body: string, statement: string): string {
  const text = readSections(body).statement;
  const own = withoutQuotations(text).trim();
  const known = plainWords(`${statement} ${own}`);
  const quoted = quotationsIn(text).filter((words) => !known.includes(plainWords(words)));
  return defuseLine([own, ...quoted.map((words) => `"${words}"`)].join(" "));
}

/** What stands beside a rule is cut to this. */
export const MAX_MARK_CHARS = 160;

/** Says of a rule from a shared store where it comes from. */
export function sourceMark({ source }: { source?: string | undefined }): string {
  return source === undefined ? "" : ` (from ${cutText(defuseLine(source), MAX_MARK_CHARS)})`;
}

/** Why a rule holds, as its user said it; empty where they did not, or where what is told of it says so. */
export function whyOf({ metadata, body }: { metadata: MemoryMetadata; body: string }): string {
  if (!isStatementAlone(metadata)) return defuseLine(readSections(body).sections.why ?? "");
  const reason = defuseLine(metadata.origin.reason ?? "");
  return plainWords(ruleTexts({ metadata, body }).whole).includes(plainWords(reason)) ? "" : reason;
}

/** A text in a line for whoever is to approve it, in quotation marks that nothing within it can end. */
export const quoted = (text: string, maxChars: number = LIMITS.statementChars): string =>
  `"${cutText(shownLine(text).replaceAll('"', "'"), maxChars)}"`;
const shownGlob = (glob: string): string => (/^[^\s"]+$/.test(glob) ? shownLine(glob) : quoted(glob));

export const NO_LISTS: MemoryLists = { links: [], claims: [], trigger: [], aliases: [], tags: [] };

type MemoryLists = Pick<MemoryHeader, "links" | "claims" | "trigger" | "aliases" | "tags">;

/** Which items of its lists a change takes out and puts in: a link can put another memory out of sight. */
export function listsOf(
  memory: MemoryLists,
  current: MemoryLists,
  more: readonly ("aliases" | "tags")[] = [],
): string[] {
  return (["links", "claims", "trigger", ...more] as const).flatMap((key) => {
    const [old = [], now = []] = [current, memory].map((one) =>
      one[key].map((item) => (typeof item === "string" ? item : `${item.rel} ${item.to}`)),
    );
    const gone = old.filter((item) => !now.includes(item)).map((item) => `without ${quoted(item, Infinity)}`);
    const added = now.filter((item) => !old.includes(item)).map((item) => `with ${quoted(item, Infinity)}`);
    return gone.length + added.length === 0 ? [] : [`${key} ${[...gone, ...added].join(", ")}`];
  });
}

export function guardsOf(raw: unknown): string[] {
  const verbs = { deny: "refuse", ask: "ask you before", warn: "warn about" };
  return parseGuards(raw).guards.map(({ guard }) =>
    shownLine(verbs[guard.action] + describeWholeGuard(guard).slice(guard.action.length)),
  );
}

/** A memory without a scope belongs to the repository where it was given, unless its type reaches everywhere. */
export function isEverywhere({ type, scope, origin }: MemoryHeader, types: TypeTable): boolean {
  return scope.repo === undefined && (origin.repo === undefined || types.get(type)?.reach === "everywhere");
}

export function reachOf(memory: MemoryHeader, types: TypeTable): string {
  return [isEverywhere(memory, types) ? "everywhere" : "in this repository", ...boundsOf(memory)].join(" ");
}

export function boundsOf({ scope: { branch, worktree, paths }, expires }: MemoryHeader): string[] {
  return [
    ...(worktree === undefined ? [] : [`in the worktree ${shownGlob(worktree)}`]),
    ...(branch === undefined ? [] : [`on branch ${shownGlob(branch)}`]),
    ...(paths.length === 0 ? [] : [`for ${paths.map(shownGlob).join(", ")}`]),
    ...(expires === undefined ? [] : [untilOf(expires)]),
  ];
}

export const untilOf = (expires: string | undefined): string =>
  expires === undefined ? "without an end" : `until ${expires.slice(0, 10)}`;

/** What a yes to a new memory puts into force besides its text, in words. */
export function boundsAndLists(memory: MemoryHeader, types: TypeTable): string {
  const reach = isEverywhere(memory, types) ? ["everywhere"] : [];
  return [...reach, ...boundsOf(memory), ...listsOf(memory, NO_LISTS, ["aliases", "tags"])].join(", ");
}

/** What a text says besides its statement, on one line. */
export function restOf({ statement, body }: { statement: string; body: string }): string {
  const text = body.trim();
  const rest = text.startsWith(statement) ? text.slice(statement.length).replace(/^[.!]/, "") : text;
  return shownLine(rest).replace(/(^|⏎ )\*\*([^*]+:)\*\*/g, "$1$2");
}
