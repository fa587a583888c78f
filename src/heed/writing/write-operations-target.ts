import { Inbox } from "../../curate/inbox.ts";
import type { MemoryCard } from "../../memory/memory-card.ts";
import { isAboutUser } from "../../curate/claim-about-user.ts";
import type { GateRefusal } from "../../memory/gate-refusal.ts";
import { HeedError } from "../../memory/heed-error.ts";
import type { MemoryDraft } from "../../memory/memory-draft.ts";
import type { TypePolicy } from "../../memory/memory-type.ts";
import type { StoreRef } from "../../memory/store-ref.ts";
import type { StoredMemory } from "../../store/scan-store.ts";
import type { Collection } from "../stores/collection.ts";
import { openCollection } from "../stores/collection.ts";
import { resolveHandle } from "../reading/resolve-handle.ts";
import { initStore } from "../stores/store-operations.ts";
import type { Workspace } from "../workspace.ts";

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
export async function chooseStore(
  workspace: Workspace,
  draft: MemoryDraft,
  policy: TypePolicy | undefined,
): Promise<ChosenStore> {
  const { stores } = workspace.find();
  const kind = draft.store ?? defaultKind(stores, draft, policy);
  const candidates = stores.filter((store) => store.kind === kind);
  const store = candidates.find(({ isReadOnly }) => !isReadOnly) ?? candidates[0];
  // Whoever writes for the first time should not have to make a place for it.
  if (!store && kind === "user") return { store: await initStore(workspace, "user") };
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

/**
 * The memory that a handle means, as its file says now.
 *
 * @throws HeedError `not-found` with suggestions, `ambiguous` with candidates.
 */
export async function findMemory(workspace: Workspace, handle: string): Promise<FoundMemory> {
  const collection = await openCollection(workspace, { thoroughness: "full" });
  const card = resolveOrExplain(workspace, collection, handle);
  const read = await collection.read(card);
  if (!read) throw notFound(handle, []);
  return { ...read, store: collection.storeOf(card) };
}

/** A handle of something in the inbox means no memory yet: the error says what to do with it. */
function resolveOrExplain(workspace: Workspace, collection: Collection, handle: string): MemoryCard {
  try {
    return resolveHandle(collection, handle);
  } catch (error) {
    const { types } = workspace.find();
    const item = new Inbox(workspace.places, types).get(plainHandle(handle));
    if (!item || !(error instanceof HeedError) || error.code !== "not-found") throw error;
    const { name } = item.memory;
    throw new HeedError(
      "not-found",
      `"${name}" waits for the user's word and is no memory yet: \`heed confirm ${name}\` first, or \`heed reject ${name}\` and write it anew`,
      { handle, suggestions: [] },
      { cause: error },
    );
  }
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
