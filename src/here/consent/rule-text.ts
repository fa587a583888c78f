import { cutAround, cutText, defuseLine } from "../../memory/delimit.ts";
import {
  quotationsIn,
  readSections,
  userQuotationIn,
  withoutQuotations,
} from "../../memory/codec/sections.ts";
import { plainWords } from "../../memory/handle.ts";
import type { MemoryMetadata } from "../../memory/memory.ts";
import { saysElse } from "../../search/difference.ts";

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
