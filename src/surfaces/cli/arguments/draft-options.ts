import type { MemoryChanges, SectionChanges } from "../../../heed.ts";
import { LIMITS, WORDS } from "../../../memory/limits.ts";
import type { OptionSpecs } from "./command.ts";
import type { ParsedArguments } from "./parsed-arguments.ts";
import { given } from "./parsed-arguments.ts";
import { usageError } from "./usage-error.ts";

/** `a, b or c` */
const eitherOf = (words: readonly string[]): string =>
  `${words.slice(0, -1).join(", ")} or ${words.at(-1) ?? ""}`;

/** The labelled sections that types need, by the flag that gives them. */
const SECTIONS: readonly (readonly [flag: string, label: string])[] = [
  ["symptom", "Symptom"],
  ["failed", "Failed"],
  ["solution", "Solution"],
  ["why", "Why"],
  ["how", "How to apply"],
];

/** The flags that say what a memory holds; `write` and `edit` share them. */
export const DRAFT_OPTIONS: OptionSpecs = {
  type: {
    value: "TYPE",
    short: "t",
    completes: "type",
    help: "feedback, user, project, reference, solution …",
  },
  body: { value: "TEXT", help: `the text, at most ${LIMITS.bodyChars.toLocaleString("en")} characters` },
  ...Object.fromEntries(
    SECTIONS.map(([flag, label]) => [flag, { value: "TEXT", help: `adds the section ${label}` }]),
  ),
  tag: { value: "TAG", isList: true, help: `concrete nouns, 3 to 6 (any list: at most ${LIMITS.listItems})` },
  alias: { value: "WORD", isList: true, help: "other names that it is searched by" },
  trigger: { value: "WORD", isList: true, help: "words that count double in search" },
  confidence: {
    value: "WORD",
    words: WORDS.confidence,
    help: `${eitherOf(WORDS.confidence)} (low: a pointer)`,
  },
  source: { value: "WORD", words: WORDS.source, help: eitherOf(WORDS.source) },
  status: { value: "WORD", words: WORDS.status, help: eitherOf(WORDS.status) },
  salience: { value: "WORD", words: WORDS.salience, help: `${eitherOf(WORDS.salience)}: the order of rules` },
  everywhere: { help: "applies in every repository" },
  path: { value: "GLOB", isList: true, help: "applies to these paths of the repository only" },
  branch: { value: "NAME", help: "applies on this branch only" },
  expires: { value: "DATE", help: "not injected after this ISO date" },
  "keep-dates": { help: 'keep words such as "next friday" as they are (a person\'s word only)' },
  claim: { value: "CLAIM", isList: true, help: "path:src/a.ts, script:lint … (heed help claims)" },
  link: { value: "REL:NAME", isList: true, help: "link to another memory, for example supersedes:old-rule" },
};

/** The changes that the flags ask for; what no flag gives is absent. */
export function readChanges(args: ParsedArguments): MemoryChanges {
  const [paths, branch] = [args.list("path"), args.text("branch")];
  const isNarrow = paths !== undefined || branch !== undefined;
  if (args.has("everywhere") && isNarrow)
    throw usageError("--everywhere contradicts --path and --branch. Give one or the other.", "everywhere");
  return given({
    body: readBody(args),
    type: args.text("type"),
    tags: args.list("tag"),
    aliases: args.list("alias"),
    trigger: args.list("trigger"),
    confidence: args.word("confidence", WORDS.confidence),
    source: args.word("source", WORDS.source),
    status: args.word("status", WORDS.status),
    salience: args.word("salience", WORDS.salience),
    expires: args.text("expires"),
    keepsRelativeDates: args.has("keep-dates") || undefined,
    links: args.list("link")?.map(readLink),
    claims: args.texts("claim"),
    scope: args.has("everywhere") ? "everywhere" : isNarrow ? given({ paths, branch }) : undefined,
  });
}

/** The labelled parts that the flags give, for a text whose other parts stay. */
export function readSectionChanges(args: ParsedArguments): SectionChanges {
  return Object.fromEntries(
    SECTIONS.flatMap(([flag, label]) => {
      const text = args.text(flag);
      return text === undefined ? [] : [[label.toLowerCase().replaceAll(" ", "-"), text]];
    }),
  );
}

/** Whether a flag gives a labelled section. */
export function hasSections(args: ParsedArguments): boolean {
  return SECTIONS.some(([flag]) => args.has(flag));
}

/** The body that `--body` and the section flags make together; undefined when none is given. */
function readBody(args: ParsedArguments): string | undefined {
  const sections = SECTIONS.flatMap(([flag, label]) => {
    const text = args.text(flag);
    return text === undefined ? [] : [`**${label}:** ${text}`];
  });
  const parts = [args.text("body"), ...sections].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join("\n");
}

function readLink(text: string): { rel: (typeof WORDS.linkRelation)[number]; to: string } {
  const colon = text.indexOf(":");
  const rel = WORDS.linkRelation.find((relation) => relation === text.slice(0, colon));
  const to = text.slice(colon + 1).trim();
  if (colon < 0 || !rel || to === "")
    throw usageError(
      `--link is "${text}": give RELATION:NAME, with one of ${WORDS.linkRelation.join(", ")}.`,
      "link",
      text,
    );
  return { rel, to };
}
