import { isAboutUser } from "../curate/claim-about-user.ts";
import { nearestNames } from "../curate/nearest-names.ts";
import type { GateRefusal } from "../memory/gate-refusal.ts";
import { HeedError } from "../memory/heed-error.ts";
import type { MemoryDraft } from "../memory/memory-draft.ts";
import type { TypePolicy } from "../memory/memory-type.ts";
import { slugOf } from "../memory/parse-memory.ts";
import type { StoreRef } from "../memory/store-ref.ts";
import type { StoredMemory } from "../store/scan-store.ts";
import { openedStore } from "./opened-stores.ts";
import type { Workspace } from "./workspace.ts";

/** A memory and the store that holds it. */
export interface FoundMemory extends StoredMemory {
  store: StoreRef;
}

/** The store into which a draft goes, or why it may not go there. */
export type ChosenStore = { store: StoreRef } | { refusal: GateRefusal };

/**
 * Chooses the store of a draft: the one that it names; else the project's, where one is here and trusted, for what
 * applies to the repository and says nothing about the person; else the user's.
 *
 * @throws HeedError `no-store` when there is none of that kind here.
 */
export function chooseStore(
  workspace: Workspace,
  draft: MemoryDraft,
  policy: TypePolicy | undefined,
): ChosenStore {
  const { stores } = workspace.find();
  const kind = draft.store ?? defaultKind(stores, draft, policy);
  const candidates = stores.filter((store) => store.kind === kind);
  const store = candidates.find(({ isReadOnly }) => !isReadOnly) ?? candidates[0];
  if (!store) {
    throw new HeedError(
      "no-store",
      `there is no ${kind} store here: ${kind === "attached" ? "attach a directory with `heed attach`" : `make one with \`heed init${kind === "project" ? " --project" : ""}\``}`,
      { store: kind },
    );
  }
  if (store.isTrusted) return { store };
  return {
    refusal: {
      gate: "store-trust",
      reason: `the ${kind} store ${store.root} was not made on this machine: nothing is written to it unasked`,
      remedy: 'review it and run `heed trust`, or write with store "user"',
      proposal: { store: "user" },
    },
  };
}

function defaultKind(
  stores: readonly StoreRef[],
  draft: MemoryDraft,
  policy: TypePolicy | undefined,
): "project" | "user" {
  const reach = draft.scope === "everywhere" ? "everywhere" : draft.scope ? "repository" : policy?.reach;
  const isPersonal = isAboutUser(`${draft.description}\n${draft.body}`);
  const isProjectOpen = stores.some(
    (store) => store.kind === "project" && store.isTrusted && !store.isReadOnly,
  );
  return reach === "repository" && isProjectOpen && !isPersonal ? "project" : "user";
}

/** Of memories of one name in several stores, the narrower store's is meant. */
const NARROWER = ["project", "user", "attached"];

/**
 * The memory that a handle means: its name, `heed:name`, its id or a unique beginning of it (six characters at least).
 *
 * @throws HeedError `not-found` with suggestions, `ambiguous` with candidates.
 */
export function findMemory(workspace: Workspace, handle: string): FoundMemory {
  const wanted = plainHandle(handle);
  const all = workspace.find().stores.flatMap((store) =>
    openedStore(workspace, store)
      .list()
      .memories.map((memory): FoundMemory => ({ ...memory, store })),
  );
  const slug = slugOf(wanted);
  const named = all.filter(
    ({ card }) => card.name === wanted || card.name === slug || card.id === wanted.toUpperCase(),
  );
  const rank = ({ store }: FoundMemory): number => NARROWER.indexOf(store.kind);
  const found =
    named.length > 0
      ? named.filter((one) => rank(one) === Math.min(...named.map(rank)))
      : all.filter(({ card }) => wanted.length >= 6 && card.id.startsWith(wanted.toUpperCase()));
  const [first] = found;
  if (first && found.length === 1) return first;
  if (first) {
    const candidates = found
      .slice(0, 10)
      .map(({ card, store }) => ({ name: card.name, id: card.id, store: store.id }));
    throw new HeedError(
      "ambiguous",
      `"${handle}" means ${found.length} memories: ${candidates.map(({ name, id }) => `${name} (${id})`).join(", ")}. Give the id`,
      { handle, candidates },
    );
  }
  throw notFound(
    handle,
    nearestNames(
      slug || wanted,
      all.map(({ card }) => card.name),
    ),
  );
}

/** The handle without the marks of a citation. */
export function plainHandle(handle: string): string {
  return handle
    .trim()
    .replace(/^\[?heed:/i, "")
    .replace(/\]$/, "")
    .trim();
}

/** The error for a handle that means nothing, with the names that may have been meant. */
export function notFound(handle: string, suggestions: readonly string[]): HeedError {
  const hint =
    suggestions.length > 0 ? `did you mean ${suggestions.join(", ")}?` : "`heed list` names them all";
  return new HeedError("not-found", `there is no memory "${handle.slice(0, 80)}": ${hint}`, {
    handle,
    suggestions: [...suggestions],
  });
}
