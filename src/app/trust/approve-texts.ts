import { join } from "node:path";
import { type Collection, openCollection } from "../place/collection.ts";
import type { Place } from "../place/place.ts";
import { isReviewed, rulesOf, unreviewedRules, wasMadeHere } from "./rule-approvals.ts";
import type { MemoryMetadata, StoreRef } from "../../memory/memory.ts";
import { withLock } from "../../platform/file-lock.ts";
import { MAX_OWN_FILE_BYTES, readOrEmpty } from "../../platform/regular-file.ts";
import { stateOfStore } from "../../store/config/store-config.ts";
import { contentHashOf } from "../../store/files/scan-store.ts";
import { Approvals, type ApprovedText, changeApprovals } from "../../store/trust/approvals.ts";
import { brokenRules, keepGoodState } from "./broken-state.ts";
import { problemWords } from "../../errors/problem.ts";
import { createHash } from "node:crypto";
import { describeWholeGuard, parseGuards } from "../../guard/parse-guards.ts";
import { redactValue } from "../../screening/find-secrets.ts";
import { unifiedDiff } from "../../store/history/unified-diff.ts";
import type { TrustEntry, TrustReview } from "../api/setup-reports.ts";

/**
 * Runs what changes files of stores below the writer, for the user and by rules of heed's (a sync, a scrub): what was
 * approved before stays so in its new text, and what waited for a review waits on.
 */
export async function keepingApprovals<T>(place: Place, run: () => Promise<T>): Promise<T> {
  keepGoodState(place);
  const before = await openCollection(place, { thoroughness: "full" });
  const { unapproved } = unreviewedRules(place, before);
  const waiting = new Set(unapproved.map(({ metadata }) => metadata.contentHash));
  const result = await run();
  place.lookAgain();
  const after = await openCollection(place, { thoroughness: "full" });
  for (const store of after.stores.filter(isReviewed)) {
    const approvals = new Approvals(stateOfStore(place.places, store.root));
    const approved = rulesOf(after, store).filter(
      (metadata) => !waiting.has(metadata.contentHash) && !approvals.has(metadata.id, metadata.contentHash),
    );
    if (approved.length > 0 && (store.kind !== "user" || approvals.hasBaseline))
      await approveTexts(place, store, { approved });
  }
  return result;
}

/** Approves the texts that rules have now, and forgets rules that are no more. */
export async function approveTexts(
  place: Place,
  store: StoreRef,
  {
    approved: memories,
    forgotten = [],
    isBaseline = false,
  }: { approved: readonly MemoryMetadata[]; forgotten?: readonly string[]; isBaseline?: boolean },
): Promise<void> {
  const state = stateOfStore(place.places, store.root);
  await withLock(state.writeLock, { what: "approve rules" }, () => {
    const approved = memories.flatMap((metadata): ApprovedText[] => {
      const text = textOf(store, metadata);
      // What changed since it was looked at is looked at the next time.
      if (contentHashOf(text) !== metadata.contentHash) return [];
      return [
        { id: metadata.id, name: metadata.name, hash: metadata.contentHash, file: metadata.file, text },
      ];
    });
    changeApprovals(state, { approved, forgotten, isBaseline });
  });
}

/** The file of a memory as it is; empty when it is gone. */
export function textOf(store: StoreRef, metadata: MemoryMetadata): string {
  return readOrEmpty(join(store.root, metadata.file), { maxBytes: MAX_OWN_FILE_BYTES });
}

/**
 * Approves what lies in the user's own store when heed first looks at it with a list of approvals, where a heed
 * that kept none has made it on this machine. From then on only what passes heed, or was reviewed, takes force. Files that
 * lie where no store was made here wait for a look from the beginning, whatever they say of themselves.
 */
export async function takeBaseline(place: Place, collection: Collection): Promise<void> {
  keepGoodState(place);
  if (collection.isCut) return;
  for (const store of collection.stores.filter((one) => one.kind === "user" && isReviewed(one))) {
    const { hasBaseline, isLost } = new Approvals(stateOfStore(place.places, store.root));
    const isKnown = wasMadeHere(place, store);
    // Where it is known what was approved is lost: it waits for a look, and that is told until then.
    if (hasBaseline || (isLost && isKnown)) continue;
    const approved = isKnown ? rulesOf(collection, store) : [];
    await approveTexts(place, store, { approved, isBaseline: true });
  }
}

/** What a trust approves and forgets: neither a rule whose file cannot be read, nor what heed makes of that file. */
export async function rulesToReview(
  place: Place,
  collection: Collection,
  store: StoreRef,
): Promise<{ rules: MemoryMetadata[]; gone: string[]; unreadable: string[] }> {
  const broken = (await brokenRules(place, collection)).filter((rule) => rule.store.id === store.id);
  const rules = rulesOf(collection, store).filter(({ file }) => !broken.some((rule) => rule.file === file));
  const left = new Set([...rules, ...broken].map(({ id }) => id));
  const gone = new Approvals(stateOfStore(place.places, store.root)).ids().filter((id) => !left.has(id));
  return { rules, gone, unreadable: broken.map(({ problem }) => problemWords(problem)) };
}

/**
 * Everything of a store that would take force when it is trusted: each rule and guard with its text, or with what changed
 * since it was approved. One review for all that a pull brought, that was edited by hand, or laid there.
 */
export async function reviewStore(place: Place, store: StoreRef): Promise<TrustReview> {
  const collection = await openCollection(place, { thoroughness: "full" });
  const approvals = new Approvals(stateOfStore(place.places, store.root));
  const isKnown = store.kind === "project" || approvals.hasBaseline || approvals.isLost;
  const { rules: all, gone, unreadable } = await rulesToReview(place, collection, store);
  const rules = isKnown ? all : [];
  const entries: TrustEntry[] = [];
  for (const metadata of rules) {
    if (store.isTrusted && approvals.has(metadata.id, metadata.contentHash)) continue;
    const text = textOf(store, metadata);
    const approved = store.isTrusted ? approvals.newestOf(metadata.id) : undefined;
    entries.push({
      name: metadata.name,
      type: metadata.type,
      description: metadata.description,
      change: approved ? "changed" : "new",
      guards: parseGuards(metadata.guard).guards.map(({ guard }) => describeWholeGuard(guard)),
      hasUnreadableGuard: parseGuards(metadata.guard).problems.length > 0,
      text,
      ...(approved && {
        diff: unifiedDiff(approved.text, text, {
          before: approved.file,
          after: metadata.file,
        }),
      }),
      flags: metadata.flags ?? [],
    });
  }
  for (const id of store.isTrusted && isKnown ? gone : []) {
    const approved = approvals.newestOf(id);
    if (!approved) continue;
    entries.push({
      name: approved.name,
      type: "",
      description: "",
      change: "removed",
      guards: [],
      hasUnreadableGuard: false,
      text: approved.text,
      flags: [],
    });
  }
  return {
    store,
    // Redacted whole: whoever shows it splits it into lines.
    entries: redactValue(entries),
    unreadable: redactValue(unreadable),
    inForce: rules.length - entries.filter(({ change }) => change !== "removed").length,
    token: tokenOf(entries),
  };
}

/** Stands for all that a review shows. */
function tokenOf(entries: readonly TrustEntry[]): string {
  const said = entries.map(({ name, change, text }) => [name, change, text]);
  return createHash("sha256").update(JSON.stringify(said)).digest("hex").slice(0, 32);
}
