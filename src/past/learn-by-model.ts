import { inboxOf } from "../here/consent/inbox.ts";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { bareFactsDue } from "../here/bare-facts.ts";
import { openCollection } from "../here/collection.ts";
import { type FoundMemory, findMemory } from "../here/reading/find-memory.ts";
import { openedStore } from "../here/opened-stores.ts";
import { type KnownMemory, type LearntItem, openLearner } from "./learner/learner.ts";
import type { Place } from "../here/place.ts";
import type { SaidTurn, SessionWork } from "../here/records/past-conversations.ts";
import { capturePlaces } from "../machine/places.ts";
import type { IsToStop } from "./transcripts/read-session.ts";
import { chooseStore } from "../write/write-memory.ts";
import { enterStore } from "../write/write-pipeline.ts";
import { type Actor, type MemoryDraft, byNewest, draftOf } from "../memory/memory.ts";
import { localDay } from "../machine/read-fields.ts";
import { textOfStatement } from "../memory/codec/sections.ts";
import { handleOf, plainHandle } from "../memory/handle.ts";
import { readText, writeFileAtomic } from "../machine/atomic-file.ts";
import type { Places } from "../machine/places.ts";
import { cutShown } from "../memory/screening/find-secrets.ts";

/** A session that goes on is read every 20 turns. */
const TURNS = 20;
const MAX_TURNS = 40;
const MAX_KNOWN = 80;
const MAX_STATEMENT_CHARS = 300;
const TYPES = new Set(["feedback", "user", "project", "reference"]);

/** Keeps the turns and, once the session ended or twenty came, has the model that the user set up propose what to keep of them. @returns how many proposals wait. */
export async function learnByModel(
  place: Place,
  { session, work }: { session: string; work: SessionWork },
  options: { client: string; isOver: boolean; isToStop: IsToStop },
): Promise<number> {
  const learn = openLearner(place);
  const asked = work.turns.splice(0).slice(-MAX_TURNS);
  if (!learn || asked.length === 0) return 0;
  const isDue = options.isOver || asked.length >= TURNS;
  const { known, noteAsked } = isDue ? await knownHere(place) : { known: [] };
  const lesson = isDue && !options.isToStop() ? await learn({ session, turns: asked, known }) : undefined;
  if (lesson === undefined) {
    // Not due yet, no budget, no answer, or somebody needs the machine: they are asked about another time.
    work.turns.push(...asked);
    return 0;
  }
  const actor: Actor = { kind: "hook", client: options.client, session };
  let proposed = 0;
  for (const item of lesson.items)
    proposed += Number(await propose(place, item, { turns: asked, known, actor }));
  for (const { handle, isBare } of known)
    if (isBare === true) await giveAliases(place, handle, lesson.aliases[handle] ?? [], actor);
  noteAsked?.();
  // After what came of them is kept, so that a run that dies in between loses none.
  markSeen(place.places, asked);
  return proposed;
}

/** What holds here, the newest first, and what waits already: a model must not propose it again. */
async function knownHere(place: Place): Promise<{ known: KnownMemory[]; noteAsked?: () => void }> {
  const collection = await openCollection(place, { thoroughness: "full" });
  const here = place.here();
  const held = collection
    .memories([...TYPES])
    .filter((metadata) => collection.storeOf(metadata).isTrusted && metadata.flags === undefined)
    .filter(({ scope }) => scope.repo === undefined || here.isRepositoryHere(scope.repo))
    .toSorted(byNewest);
  const bare = bareFactsDue(place, collection, () => held);
  const told = held.map((metadata) => ({
    handle: handleOf(metadata),
    type: metadata.type,
    statement: metadata.statement,
    ...(bare.facts.includes(metadata) && { isBare: true }),
  }));
  const waiting = inboxOf(place)
    .list()
    .map(({ memory: { name, type, statement } }) => ({ handle: `waiting:${name}`, type, statement }));
  const known = [...waiting, ...told].slice(0, MAX_KNOWN);
  return { known, ...(bare.facts.length > 0 && { noteAsked: bare.noteAsked }) };
}

