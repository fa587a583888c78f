import { createHash } from "node:crypto";
import { describeWholeGuard } from "../../guard/describe-guard.ts";
import { parseGuards } from "../../guard/parse-guards.ts";
import type { StoreRef } from "../../memory/store-ref.ts";
import { redactValue } from "../../screening/redact-value.ts";
import { stateOfStore } from "../../store/config/store-state.ts";
import { unifiedDiff } from "../../store/history/unified-diff.ts";
import { Approvals } from "../../store/trust/approvals.ts";
import type { TrustEntry, TrustReview } from "../api/setup-reports.ts";
import { openCollection } from "../place/collection.ts";
import type { Place } from "../place/place.ts";
import { textOf } from "./approve-texts.ts";
import { rulesOf } from "./rule-approvals.ts";

/**
 * Everything of a store that would take force when it is trusted: each rule and guard with its text, or with what changed
 * since it was approved. One review for all that a pull brought, that was edited by hand, or laid there.
 */
export async function reviewStore(place: Place, store: StoreRef): Promise<TrustReview> {
  const collection = await openCollection(place, { thoroughness: "full" });
  const approvals = new Approvals(stateOfStore(place.places, store.root));
  const isKnown = store.kind === "project" || approvals.hasBaseline;
  const rules = isKnown ? rulesOf(collection, store) : [];
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
  const present = new Set(rules.map(({ id }) => id));
  const removed = store.isTrusted && isKnown ? approvals.ids().filter((id) => !present.has(id)) : [];
  for (const id of removed) {
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
    inForce: rules.length - entries.filter(({ change }) => change !== "removed").length,
    token: tokenOf(entries),
  };
}

/** Stands for all that a review shows. */
function tokenOf(entries: readonly TrustEntry[]): string {
  const said = entries.map(({ name, change, text }) => [name, change, text]);
  return createHash("sha256").update(JSON.stringify(said)).digest("hex").slice(0, 32);
}
