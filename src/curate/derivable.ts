import { proseOf } from "./dates/prose-of.ts";

/** What kind of knowledge the repository already holds. */
export type DerivableKind = "code-structure" | "git-history" | "fix-in-diff" | "task-state";

/** A path with a folder or a source file's name, in or out of a code span. A path outside the repository is none. */
const PATH = String.raw`\x60?(?<![\w:/~])(?:\.{1,2}/)?(?:[\w@.-]+/)+[\w@.*-]*\x60?|\x60?\b[\w-]+\.(?:[cm]?[jt]sx?|py|rs|go|java|kt|rb|php|cs|cpp|[ch]|swift|vue|svelte|sql|css|scss|ya?ml|json|toml)\b\x60?`;
/** A name of the code: in a code span, or written as programmers write names. */
const SYMBOL = String.raw`\x60[^\x60\n]{1,80}\x60|\b[a-z]+[A-Z]\w*(?:\(\))?|\b[A-Z][a-z]+[A-Z]\w*|\b\w+_\w+(?:\(\))?|\b\w+\(\)`;
const CODE_NOUN = String.raw`(?:functions?|class(?:es)?|methods?|components?|modules?|hooks?|types?|interfaces?|constants?|enums?|routes?|handlers?|endpoints?|middlewares?|models?|services?|controllers?|helpers?|entry ?points?|tests?|schemas?|migrations?|configs?|configuration|logic|code|implementation)`;
const PLACED = String.raw`(?:is|are|lives?|sits?|resides?|can be found|is located|are located|is defined|are defined|is declared|are declared|is implemented|are implemented|is exported|are exported|is registered)`;
const CHANGED = String.raw`(?:fix(?:ed|es)?|add(?:ed|s)?|remov(?:ed|es?)|renam(?:ed|es?)|refactor(?:ed|s)?|introduc(?:ed|es?)|updat(?:ed|es?)|chang(?:ed|es?)|implement(?:ed|s)?|replac(?:ed|es?)|mov(?:ed|es?)|bump(?:ed|s)?|patch(?:ed|es)?|revert(?:ed|s)?|delet(?:ed|es?)|extract(?:ed|s)?|merg(?:ed|es?)|resolv(?:ed|es?))`;

interface Rule {
  kind: DerivableKind;
  pattern: RegExp;
  /** What each match of the pattern holds, where trying the pattern on any sentence costs milliseconds. */
  needs?: RegExp;
}

const RULES: readonly Rule[] = [
  {
    kind: "task-state",
    pattern:
      /^(?:(?:currently|right now|at the moment|now)[,:]? (?:\w+ )?(?:i am |i'm |we are |we're )?(?:implement|work|debug|refactor|writ|fix|migrat|review|add|test|look|try)\w*ing\b|(?:i am|i'm|we are|we're) (?:currently |now |still )?(?:implement|work|debug|refactor|writ|fix|migrat|review|add|test|look|try)\w*ing\b)/i,
  },
  {
    kind: "task-state",
    pattern:
      /^(?:TODO|to do|next steps?|next up|remaining(?: work| steps?)?|still (?:to do|open|left)|left to do|in progress|work in progress|WIP)\b\s*(?::|-|–|—|=|next\b|is\b|are\b)/i,
  },
  { kind: "task-state", pattern: /^(?:TODO|WIP)\b/ },
  {
    kind: "task-state",
    pattern:
      /\b(?:step|task|phase|part) \d+ (?:of|\/) ?\d+ (?:is |was )?(?:done|complete[d]?|finished|in progress)\b/i,
  },
  {
    kind: "task-state",
    pattern: /^(?:all |the )?(?:unit |e2e )?tests? (?:are|is) (?:now )?(?:passing|failing|green|red)\b/i,
  },
  {
    kind: "task-state",
    pattern: /\b(?:branch|PR|pull request)\b.{0,40} (?:is )?ready (?:to merge|for review)\b/i,
  },
  {
    kind: "git-history",
    pattern: new RegExp(
      String.raw`\bcommit \x60?[0-9a-f]{7,40}\x60?(?:\s+\([^)]{0,60}\))? (?:\w+ )?${CHANGED}\b`,
      "i",
    ),
  },
  {
    kind: "git-history",
    pattern: new RegExp(
      String.raw`\b${CHANGED}\b[^.!?]{0,120}\b(?:in|by|with|via|as) (?:commit |the commit )?(?:\x60?(?=[0-9a-f]*\d)[0-9a-f]{7,40}\x60?\b|(?:PR |pull request |MR )#?\d+|#\d+)`,
      "i",
    ),
  },
  {
    kind: "git-history",
    pattern: /\b(?:PR|pull request|MR) #?\d+ (?:was |is |has been )?(?:merged|closed|opened|reverted)\b/i,
  },
  {
    kind: "git-history",
    pattern: /^(?:the )?(?:last|latest|previous|most recent) commit (?:is|was|on|added|fixed|changed)\b/i,
  },
  {
    kind: "fix-in-diff",
    pattern: new RegExp(
      String.raw`^(?:i |we )?(?:have )?(?:just )?(?:fixed|added|removed|renamed|refactored|introduced|updated|changed|implemented|replaced|moved|bumped|patched|deleted|extracted)\b[^.!?]{0,160}(?:${PATH})`,
      "i",
    ),
  },
  {
    kind: "fix-in-diff",
    pattern: new RegExp(
      String.raw`^(?:i |we )?(?:have )?(?:just )?(?:fixed|patched|resolved) (?:the|a|an) .{0,80}\b(?:by|in) (?:adding|removing|changing|renaming|replacing|moving|wrapping|the|${SYMBOL})`,
      "i",
    ),
  },
  {
    kind: "code-structure",
    needs: new RegExp(String.raw`${PLACED} (?:in|at|under|inside|by)\s`, "i"),
    pattern: new RegExp(
      String.raw`^(?:the |our |all |this )?(?:(?:${SYMBOL}|[\w-]+)[ ,]+(?:and )?){0,4}(?:${CODE_NOUN} )?(?:${SYMBOL})?\s*${PLACED} (?:in|at|under|inside|by)\s+(?:the )?(?:file |folder |directory |module )?(?:${PATH})`,
      "i",
    ),
  },
  {
    kind: "code-structure",
    pattern: new RegExp(
      String.raw`^(?:the )?(?:${PATH})\s*(?:folder |directory |file |module |package )?(?:contains?|holds?|defines?|exports?|imports?|implements?|declares?|is the (?:${CODE_NOUN})|is where (?:the )?[\w -]{1,40} (?:is|are|lives?))\b`,
      "i",
    ),
  },
  {
    kind: "code-structure",
    pattern: new RegExp(
      String.raw`^(?:the )?(?:(?:${CODE_NOUN}) )?(?:${SYMBOL})\s*(?:${CODE_NOUN} )?(?:calls?|extends?|imports?|implements|inherits from|takes \w+ (?:arguments?|parameters?)|returns? an?)\s+(?:the )?(?:${SYMBOL}|\w+ (?:arguments?|parameters?)|Promise|string|number|boolean)`,
    ),
  },
  {
    kind: "code-structure",
    pattern:
      /^(?:the |this |our )?(?:project|repo(?:sitory)?|codebase|code base|app(?:lication)?|code) (?:is (?:written|built|organi[sz]ed|structured|split)|has (?:the following|\d+|two|three|four|five) (?:folders?|director|modules?|packages?|files|parts)|structure (?:is|looks)|consists of|uses (?:typescript|javascript|python|react|vue|svelte|angular|express|fastify|next\.?js|rust|go|django|flask|rails|vite|vitest|jest|pytest|eslint|prettier|tailwind)\b)/i,
  },
];

