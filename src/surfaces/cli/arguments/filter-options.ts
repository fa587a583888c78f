import type { Heed, MemoryFilter } from "../../../heed.ts";
import { nearestNames } from "../../../curate/nearest-names.ts";
import { WORDS } from "../../../memory/limits.ts";
import type { OptionSpecs } from "./command.ts";
import type { ParsedArguments } from "./parsed-arguments.ts";
import { given } from "./parsed-arguments.ts";
import { didYouMean, usageError } from "./usage-error.ts";

/** The flags that narrow down which memories are meant. */
export const FILTER_OPTIONS: OptionSpecs = {
  type: { value: "TYPE", short: "t", isList: true, completes: "type", help: "only these types" },
  tag: { value: "TAG", isList: true, help: "only memories with all of these tags" },
  status: {
    value: "STATUS",
    isList: true,
    words: WORDS.status,
    help: `only these: ${WORDS.status.join(", ")}`,
  },
  store: { value: "STORE", isList: true, help: `only these stores: ${WORDS.storeKind.join(", ")}, or an id` },
  since: { value: "DATE", help: "created or updated on or after this ISO date" },
  until: { value: "DATE", help: "created or updated before this ISO date" },
  all: { short: "a", help: "also memories of other repositories and branches" },
};

/** The filter that the flags ask for. An unknown type is an error: an empty answer would hide the mistyped word. */
export function readFilter(args: ParsedArguments, heed: Heed): MemoryFilter {
  const types = args.list("type");
  if (types) checkTypes(types, heed);
  return given({
    types,
    tags: args.list("tag"),
    statuses: args.list("status")?.flatMap((word) => WORDS.status.filter((status) => status === word)),
    stores: args.list("store"),
    since: args.text("since"),
    until: args.text("until"),
    isScopedHere: args.has("all") ? false : undefined,
  });
}

function checkTypes(types: readonly string[], heed: Heed): void {
  const known = heed.memories.types().map(({ name }) => name);
  for (const type of types) {
    if (known.includes(type)) continue;
    const suggestions = nearestNames(type, known);
    throw usageError(
      `there is no type "${type}".${didYouMean(suggestions)} Use one of ${known.join(", ")}.`,
      "type",
      type,
      suggestions,
    );
  }
}
