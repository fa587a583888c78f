import type { Heed, MemoryFilter } from "../../../heed.ts";
import { WORDS } from "../../../memory/limits.ts";
import type { OptionSpecs } from "./command.ts";
import { nearestWords } from "./nearest-words.ts";
import type { ParsedArguments } from "./parsed-arguments.ts";
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

/** The filter that the flags ask for. A type that holds nowhere here is mistyped: an empty answer would hide that. */
export function readFilter(args: ParsedArguments, heed: Heed): MemoryFilter {
  const types = args.list("type");
  if (types) checkTypes(types, heed);
  const tags = args.list("tag");
  const statuses = args.list("status")?.flatMap((word) => WORDS.status.filter((status) => status === word));
  const stores = args.list("store");
  const since = args.text("since");
  const until = args.text("until");
  return {
    ...(types && { types }),
    ...(tags && { tags }),
    ...(statuses && { statuses }),
    ...(stores && { stores }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    ...(args.has("all") && { isScopedHere: false }),
  };
}

function checkTypes(types: readonly string[], heed: Heed): void {
  const known = heed.memories.types().map(({ name }) => name);
  for (const type of types) {
    if (known.includes(type)) continue;
    const suggestions = nearestWords(type, known);
    throw usageError(
      `there is no type "${type}".${didYouMean(suggestions)} Use one of ${known.join(", ")}.`,
      "type",
      type,
      suggestions,
    );
  }
}
