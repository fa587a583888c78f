import { createHash } from "node:crypto";
import { describeGuard } from "../../guard/describe-guard.ts";
import { parseGuards } from "../../guard/parse-guards.ts";
import { HeedError } from "../../errors/heed-error.ts";
import type { StoreRef } from "../../memory/store-ref.ts";
import { Approvals } from "../../store/trust/approvals.ts";
import { trustStore } from "../../store/trust/change-store-registry.ts";
import { stateOfStore } from "../../store/config/store-state.ts";
import { unifiedDiff } from "../../store/history/unified-diff.ts";
import { openCollection } from "../place/collection.ts";
import { approveTexts, textOf } from "../trust/approve-texts.ts";
import { rulesOf } from "../trust/rule-approvals.ts";
import type { TrustEntry, TrustReview } from "../api/setup-reports.ts";
import type { Place } from "../place/place.ts";
import { redactValue } from "../../screening/redact-value.ts";
import { requireStore } from "./require-store.ts";

/** The stores that are reviewed. */
type ReviewedKind = "user" | "project";

/**
 * Everything of a store at hand that would take force when it is trusted: each rule and guard with its text, or with
 * what changed since it was approved. One review for all that a pull brought, that was edited by hand, or laid there.
 *
 * @throws HeedError `no-store`.
 */
export async function reviewTrust(place: Place, kind: ReviewedKind = "project"): Promise<TrustReview> {
  const store = requireStore(place, kind);
  const collection = await openCollection(place, { thoroughness: "full" });
  const approvals = new Approvals(stateOfStore(place.places, store.root));
  const isKnown = kind === "project" || approvals.hasBaseline;
  const rules = isKnown ? rulesOf(collection, store) : [];
  const entries: TrustEntry[] = [];
  for (const card of rules) {
    if (store.isTrusted && approvals.has(card.id, card.contentHash)) continue;
    const text = textOf(store, card);
    const approved = store.isTrusted ? approvals.newestOf(card.id) : undefined;
    entries.push({
      name: card.name,
      type: card.type,
      description: card.description,
      change: approved ? "changed" : "new",
      guards: parseGuards(card.guard).guards.map(({ guard }) => describeGuard(guard)),
      hasUnreadableGuard: parseGuards(card.guard).problems.length > 0,
      text,
      ...(approved && {
        diff: unifiedDiff(approved.text, text, {
          before: approved.file,
          after: card.file,
        }),
      }),
      flags: card.flags ?? [],
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

/**
 * Approves a store at hand on this machine, with the texts of its rules and guards as they are. `token` of a
 * review: what was shown is what is approved.
 *
 * @throws HeedError `no-store`; `changed-outside` when something changed since the review.
 */
export async function trustStoreHere(
  place: Place,
  token?: string,
  kind: ReviewedKind = "project",
): Promise<StoreRef> {
  const store = requireStore(place, kind);
  if (token !== undefined && (await reviewTrust(place, kind)).token !== token)
    throw new HeedError(
      "changed-outside",
      `the rules of ${store.root} changed since you saw them: run heed trust again`,
      {
        file: store.root,
      },
    );
  const collection = await openCollection(place, { thoroughness: "full" });
  const rules = rulesOf(collection, store);
  const state = stateOfStore(place.places, store.root);
  const present = new Set(rules.map(({ id }) => id));
  const forgotten = new Approvals(state).ids().filter((id) => !present.has(id));
  await approveTexts(place, store, { approved: rules, forgotten, isBaseline: kind === "user" });
  if (kind === "project") await trustStore(place.places, store.id, store.root);
  place.lookAgain();
  return requireStore(place, kind);
}

/** Stands for all that a review shows. */
function tokenOf(entries: readonly TrustEntry[]): string {
  const said = entries.map(({ name, change, text }) => [name, change, text]);
  return createHash("sha256").update(JSON.stringify(said)).digest("hex").slice(0, 32);
}
