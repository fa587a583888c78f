import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { LIMITS } from "../../../memory/limits.ts";
import type { MemoryFilter } from "../../../heed.ts";
import { addTool } from "./add-tool.ts";
import type { HeedSessions } from "./heed-sessions.ts";
import { memoryViewShape, viewMemory } from "./memory-view.ts";
import { addShowTool } from "./show-tool.ts";
import { filterShape } from "./tool-fields.ts";

const READS = { readOnlyHint: true, idempotentHint: true } as const;
const memoryView = z.looseObject(memoryViewShape);

type FilterInput = z.output<z.ZodObject<typeof filterShape>>;

/** The tools that look things up: search, show, list, overview. */
export function addReadingTools(server: McpServer, sessions: HeedSessions): void {
  addTool(server, sessions, {
    name: "memory_search",
    title: "Search memories",
    description:
      "Search what is remembered about the user, this project, external systems and past struggles. Use before asking " +
      "the user for a preference, decision or location, and when a known error appears. Words match in any order; " +
      '"phrases" and prefix* work. Returns hits, best first: handle, type, description, date, passage. Cite the handle ' +
      "of what you use, and check it against the files before you rely on it.",
    input: z.strictObject({
      query: z.string().regex(/\S/).max(LIMITS.queryChars).describe("Words to look for"),
      limit: z.int().min(1).max(50).optional().describe("Default 8"),
      ...filterShape,
      related: z.boolean().optional().describe("Add memories that the hits link to"),
    }),
    output: z.looseObject({
      hits: z.array(z.looseObject({ ...memoryViewShape, score: z.number(), passage: z.string() })),
      searched: z.number(),
      is_cut: z.boolean().optional(),
    }),
    annotations: READS,
    isAlwaysLoaded: true,
    run: async (input) => {
      const heed = await sessions.heed();
      const answer = await heed.memories.search({
        query: input.query,
        limit: input.limit ?? 8,
        withRelated: input.related ?? false,
        ...filterOf(input),
      });
      const stores = heed.setup.stores();
      const hits = answer.hits.map(({ card, score, nearness, snippet, relatedTo, verdict }) => ({
        ...viewMemory(card, stores, verdict),
        score: Number(score.toFixed(3)),
        ...(nearness !== undefined && { nearness: Number(nearness.toFixed(3)) }),
        passage: snippet,
        ...(relatedTo !== undefined && { related_to: relatedTo }),
      }));
      return {
        value: { hits, searched: answer.collectionSize, ...(answer.isCut && { is_cut: true }) },
      };
    },
  });

  addShowTool(server, sessions);

  addTool(server, sessions, {
    name: "memory_list",
    title: "List memories",
    description:
      "List memories by type, tag or date, in a steady order, without their texts. With pending: the proposals that " +
      "wait for the user's word, each with its text and the reason why it waits.",
    input: z.strictObject({
      ...filterShape,
      pending: z.boolean().optional().describe("List the proposals that wait instead"),
      limit: z.int().min(1).max(200).optional().describe("Default 50"),
      offset: z.int().min(0).max(1_000_000).optional(),
    }),
    output: z.looseObject({
      total: z.number(),
      memories: z.array(memoryView).optional(),
      pending: z.array(z.looseObject({ name: z.string(), reason: z.string() })).optional(),
      next_offset: z.number().optional(),
    }),
    annotations: READS,
    run: async (input) => {
      const heed = await sessions.heed();
      const offset = input.offset ?? 0;
      const end = offset + (input.limit ?? 50);
      if (input.pending === true) {
        const items = await heed.inbox.list();
        const pending = items.slice(offset, end).map(({ proposedAt, ...item }) => ({
          ...item,
          proposed_at: proposedAt,
        }));
        return { value: { total: items.length, pending, ...nextOffset(end, items.length) } };
      }
      const cards = await heed.memories.list(filterOf(input));
      const stores = heed.setup.stores();
      const memories = cards.slice(offset, end).map((card) => viewMemory(card, stores));
      return { value: { total: cards.length, memories, ...nextOffset(end, cards.length) } };
    },
  });

  addTool(server, sessions, {
    name: "memory_overview",
    title: "Overview of memories",
    description:
      "Counts of memories per type, store and tag, and the types with what each holds; no texts. Call it first where " +
      "nothing was injected, to see whether there is anything to search for.",
    input: z.strictObject({}),
    output: z.looseObject({
      total: z.number(),
      by_type: z.record(z.string(), z.number()),
      pending: z.number(),
    }),
    annotations: READS,
    run: async () => {
      const heed = await sessions.heed();
      const overview = await heed.memories.overview();
      return {
        value: {
          total: overview.total,
          by_type: overview.byType,
          by_store: overview.byStore.map(({ store, total }) => ({
            store: store.kind,
            root: store.root,
            total,
            ...(!store.isTrusted && { is_trusted: false }),
          })),
          by_tag: overview.byTag,
          pending: overview.pending,
          mode: overview.mode,
          ...(overview.repository !== undefined && { repository: overview.repository }),
          types: heed.memories.types().map(({ name, holds, needs }) => ({ name, holds, needs })),
        },
      };
    },
  });
}

function filterOf(input: FilterInput): MemoryFilter {
  return {
    ...(input.types !== undefined && { types: input.types }),
    ...(input.tags !== undefined && { tags: input.tags }),
    ...(input.since !== undefined && { since: input.since }),
    ...(input.until !== undefined && { until: input.until }),
    isScopedHere: input.everywhere !== true,
  };
}

function nextOffset(end: number, total: number): { next_offset?: number } {
  return end < total ? { next_offset: end } : {};
}
