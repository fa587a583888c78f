import type { Actor } from "../../memory/actor.ts";
import { cutShown } from "../../screening/cut-shown.ts";
import { HeedError } from "../../errors/heed-error.ts";
import { remoteName } from "../../git/remote-name.ts";
import { handleOf } from "../../memory/handle.ts";
import type { RenameScopeReport, RenameScopeRequest } from "../api/written-memory.ts";
import { openCollection } from "../place/collection.ts";
import type { Place } from "../place/place.ts";
import { MemoryWriter } from "./memory-writer.ts";

/**
 * Gives the memories of one repository to another name of it, as after a move to another host or owner. Only what a scope
 * names is changed: where a memory came from stays as it was.
 *
 * @throws HeedError `not-found` when no memory is scoped to it.
 */
export async function renameScope(
  place: Place,
  { from, to, isApplied = false }: RenameScopeRequest,
  actor: Actor,
): Promise<RenameScopeReport> {
  const isOf = (repo: string | undefined): boolean => repo !== undefined && nameOf(repo) === nameOf(from);
  const collection = await openCollection(place, { thoroughness: "full" });
  const cards = collection.cards().filter(({ scope }) => isOf(scope.repo));
  if (cards.length === 0) {
    const known = [...new Set(collection.cards().flatMap(({ scope }) => scope.repo ?? []))].sort();
    throw new HeedError(
      "not-found",
      `no memory is scoped to "${cutShown(from, 120)}"${known.length === 0 ? "" : `; scopes are ${known.slice(0, 8).join(", ")}`}`,
      { handle: from, suggestions: known.slice(0, 8) },
    );
  }
  const report: RenameScopeReport = { moved: [], kept: [], isApplied };
  const repo = remoteName(to) ?? to.trim();
  for (const card of cards) {
    const handle = handleOf(card);
    const store = collection.storeOf(card);
    if (store.isReadOnly || card.section !== undefined) {
      report.kept.push({ handle, why: "its file is another tool's: heed does not change it" });
      continue;
    }
    const read = isApplied ? await collection.read(card) : undefined;
    if (read) {
      const writer = new MemoryWriter(place, actor);
      const why = `${card.name} is of ${repo} now, which was ${from}`;
      await writer.amend(read, { scope: { ...read.card.scope, repo } }, { kind: "scope", why });
    }
    report.moved.push(handle);
  }
  return report;
}

function nameOf(repo: string): string {
  return (remoteName(repo) ?? repo).trim().toLowerCase();
}
