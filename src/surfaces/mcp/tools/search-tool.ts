import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { LIMITS } from "../../../memory/limits.ts";
import type { Heed, MemoryFilter } from "../../../heed.ts";
import type { ToolOutcome } from "./add-tool.ts";
import { addTool } from "./add-tool.ts";
import type { HeedSessions } from "./heed-sessions.ts";
import { memoryView, viewMemory } from "./memory-view.ts";
import { filterShape } from "./tool-fields.ts";

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
      '"phrases" and prefix* work. Returns hits, best first: handle, type, description, date, passage. Without a query it ' +
      "lists what the filters let through. Cite the handle of what you use, and check it against the files first.",
    input: z.strictObject({
      query: z.string().regex(/\S/).max(LIMITS.queryChars).optional().describe("Words to look for"),
      limit: z
        .int()
        .min(1)
        .max(100)
        .optional()
        .describe(`Default ${DEFAULT_HITS}; of a list ${DEFAULT_LISTED}`),
      offset: z.int().min(0).max(1_000_000).optional().describe("Of a list: the next_offset of an answer"),
      ...filterShape,
    }),
    output: z.looseObject({ hits: z.array(memoryView), next_offset: z.number().optional() }),
    annotations: { readOnlyHint: true, idempotentHint: true },
    isAlwaysLoaded: true,
    run: async ({ query, limit, offset, types, tags, since, until, everywhere }, { heed }) => {
      const filter: MemoryFilter = {
        ...(types !== undefined && { types }),
        ...(tags !== undefined && { tags }),
        ...(since !== undefined && { since }),
        ...(until !== undefined && { until }),
        isScopedHere: everywhere !== true,
      };
      return query === undefined
        ? listed(heed, filter, offset ?? 0, limit ?? DEFAULT_LISTED)
        : found(heed, filter, query, limit ?? DEFAULT_HITS);
    },
  });
}

async function found(heed: Heed, filter: MemoryFilter, query: string, limit: number): Promise<ToolOutcome> {
  const answer = await heed.memories.search({ query, limit, ...filter });
  const stores = heed.setup.stores();
  const hits = answer.hits.map(({ card, score, nearness, snippet, verdict }) => ({
    ...viewMemory(card, stores, verdict),
    score: Number(score.toFixed(3)),
    ...(nearness !== undefined && { nearness: Number(nearness.toFixed(3)) }),
    passage: snippet,
  }));
  return { value: { hits, searched: answer.collectionSize, ...(answer.isCut && { is_cut: true }) } };
}

async function listed(heed: Heed, filter: MemoryFilter, offset: number, limit: number): Promise<ToolOutcome> {
  const cards = await heed.memories.list(filter);
  const stores = heed.setup.stores();
  const end = offset + limit;
  const hits = cards.slice(offset, end).map((card) => viewMemory(card, stores));
  return { value: { hits, total: cards.length, ...(end < cards.length && { next_offset: end }) } };
}
