import type { Heed, MemoryFilter } from "../../../heed.ts";
import { WORDS } from "../../../memory/limits.ts";
import type { OptionSpecs, ParsedArguments } from "./command.ts";
import { checkWord, fieldsOf, optionsFor, usageError } from "./command.ts";
import { given } from "../../given.ts";
import { MEMORY_FIELDS } from "../../../here/schema.ts";

/** The flags that give a labelled section, with its label. */
export const SECTIONS: readonly (readonly [flag: string, label: string])[] = [
  ["symptom", "Symptom"],
  ["preconditions", "Preconditions"],
  ["steps", "Steps"],
  ["check", "Check"],
  ["failed", "Failed"],
  ["solution", "Solution"],
  ["reason", "Why"],
  ["how", "How to apply"],
];

const FIELD_OPTIONS = optionsFor(MEMORY_FIELDS, {
  type: { value: "TYPE", short: "t" },
  body: {},
  tag: { sets: "tags", value: "TAG" },
  also: { sets: "aliases", value: "PHRASE", help: "other words to find it by" },
  expires: { value: "DATE" },
  claim: {
    sets: "claims",
    value: "CLAIM",
    hasCommas: true,
    help: "path:src/a.ts, script:lint … (heed help claims)",
  },
});

const sectionFlags = (...left: readonly string[]): OptionSpecs =>
  Object.fromEntries(
    SECTIONS.filter(([flag]) => !left.includes(flag)).map(([flag, label]) => [
      flag,
      { value: "TEXT", help: `adds the section ${label}` },
    ]),
  );

/** The flags that say what a memory holds. The rest is given by --body and --file, or changed by `edit`. */
export const DRAFT_OPTIONS: OptionSpecs = {
  ...FIELD_OPTIONS,
  ...sectionFlags("preconditions"),
  everywhere: { help: "applies in every repository" },
  path: { value: "GLOB", isList: true, help: "applies to these paths only" },
  branch: { value: "NAME", help: "applies on this branch only" },
};

/** What changes them, one part at a time. */
export const CHANGE_OPTIONS: OptionSpecs = {
  ...DRAFT_OPTIONS,
  ...sectionFlags(),
  ...optionsFor(MEMORY_FIELDS, { trigger: { value: "WORD" } }),
  "no-expires": { sets: "expires", to: null, help: "remove its expiry date" },
  "no-branch": { help: "applies on every branch and in every worktree" },
};

/** What the flags give of a memory, but for its labelled sections; what no flag gives is absent. */
export function readFields<T extends object>(args: ParsedArguments): Partial<T> {
  const [paths, branch] = [args.list("path"), args.text("branch")];
  const isNarrow = (paths ?? branch) !== undefined || args.has("no-branch");
  if (args.has("everywhere") && isNarrow)
    throw usageError("--everywhere contradicts --path and --branch. Give one or the other.", "everywhere");
  const scope = args.has("everywhere") ? "everywhere" : given({ paths, branch });
  return { ...args.fields<T>(), ...((args.has("everywhere") || isNarrow) && { scope }) };
}

/** The labelled sections that the flags give. */
export const sectionsIn = (args: ParsedArguments): (readonly [label: string, text: string])[] =>
  SECTIONS.flatMap(([flag, label]) => {
    const text = args.text(flag);
    return text === undefined ? [] : [[label, text] as const];
  });

/** A text, then the labelled sections of the flags. */
export function withSections(text: string | undefined, args: ParsedArguments): string {
  const sections = sectionsIn(args).map(
    ([label, said]) => `**${label}:**${/^1[.)]/.test(said) ? "\n" : " "}${said}`,
  );
  return [text, ...sections].filter(Boolean).join("\n");
}

/** The flags that narrow down which memories are meant. */
export const FILTER_OPTIONS: OptionSpecs = optionsFor(fieldsOf("memories.list", "filter"), {
  type: { sets: "types", value: "TYPE", short: "t" },
  tag: { sets: "tags", value: "TAG" },
  status: { sets: "statuses", words: WORDS.status },
  store: { sets: "stores", value: "STORE" },
  since: { value: "DATE" },
  until: { value: "DATE" },
  all: {
    sets: "isScopedHere",
    to: false,
    short: "a",
    help: "also memories of other repositories and branches",
  },
});

/** The filter, or the whole request, that the flags ask for. An unknown type is an error: an empty answer would hide the mistyped word. */
export function readFilter(args: ParsedArguments, heed: Heed): MemoryFilter {
  const filter = args.fields<MemoryFilter>();
  const known = heed.memories.types().map(({ name }) => name);
  for (const type of filter.types ?? []) checkWord(known, "type", type);
  return filter;
}