/** Words that carry what no file says: a reason, a decision, an obligation, a contrast, a surprise. */
const REASON =
  /\b(?:because|since|so that|in order to|due to|reason|why|decided?|decision|agreed|chose|chosen|must|never|always|don['’]t|do not|doesn['’]t|does not|cannot|can['’]t|won['’]t|should|instead|rather than|prefer\w*|avoid|only|unless|except|although|despite|even though|deadline|owner|owned by|deliberate\w*|on purpose|intentional\w*|legacy|historical|customer|client|stakeholder|legal|compliance|contract|vendor|outage|incident|gotcha|beware|careful|surpris\w*|undocumented|not obvious|trap|silently)\b/i;

/**
 * What a sentence says that the repository says itself, or undefined. A sentence with a reason, a decision or an
 * obligation in it is never derivable, except for the state of the running task.
 */
export function derivableKind(sentence: string): DerivableKind | undefined {
  const text = sentence
    .replace(/^[\s>*_#-]+|\*\*/g, "")
    .trim()
    .slice(0, 600);
  const kind = RULES.find(({ needs, pattern }) => needs?.test(text) !== false && pattern.test(text))?.kind;
  return kind === undefined || kind === "task-state" || !REASON.test(text) ? kind : undefined;
}

/**
 * What kind of derivable knowledge a memory as a whole is, or undefined: its description is, or most of its
 * sentences are, and none of the others gives a reason. A list of files counts as code structure.
 */
export function derivableMemory(description: string, body: string): DerivableKind | undefined {
  const statement = derivableKind(description);
  if (statement === "task-state") return statement;
  const lines = body
    .slice(0, 20_000)
    .split("\n")
    .filter((line) => line.trim() !== "");
  const files = lines.filter((line) => FILE_ITEM.test(line));
  if (
    files.length >= 3 &&
    files.length >= lines.length * 0.6 &&
    !REASON.test(body) &&
    !REASON.test(description)
  )
    return "code-structure";
  const sentences = sentencesOf(body);
  const kinds = sentences.map(derivableKind);
  const known = kinds.filter((kind) => kind !== undefined);
  const hasReason = REASON.test(description) || sentences.some((one) => REASON.test(one));
  if (hasReason) return undefined;
  const rest = sentences.length - known.length;
  if (statement !== undefined && rest <= Math.max(1, known.length)) return statement;
  return known.length > 0 && known.length >= sentences.length * 0.6 && (statement || sentences.length > 1)
    ? known[0]
    : undefined;
}

const FILE_ITEM = new RegExp(String.raw`^\s*(?:[-*+]|\d+\.|[│├└─\s]+)\s*(?:\*\*)?(?:${PATH})`);

/** Sentences and list items of a text, without fenced code; at most 200. */
function sentencesOf(body: string): string[] {
  // Masking tells where fences are; the sentences themselves keep their code spans.
  const prose = proseOf(body);
  return body
    .split("\n")
    .filter(
      (line, index) =>
        (line.trim() !== "" && (prose.split("\n", index + 1)[index] ?? "").trim() !== "") || /`/.test(line),
    )
    .flatMap((line) => line.split(/(?<=[.!?])\s+(?=[A-Z`*])/))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length > 8)
    .slice(0, 200);
}
