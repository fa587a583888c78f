import type { ShownMemory, Verdict } from "../../../heed.ts";
import { MEMORY_FIELDS, count, described, flag, list, object, optional, text } from "../../../here/schema.ts";
import { plainWords } from "../../../memory/handle.ts";
import { LIMITS } from "../../../memory/limits.ts";
import { given } from "../../given.ts";
import { type Tool, tool } from "./add-tool.ts";
import { compact, handleField, viewMemory, viewVerdict } from "./memory-view.ts";

const DEFAULT_HITS = 8;
const DEFAULT_LISTED = 50;

export const searchTool: Tool = tool({
  name: "memory_search",
  title: "Search memories",
  description:
    "Search what is remembered about the user, this project, external systems and past struggles. Use it before asking " +
    "the user for a preference, decision or location, and when a known error appears. Words match in any order; " +
    '"phrases" and prefix* work. The best hits come first. Without a query it lists all that the filters let through. ' +
    "Cite the handle of what you use, and check it against the files first.",
  input: object({
    query: described(optional(text(undefined, LIMITS.queryChars)), "Words to look for"),
    limit: described(optional(count(1, 100)), `Default ${DEFAULT_HITS}; of a list ${DEFAULT_LISTED}`),
    offset: described(optional(count(0, 1_000_000)), "For a list: the next_offset of an answer"),
    types: described(optional(MEMORY_FIELDS.tags), "e.g. feedback, project, reference, solution, user"),
    tags: described(optional(MEMORY_FIELDS.tags), "All of these tags"),
    since: described(optional(text(undefined, 40)), "ISO date: changed at or after"),
    until: described(optional(text(undefined, 40)), "ISO date: changed before"),
    everywhere: described(optional(flag), "Also memories of other repositories and branches"),
  }),
  annotations: { readOnlyHint: true, idempotentHint: true },
  isAlwaysLoaded: true,
  run: async ({ query, limit, offset = 0, types, tags, since, until, everywhere }, { heed, actor }) => {
    const filter = { ...given({ types, tags, since, until }), isScopedHere: everywhere !== true };
    const stores = heed.setup.stores();
    if (query === undefined) {
      const memories = await heed.memories.list(filter);
      const end = offset + (limit ?? DEFAULT_LISTED);
      const hits = memories.slice(offset, end).map((metadata) => viewMemory(metadata, stores));
      const total = memories.length;
      return { value: { hits, ...compact({ total, nextOffset: end < total && end }) } };
    }
    const asked = { ...filter, query, limit: limit ?? DEFAULT_HITS, reader: actor };
    const { hits, collectionSize, isCut } = await heed.memories.search(asked);
    const found = hits.map(({ metadata, score, snippet, verdict }) => ({
      ...viewMemory(metadata, stores, verdict),
      score: Number(score.toFixed(3)),
      passage: snippet,
    }));
    return { value: { hits: found, ...compact({ searched: collectionSize, isCut }) } };
  },
});

export const showTool: Tool = tool({
  name: "memory_show",
  title: "Show memories",
  description:
    "Show memories in full, several in one call: text, dates, where each applies, whether it is in force here. Use it " +
    "when a relevant line of heed's map is cut (it ends in … or is marked (more)); a whole line needs no opening. Give the " +
    "hash to memory_update as if_hash.",
  input: object({
    handles: described(
      optional({ ...list(handleField, LIMITS.shownAtOnce), minItems: 1 }),
      `At most ${LIMITS.shownAtOnce} handles; the answer is a list, and names what was not found`,
    ),
    handle: optional(handleField),
  }),
  annotations: { readOnlyHint: true, idempotentHint: true },
  isAlwaysLoaded: true,
  run: async ({ handle, handles }, { heed, actor: reader }) => {
    // Without any handle the error says what one is.
    if (handles === undefined)
      return { value: viewWhole(await heed.memories.show(handle ?? "", { reader })) };
    const wanted = [...(handle === undefined ? [] : [handle]), ...handles];
    const { memories, notShown } = await heed.memories.showAll(wanted, { reader });
    return { value: compact({ memories: memories.map(viewWhole), not_shown: notShown }) };
  },
});

/** What the text says already, and what no task needs, is left out. */
function viewWhole(shown: ShownMemory): Record<string, unknown> {
  const { metadata, store, verdict, body, notes } = shown;
  const { created, updated, statement, confidence } = metadata;
  const { signals: _counted, only_data: _noted, ...view } = viewMemory(metadata, [store], verdict);
  return compact({
    ...view,
    statement: !plainWords(body).startsWith(plainWords(statement)) && statement,
    body,
    notes,
    holds_in: shown.holdsIn,
    source: metadata.source,
    confidence: confidence === "low" && confidence,
    trigger: metadata.trigger,
    aliases: metadata.aliases,
    links: metadata.links,
    verdict: verdict && isDoubted(verdict) && viewVerdict(verdict),
    created: created !== (updated ?? created) && created,
    expires: metadata.expires,
    is_pending: shown.isPending,
    // Its tool changes it by its file.
    path: store.kind === "attached" && shown.path,
    hash: metadata.contentHash,
  });
}

function isDoubted({ claims, paths, unchecked, isAlarm }: Verdict): boolean {
  return isAlarm || claims.broken.length + paths.missing.length + unchecked.length > 0;
}
