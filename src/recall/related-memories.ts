import type { IndexReader } from "../index/index-reader.ts";
import { documentKeyAmongStores } from "../index/document/index-document.ts";
import type { MemoryMetadata } from "../memory/memory-metadata.ts";
import type { LinkRelation } from "../memory/memory.ts";
import { admitsWholly } from "./document-filter.ts";
import type { Hit, SearchQuery } from "./search-query.ts";

/** Relations that lead from a hit to something worth offering; `supersedes` and `contradicts` are about trust. */
const FOLLOWED: readonly LinkRelation[] = ["related", "extends"];
/** Offered at most. */
const MAX_RELATED = 10;

/** A memory one link away from a hit. */
export interface RelatedMemory {
  metadata: MemoryMetadata;
  relation: LinkRelation;
  /** Name of the hit. */
  of: string;
  /** `to`: the hit links to it; `from`: it links to the hit. */
  direction: "to" | "from";
}

/** Memories that hits link to and that link to hits, in the order of the hits; each once, no hit among them. */
export function relatedMemories(
  readers: readonly IndexReader[],
  hits: readonly Hit[],
  query: SearchQuery,
): RelatedMemory[] {
  const seen = new Set(hits.map((hit) => documentKeyAmongStores(hit.metadata)));
  const related: RelatedMemory[] = [];
  const offer = (found: RelatedMemory): void => {
    const identity = documentKeyAmongStores(found.metadata);
    if (related.length >= MAX_RELATED || seen.has(identity) || !admitsWholly(found.metadata, query)) return;
    seen.add(identity);
    related.push(found);
  };
  for (const { metadata: hit } of hits) {
    for (const { rel, to } of hit.links) {
      if (!FOLLOWED.includes(rel)) continue;
      const memories = readers.flatMap((reader) => reader.memoriesByHandle(to));
      for (const metadata of memories) offer({ metadata, relation: rel, of: hit.name, direction: "to" });
    }
    for (const handle of [hit.id, hit.name]) {
      for (const metadata of readers.flatMap((reader) => reader.memoriesLinkingTo(handle))) {
        const link = metadata.links.find(({ rel, to }) => to === handle && FOLLOWED.includes(rel));
        if (link !== undefined) offer({ metadata, relation: link.rel, of: hit.name, direction: "from" });
      }
    }
  }
  return related;
}