/** Other words are heed's own data: they need nobody's word, and change nothing that was said. */
async function giveAliases(
  place: Place,
  handle: string,
  aliases: readonly string[],
  actor: Actor,
): Promise<void> {
  const current = aliases.length === 0 ? undefined : await amendable(place, handle);
  if (!current) return;
  const draft = { ...draftOf({ ...current.metadata, body: current.body }), aliases: [...aliases] };
  const store = openedStore(place, current.store);
  await enterStore(place, { draft, actor, store, current });
}

/** Whether it waits now: not where nobody said the quote, for an unknown type, or what is known or refused. */
async function propose(
  place: Place,
  item: LearntItem,
  { turns, known, actor }: { turns: readonly SaidTurn[]; known: readonly KnownMemory[]; actor: Actor },
): Promise<boolean> {
  const { type, statement } = item;
  const quote = plain(item.quote);
  const turn = quote.length < 4 ? undefined : turns.find(({ said }) => plain(said).includes(quote));
  if (!turn || !TYPES.has(type) || statement === "" || statement.length > MAX_STATEMENT_CHARS) return false;
  // A reason is the user's or none.
  const reason =
    item.reason !== "" && plain(turn.said).includes(plain(item.reason)) ? item.reason : undefined;
  const { time } = turn;
  const day = localDay(Number.isNaN(Date.parse(time)) ? place.now() : new Date(time));
  const body = textOfStatement({ text: statement, quote: item.quote, reason, day });
  const changed = known.find(({ handle }) => plainHandle(handle) === plainHandle(item.changes));
  const current = changed && (await amendable(place, changed.handle));
  const draft: MemoryDraft = current
    ? {
        ...draftOf({ ...current.metadata, body: current.body }),
        statement,
        body: `${body}\n\nBefore: ${current.metadata.statement}`,
        replaces: current.metadata.name,
      }
    : {
        type,
        statement,
        body,
        aliases: [...item.aliases],
        source: "instructed",
        status: "provisional",
      };
  const chosen = current ? { store: current.store } : await chooseStore(place, draft);
  if ("refusal" in chosen) return false;
  const result = await enterStore(place, {
    draft,
    actor,
    store: openedStore(place, chosen.store),
    ...(current && { current }),
    waitsFor: `you said: "${cutShown(item.quote, 100)}"`,
    why: `the user said: "${cutShown(item.quote, 120)}"`,
  });
  return result.outcome === "pending";
}

async function amendable(place: Place, handle: string): Promise<FoundMemory | undefined> {
  try {
    const found = await findMemory(place, plainHandle(handle));
    return found.store.isReadOnly || found.metadata.section !== undefined ? undefined : found;
  } catch {
    return undefined;
  }
}

function plain(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

const MAX_KNOWN_TURNS = 20_000;
const HASH_CHARS = 12;

/** Turns that no run read before: resumed and forked sessions carry the same ones again. */
export function notSeenBefore(places: Places, turns: readonly SaidTurn[]): SaidTurn[] {
  const seen = new Set(turns.length === 0 ? [] : readHashes(places));
  return turns.filter((turn) => {
    const hash = hashOf(turn);
    return !seen.has(hash) && seen.add(hash);
  });
}

/** Only the holder of the capture lock may call it, and once the result of the turns is stored: a crash before loses none. */
function markSeen(places: Places, turns: readonly SaidTurn[]): void {
  const text = [...readHashes(places), ...turns.map(hashOf)].slice(-MAX_KNOWN_TURNS).join("\n");
  writeFileAtomic(fileOf(places), `${text}\n`, { mode: 0o600, isDurable: false });
}

const fileOf = (places: Places): string => join(capturePlaces(places).root, "turns.txt");

const readHashes = (places: Places): string[] => readText(fileOf(places))?.trim().split("\n") ?? [];

/** A copied turn keeps its time and words. */
const hashOf = ({ time, said }: SaidTurn): string =>
  createHash("sha256").update(`${time}\n${said}`).digest("hex").slice(0, HASH_CHARS);
