import { MAX_CLAIMS } from "../../memory/claims/claim.ts";
import type { Actor } from "../../memory/actor.ts";
import type { MemoryMetadata } from "../../memory/memory-metadata.ts";
import { openCollection } from "../place/collection.ts";
import type { AnchoredMemory, AnchorReport } from "../api/maintenance-reports.ts";
import { ClaimChecker } from "../claims/claim-checker.ts";
import { resolveHandle } from "../place/find-memory.ts";
import type { Place } from "../place/place.ts";
import { requireMayWrite } from "../writing/ground.ts";
import { MemoryWriter } from "../writing/memory-writer.ts";
import { proposalsOf } from "../writing/anchor-claims.ts";

/** What to anchor. */
export interface AnchorRequest {
  /** Names or ids; default: every memory that is about the repository at hand. */
  handles?: readonly string[];
  /** Add the claims; default: only say which. */
  isApplied?: boolean;
}

/** Finds the claims that stored memories make about the repository at hand and that hold now, and adds them. */
export async function anchorMemories(
  place: Place,
  { handles, isApplied = false }: AnchorRequest,
  actor: Actor,
): Promise<AnchorReport> {
  if (isApplied) requireMayWrite(place, actor);
  const collection = await openCollection(place, { thoroughness: "full" });
  const checker = new ClaimChecker(place);
  const writer = new MemoryWriter(place, actor);
  const report: AnchorReport = { memories: [], looked: 0, isApplied, changes: [], notes: [] };
  const notes = new Map<string, number>();
  const skip = (why: string): void => void notes.set(why, (notes.get(why) ?? 0) + 1);
  const memories = handles
    ? handles.map((handle) => resolveHandle(collection, handle))
    : collection.memories();
  for (const metadata of memories) {
    const store = collection.storeOf(metadata);
    const whyNot = handles === undefined ? whyNotAnchored(metadata, collection) : undefined;
    if (whyNot !== undefined) {
      skip(whyNot);
      continue;
    }
    const ground = checker.groundOf(metadata, store);
    if ("why" in ground) {
      skip(ground.why);
      continue;
    }
    if (isApplied && (store.isReadOnly || metadata.section !== undefined)) {
      skip("it belongs to another tool and is only read");
      continue;
    }
    const read = await collection.read(metadata);
    if (!read) continue;
    report.looked += 1;
    const { root } = ground.repository;
    const memory = { description: read.metadata.description, body: read.body };
    const proposed = await proposalsOf(checker, memory, ground.tree, root);
    const added = proposed
      .filter((claim) => !read.metadata.claims.includes(claim))
      .slice(0, MAX_CLAIMS - read.metadata.claims.length);
    if (added.length === 0) continue;
    report.memories.push(anchored(read.metadata, store.kind, added));
    if (!isApplied) continue;
    const claims = [...read.metadata.claims, ...added];
    const why = `anchored ${added.length} ${added.length === 1 ? "claim" : "claims"}`;
    const { change } = await writer.amend(read, { claims }, { kind: "anchor", why });
    if (change) report.changes.push(change.id);
  }
  report.notes = [...notes].map(([why, count]) => `${count} not looked at: ${why}`);
  return report;
}

function anchored(metadata: MemoryMetadata, store: string, added: string[]): AnchoredMemory {
  return { name: metadata.name, type: metadata.type, store, has: metadata.claims.length, added };
}

/** What applies everywhere says nothing about this repository; what is over is not anchored any more. */
function whyNotAnchored(
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
