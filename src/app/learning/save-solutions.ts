import { draftOfStruggle } from "../../capture/solutions/draft-of-struggle.ts";
import { isWorthKeeping } from "../../capture/solutions/is-worth-keeping.ts";
import type { Struggle } from "../../capture/solutions/struggle.ts";
import type { Actor } from "../../memory/actor.ts";
import { SALIENCES } from "../../memory/memory.ts";
import { memoryKey } from "../../memory/memory-key.ts";
import type { SolutionReport } from "../api/learning-reports.ts";
import { openCollection } from "../place/collection.ts";
import { openedStore } from "../place/opened-stores.ts";
import { readSession } from "../records/session-state.ts";
import type { Place } from "../place/place.ts";
import { enterStore } from "../writing/write-pipeline.ts";
import { MemoryWriter } from "../writing/memory-writer.ts";
import { chooseStore } from "../writing/choose-store.ts";

/** How solutions are saved. */
export interface SaveOptions {
  session: string;
  client: string;
  isRehearsal?: boolean;
}

/** Saves the struggles that teach something as provisional solutions; one that is known gains weight instead. */
export async function saveSolutions(
  place: Place,
  struggles: readonly Struggle[],
  options: SaveOptions,
): Promise<SolutionReport[]> {
  const saved: SolutionReport[] = [];
  for (const struggle of struggles.filter(isWorthKeeping)) {
    const one = await saveOne(place, struggle, options);
    if (one) saved.push(one);
  }
  return saved;
}

async function saveOne(
  place: Place,
  struggle: Struggle,
  options: SaveOptions,
): Promise<SolutionReport | undefined> {
  const { draft } = draftOfStruggle(struggle);
  const { name = "", description } = draft;
  const actor: Actor = { kind: "hook", client: options.client, session: options.session };
  const policy = place.types.get("solution");
  const chosen = await chooseStore(place, draft, policy, { isRehearsal: options.isRehearsal });
  if ("refusal" in chosen)
    return { outcome: "refused", name, description, announcement: chosen.refusal.reason };
  const store = openedStore(place, chosen.store);
  const collection = await openCollection(place, { thoroughness: "full" });
  const known = collection.cards(["solution"]).find((card) => card.name === name);
  if (options.isRehearsal)
    return { outcome: known ? "seen-again" : "saved", name, description, announcement: description };
  if (known) {
    if (collection.storeOf(known).isReadOnly || known.section !== undefined) return undefined;
    const told = readSession(place.places, options.session).context.told;
    // It was told when the same thing failed, and then it worked.
    const hasHelped = told.has(memoryKey(known)) && known.status === "provisional";
    const next =
      SALIENCES[Math.min(SALIENCES.indexOf(known.salience) + 1, SALIENCES.length - 1)] ?? known.salience;
    if (known.origin.session === options.session && known.salience === next && !hasHelped) return undefined;
    const changes = { salience: next, ...(hasHelped && { status: "confirmed" as const }) };
    if (known.salience === next && !hasHelped) return undefined;
    const current = await collection.read(known);
    if (!current) return undefined;
    const why = hasHelped ? "it helped" : "the same struggle was seen again";
    await new MemoryWriter(place, actor).amend(current, changes, { kind: "use", why });
    const announcement = hasHelped ? `confirmed by use: heed:${name}` : `seen again: heed:${name}`;
    return { outcome: hasHelped ? "confirmed" : "seen-again", name, description, announcement };
  }
  // What was removed or undone once was not wanted.
  if (store.listTombstones().some(({ memory }) => memory.card.name === name)) return undefined;
  const result = await enterStore(place, {
    draft,
    actor,
    store,
    isConfirmed: true,
    why: `won in session ${options.session.slice(0, 8)}: ${description}`.slice(0, 200),
  });
  if (result.outcome === "refused")
    return {
      outcome: "refused",
      name,
      description,
      announcement: result.refusals.map(({ reason }) => reason).join("; "),
    };
  if (result.outcome === "pending" || result.outcome === "unchanged") return undefined;
  return {
    outcome: "saved",
    name,
    description,
    announcement: `${result.announcement}${(struggle.reason ?? "") === "" ? "; why it works nobody said" : ""}; take it back with: heed undo`,
  };
}
