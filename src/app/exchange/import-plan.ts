import { Inbox } from "../../curate/inbox.ts";
import type { ImportFormat } from "../../exchange/import-format.ts";
import type { Actor, Memory, MemoryDraft, NewMemory, StoreKind, StoreRef } from "../../memory/memory.ts";
import { type TypePolicy, decayDay } from "../../memory/memory-type.ts";
import { slugOf } from "../../memory/handle.ts";
import type { StoreReader } from "../../store/store-reader.ts";
import { ClaimChecker } from "../claims/claim-checker.ts";
import type { Collection } from "../place/collection.ts";
import { openedStore } from "../place/opened-stores.ts";
import type { Place } from "../place/place.ts";
import { extractClaims } from "../writing/extract-claims.ts";
import { chooseStore } from "../writing/make-store.ts";
import { type GateFacts, type GatedDraft, askGates, gateFacts } from "../writing/gate-context.ts";
import { whyShared } from "../writing/write-consent.ts";
import { memoryOfDraft, nameFor } from "../writing/memory-of-draft.ts";
import type { Entry } from "./import-entries.ts";
import type { Sibling } from "../../curate/gate.ts";
import { wordsOf } from "../../recall/parse-query.ts";

/** Who imports what, into which surroundings. */
export interface ImportRun {
  place: Place;
  collection: Collection;
  format: ImportFormat;
  /** The import as who acts: its session is what an undo names. */
  by: Actor;
  /** A person asked for it. */
  isPersons: boolean;
  /** The kind of store that takes it; undefined: as for a write. */
  into: StoreKind | undefined;
  /** Nothing is written, not even a store made. */
  isDryRun: boolean;
}

/** What is to become of a statement. */
export type Planned =
  | { outcome: "refused"; detail: string }
  | { outcome: "waits"; detail: string; memory: NewMemory; draft: MemoryDraft; store: StoreReader }
  | { outcome: "new"; memory: NewMemory; pass: GatedDraft["pass"]; store: StoreReader };

/** More statements of one import are not asked about: nobody answers a thousand questions. */
const MAX_WAITING = 200;

interface Surroundings {
  store: StoreReader;
  memories: ReturnType<Collection["memories"]>;
  facts: GateFacts;
}

/**
 * Plans an import statement by statement, by what is in the stores when it begins and what it has taken so far; changes
 * nothing. Each passes the gates as what came from elsewhere, into a memory of its own: it amends none that is there.
 */
export class ImportPlan {
  readonly #run: ImportRun;
  readonly #taken = new TakenStatements();
  readonly #checker: ClaimChecker;
  readonly #surroundings = new Map<string, Surroundings>();
  readonly #names: ReadonlySet<string>;
  #waiting = 0;

