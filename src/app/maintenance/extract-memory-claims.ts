import { MAX_CLAIMS } from "../../memory/claims/claim.ts";
import type { Actor } from "../../memory/actor.ts";
import type { MemoryMetadata } from "../../memory/memory-metadata.ts";
import { openCollection } from "../place/collection.ts";
import type { ExtractedClaims, ExtractClaimsReport } from "../api/maintenance-reports.ts";
import { ClaimChecker } from "../claims/claim-checker.ts";
import { resolveHandle } from "../place/find-memory.ts";
import type { Place } from "../place/place.ts";
import { requireMayWrite } from "../writing/write-consent.ts";
import { MemoryWriter } from "../writing/memory-writer.ts";
import { proposalsOf } from "../writing/extract-claims.ts";

/** What to anchor. */
export interface ExtractClaimsRequest {
  /** Names or ids; default: every memory that is about the repository at hand. */
  handles?: readonly string[];
  /** Add the claims; default: only say which. */
  isApplied?: boolean;
}

/** Finds the claims that stored memories make about the repository at hand and that hold now, and adds them. */
export async function extractMemoryClaims(
  place: Place,
  { handles, isApplied = false }: ExtractClaimsRequest,
  actor: Actor,
): Promise<ExtractClaimsReport> {
  if (isApplied) requireMayWrite(place, actor);
  const collection = await openCollection(place, { thoroughness: "full" });
  const checker = new ClaimChecker(place);
  const writer = new MemoryWriter(place, actor);
  const report: ExtractClaimsReport = { memories: [], looked: 0, isApplied, changes: [], notes: [] };
  const notes = new Map<string, number>();
  const skip = (why: string): void => void notes.set(why, (notes.get(why) ?? 0) + 1);
  const memories = handles
    ? handles.map((handle) => resolveHandle(collection, handle))
    : collection.memories();
  for (const metadata of memories) {
    const store = collection.storeOf(metadata);
    const whyNot = handles === undefined ? whyNoClaims(metadata, collection) : undefined;
    if (whyNot !== undefined) {
      skip(whyNot);
      continue;
    }
    const context = checker.treeOf(metadata, store);
    if ("why" in context) {
      skip(context.why);
      continue;
    }
    if (isApplied && (store.isReadOnly || metadata.section !== undefined)) {
      skip("it belongs to another tool and is only read");
      continue;
    }
    const read = await collection.read(metadata);
    if (!read) continue;
    report.looked += 1;
    const { root } = context.repository;
    const memory = { description: read.metadata.description, body: read.body };
    const proposed = await proposalsOf(checker, memory, context.tree, root);
    const added = proposed
      .filter((claim) => !read.metadata.claims.includes(claim))
      .slice(0, MAX_CLAIMS - read.metadata.claims.length);
    if (added.length === 0) continue;
    report.memories.push(extracted(read.metadata, store.kind, added));
    if (!isApplied) continue;
    const claims = [...read.metadata.claims, ...added];
    const why = `extracted ${added.length} ${added.length === 1 ? "claim" : "claims"}`;
    const { change } = await writer.amend(read, { claims }, { kind: "extract-claims", why });
    if (change) report.changes.push(change.id);
  }
  report.notes = [...notes].map(([why, count]) => `${count} not looked at: ${why}`);
  return report;
}

function extracted(metadata: MemoryMetadata, store: string, added: string[]): ExtractedClaims {
  return { name: metadata.name, type: metadata.type, store, has: metadata.claims.length, added };
}

/** What applies everywhere says nothing about this repository; what is over is not extracted any more. */
function whyNoClaims(
  metadata: MemoryMetadata,
  collection: Awaited<ReturnType<typeof openCollection>>,
): string | undefined {
  if (metadata.status === "superseded") return "superseded";
  const policy = collection.types.get(metadata.type);
  if (policy?.injection === "resume") return "an episode";
  const store = collection.storeOf(metadata);
  const isHere =
    store.kind === "project" || metadata.scope.repo !== undefined || policy?.reach === "repository";
  return isHere ? undefined : "it applies everywhere";
}
