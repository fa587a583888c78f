import type { McpServer } from "@modelcontextprotocol/server";
import { count, flag, list, object, open, optional, text, described } from "../../../here/api/schema.ts";
import { MEMORY_FIELDS } from "../../../here/api/memory-fields.ts";
import { LIMITS } from "../../../memory/limits.ts";
import type { Heed, MemoryFilter, SearchRequest } from "../../../heed.ts";
import { type ToolOutcome, addTool } from "./add-tool.ts";
import { given } from "../../given.ts";
import type { HeedSessions } from "./heed-sessions.ts";
import { memoryView, viewMemory } from "./memory-view.ts";

const DEFAULT_HITS = 8;
const DEFAULT_LISTED = 50;

/** The tool that finds memories: by words, or all that a filter lets through. */
export function addSearchTool(server: McpServer, sessions: HeedSessions): void {
  addTool(server, sessions, {
    name: "memory_search",
    title: "Search memories",
    description:
      "Search what is remembered about the user, this project, external systems and past struggles. Use it before asking " +
      "the user for a preference, decision or location, and when a known error appears. Words match in any order; " +
      '"phrases" and prefix* work. Returns hits, best first: handle, type, statement, date, passage. Without a query it ' +
      "lists what the filters let through. Cite the handle of what you use, and check it against the files first.",
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
    output: open({ hits: list(memoryView), next_offset: optional(count(0)) }),
    annotations: { readOnlyHint: true, idempotentHint: true },
    isAlwaysLoaded: true,
    run: async ({ query, limit, offset, types, tags, since, until, everywhere }, { heed, actor }) => {
      const filter: MemoryFilter = {
        ...given({ types, tags, since, until }),
        isScopedHere: everywhere !== true,
      };
      return query === undefined
        ? listed(heed, filter, offset ?? 0, limit ?? DEFAULT_LISTED)
        : found(heed, { ...filter, query, limit: limit ?? DEFAULT_HITS, reader: actor });
    },
  });
}

async function found(heed: Heed, request: SearchRequest): Promise<ToolOutcome> {
  const answer = await heed.memories.search(request);
  const stores = heed.setup.stores();
  const hits = answer.hits.map(({ metadata, score, snippet, verdict }) => ({
    ...viewMemory(metadata, stores, verdict),
    score: Number(score.toFixed(3)),
    passage: snippet,
  }));
  return { value: { hits, searched: answer.collectionSize, ...(answer.isCut && { is_cut: true }) } };
}

async function listed(heed: Heed, filter: MemoryFilter, offset: number, limit: number): Promise<ToolOutcome> {
  const memories = await heed.memories.list(filter);
  const stores = heed.setup.stores();
  const end = offset + limit;
  const hits = memories.slice(offset, end).map((metadata) => viewMemory(metadata, stores));
  return { value: { hits, total: memories.length, ...(end < memories.length && { next_offset: end }) } };
}