  constructor(run: ImportRun) {
    const { place, collection, into } = run;
    const stores = place.stores.filter(({ kind }) => into === undefined || kind === into);
    this.#run = run;
    this.#checker = new ClaimChecker(place);
    this.#names = new Set([
      ...collection
        .memories()
        .flatMap(({ name, storeId }) => (stores.some(({ id }) => id === storeId) ? [name] : [])),
      ...stores.flatMap((store) =>
        openedStore(place, store)
          .listTombstones()
          .map(({ memory }) => memory.metadata.name),
      ),
      ...new Inbox(place.places, place.types).listRejected().map(({ memory }) => memory.name),
    ]);
  }

  /** What becomes of one statement. */
  async take(entry: Entry): Promise<Planned> {
    const { place, format, by, isDryRun } = this.#run;
    const policy = place.types.get(entry.draft.type);
    const chosen = await chooseStore(place, entry.draft, policy, { isDryRun });
    if ("refusal" in chosen) return { outcome: "refused", detail: chosen.refusal.reason };
    const { store, memories, facts } = this.#around(chosen.store);
    const answer = await askGates(place, {
      draft: { ...entry.draft, name: this.#nameOf(entry.draft) },
      actor: by,
      store,
      current: undefined,
      collection: this.#run.collection,
      memories,
      facts,
      // What heed exported stood beside its likes already.
      besides: entry.foreign.text === undefined ? this.#taken.alike(entry.draft) : [],
      isConfirmed: isUsersWord(this.#run, entry, policy),
      isFromInstructions: format.isOfRepository === true,
    });
    const [refusal] = answer.refusals;
    const type = place.types.get(answer.draft.type);
    if (refusal || !type)
      return {
        outcome: "refused",
        detail: refusal ? `${refusal.gate}: ${refusal.reason}` : "it has no type",
      };
    const circumstances = {
      now: place.now(),
      actor: by,
      store: chosen.store,
      policy: type,
      repository: place.repository,
    };
    const proposed = withSource(memoryOfDraft(answer.draft, circumstances), entry, type);
    const extracted = await extractClaims(place, {
      draft: answer.draft,
      current: undefined,
      had: proposed.claims,
      store: chosen.store,
      policy: type,
      about: proposed,
      checker: this.#checker,
    });
    const [broken] = extracted.refusals;
    if (broken) return { outcome: "refused", detail: `${broken.gate}: ${broken.reason}` };
    const memory = { ...proposed, ...(extracted.claims && { claims: extracted.claims }) };
    const pending = answer.pending ?? (this.#run.isPersons ? undefined : whyShared(chosen.store.kind));
    // What was removed takes no force: nobody has to approve it.
    if (pending === undefined || memory.removal) {
      if (!memory.removal) this.#taken.add(memory);
      return { outcome: "new", memory, pass: answer.pass, store };
    }
    if (this.#waiting >= MAX_WAITING)
      return {
        outcome: "refused",
        detail: `${MAX_WAITING} of this import would wait already: answer those (heed inbox), then import again`,
      };
    this.#waiting += 1;
    this.#taken.add(memory);
    return { outcome: "waits", detail: pending, memory, draft: answer.draft, store };
  }

  #around(ref: StoreRef): Surroundings {
    const known = this.#surroundings.get(ref.id);
    if (known) return known;
    const { place, collection } = this.#run;
    const store = openedStore(place, ref);
    const memories = collection.memories().filter(({ storeId }) => storeId === ref.id);
    const around = { store, memories, facts: gateFacts(place, { store, memories }) };
    this.#surroundings.set(ref.id, around);
    return around;
  }

  #nameOf({ name, description }: MemoryDraft): string {
    const isTaken = (made: string): boolean => this.#names.has(made) || this.#taken.hasName(made);
    const own = name === undefined ? "" : slugOf(name);
    if (own === "") return nameFor(description, isTaken);
    for (let number = 1; ; number++) {
      const made = number === 1 ? own : `${own}-${number}`;
      if (!isTaken(made)) return made;
    }
  }
}

/** Rules in files that stand there when a person imports them; nothing that speaks of the user, nothing a tool made. */
function isUsersWord(
  { isPersons, format }: ImportRun,
  { draft }: Entry,
  policy: TypePolicy | undefined,
): boolean {
  const isOwnWord = draft.source !== "inferred" && format.author !== "tool";
  return isPersons && isOwnWord && policy?.injection === "always";
}

function withSource(memory: Memory, { foreign, id }: Entry, { layer }: TypePolicy): NewMemory {
  const { removal, created = memory.created ?? "" } = foreign;
  return {
    ...memory,
    id,
    ...(layer === "episodic" && { decayAfter: decayDay(created) }),
    ...foreign.dates,
    ...(removal && { removal }),
    ...(foreign.created !== undefined && { created: foreign.created.replace(/\.\d+Z$/, "Z") }),
    ...(foreign.scope && { scope: foreign.scope }),
    // What was heed's keeps where it came from; anything else says that it was imported, and from what.
    origin:
      foreign.text === undefined
        ? { ...memory.origin, ...foreign.origin, actor: "import" }
        : (foreign.origin ?? {}),
  };
}

/** At most this many are compared in full. */
const MAX_ALIKE = 10;
/** At most this many shared words are followed: the rare ones come first. */
const MAX_FOLLOWED = 2000;

/** What an import takes, before it is written: a statement further down is compared with it as with a memory. */
class TakenStatements {
  readonly #taken: Sibling[] = [];
  readonly #byWord = new Map<string, number[]>();
  readonly #names = new Set<string>();

  hasName(name: string): boolean {
    return this.#names.has(name);
  }

  add(memory: Sibling): void {
    const { id, name, description, type, tags, body } = memory;
    const number = this.#taken.push({ id, name, description, type, tags, body }) - 1;
    this.#names.add(name);
    for (const word of wordsOf(description)) {
      const numbers = this.#byWord.get(word);
      if (numbers) numbers.push(number);
      else this.#byWord.set(word, [number]);
    }
  }

  /** Those that share most with a draft's line, by their rarest words. */
  alike({ description }: MemoryDraft): Sibling[] {
    const lists = [...wordsOf(description)]
      .flatMap((word) => [this.#byWord.get(word) ?? []])
      .sort((a, b) => a.length - b.length);
    const shared = new Map<number, number>();
    let followed = 0;
    for (const numbers of lists) {
      for (const number of numbers) shared.set(number, (shared.get(number) ?? 0) + 1);
      followed += numbers.length;
      if (followed > MAX_FOLLOWED) break;
    }
    return [...shared]
      .sort((a, b) => b[1] - a[1] || a[0] - b[0])
      .slice(0, MAX_ALIKE)
      .flatMap(([number]) => this.#taken[number] ?? []);
  }
}
