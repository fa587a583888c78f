import { foldStatement, isSameStatement, repeatsText } from "../../write/gates/near-memories.ts";
import type { ImportFormat } from "../formats/import-format.ts";
import type { Actor, Memory, MemoryDraft, StoreRef } from "../../memory/memory.ts";
import { type TypePolicy, decayDay } from "../../memory/memory-type.ts";
import { handleOf, slugOf } from "../../memory/handle.ts";
import type { StoreReader } from "../../store/store-reader.ts";
import { ClaimChecker } from "../../here/claims/claim-checker.ts";
import type { Collection } from "../../here/collection.ts";
import { openedStore } from "../../here/opened-stores.ts";
import type { Place } from "../../here/place.ts";
import { extractClaims } from "../../write/extract-claims.ts";
import { chooseStore } from "../../write/make-store.ts";
import { type Checked, type Stock, checkDraft, holdsBeside, stockOf } from "../../write/gate-context.ts";
import { whyShared } from "../../write/write-consent.ts";
import { memoryOfDraft, nameFor } from "../../write/memory-of-draft.ts";
import type { Entry } from "./import-entries.ts";

/** Who imports what, into which surroundings. */
export interface ImportRun {
  place: Place;
  collection: Collection;
  format: ImportFormat;
  /** The import as who acts: its session is what an undo names. */
  by: Actor;
  /** A person asked for it. */
  isPersons: boolean;
  /** Nothing is written, not even a store made. */
  isDryRun: boolean;
}

/** What is to become of a statement. */
export type Planned =
  | { outcome: "refused" | "known"; detail: string }
  | (Taken & { outcome: "waits"; detail: string })
  | (Taken & { outcome: "new"; pass: Checked["pass"] });

interface Taken {
  memory: Memory;
  store: StoreReader;
  /** What it resembles in the store. */
  near: Checked["near"];
}

/** More statements of one import are not asked about: nobody answers a thousand questions. */
const MAX_WAITING = 200;

type Said = Pick<Memory, "name" | "statement" | "body">;

interface Surroundings {
  store: StoreReader;
  stock: Stock;
}

/** Plans an import statement by statement, by what the stores hold and it has taken so far; changes and amends nothing. */
export class ImportPlan {
  readonly #run: ImportRun;
  readonly #taken = new Map<string, Said[]>();
  readonly #checker: ClaimChecker;
  readonly #surroundings = new Map<string, Surroundings>();
  readonly #names: Set<string>;
  #waiting = 0;

  constructor(run: ImportRun, names: Iterable<string>) {
    this.#run = run;
    this.#checker = new ClaimChecker(run.place);
    this.#names = new Set(names);
  }

  /** What becomes of one statement. */
  async take(entry: Entry): Promise<Planned> {
    const { place, format, by, isDryRun } = this.#run;
    const policy = place.types.get(entry.draft.type);
    const chosen = await chooseStore(place, entry.draft, policy, { isDryRun });
    if ("refusal" in chosen) return { outcome: "refused", detail: chosen.refusal.reason };
    const { store, stock } = await this.#around(chosen.store);
    const same = policy?.layer === "episodic" ? undefined : await this.#sameAs(entry, store, stock);
    if (same !== undefined) return { outcome: "known", detail: `${handleOf(same)} says the same` };
    const given = {
      draft: { ...entry.draft, name: this.#nameOf(entry.draft) },
      actor: by,
      store,
      isConfirmed: isUsersWord(this.#run, entry, policy),
      isFromInstructions: format.isOfRepository === true,
    };
    const answer = await checkDraft(place, given, stock);
    const [refusal] = answer.refusals;
    const type = place.types.get(answer.draft.type);
    if (refusal || !type)
      return {
        outcome: "refused",
        detail: refusal ? `${refusal.gate}: ${refusal.reason}` : "it has no type",
      };
    const write = { ...given, draft: answer.draft };
    const proposed = withSource(memoryOfDraft(place, write, type), entry, type);
    const extracted = await extractClaims(place, {
      ...write,
      policy: type,
      had: proposed.claims,
      about: proposed,
      checker: this.#checker,
    });
    const [broken] = extracted.refusals;
    if (broken) return { outcome: "refused", detail: `${broken.gate}: ${broken.reason}` };
    const memory = { ...proposed, ...(extracted.claims && { claims: extracted.claims }) };
    const { near } = answer;
    const pending = answer.pending ?? (this.#run.isPersons ? undefined : whyShared(chosen.store.kind));
    if (pending === undefined) {
      this.#take(memory);
      return { outcome: "new", memory, pass: answer.pass, store, near };
    }
    if (this.#waiting >= MAX_WAITING)
      return {
        outcome: "refused",
        detail: `${MAX_WAITING} of this import would wait already: answer those (heed inbox), then import again`,
      };
    this.#waiting += 1;
    this.#take(memory);
    return { outcome: "waits", detail: pending, memory, store, near };
  }

  #take(memory: Memory): void {
    const key = foldStatement(memory.statement);
    this.#taken.set(key, [...(this.#taken.get(key) ?? []), memory]);
    this.#names.add(memory.name);
  }

  /** A memory of the store, or taken before, that says the same, statement and text. */
  async #sameAs(
    { draft, foreign }: Entry,
    store: StoreReader,
    { memories }: Stock,
  ): Promise<Said | undefined> {
    const { place, collection } = this.#run;
    // What heed exported stood beside its likes already.
    const taken = foreign.text === undefined ? this.#taken.get(foldStatement(draft.statement)) : undefined;
    for (const metadata of memories)
      if (
        metadata.status !== "superseded" &&
        isSameStatement(metadata.statement, draft.statement) &&
        holdsBeside(place, metadata, store.ref.kind)
      ) {
        const read = await collection.read(metadata);
        const said = read && { ...read.metadata, body: read.body };
        if (said && repeatsText(draft, said)) return said;
      }
    return taken?.find((one) => repeatsText(draft, one));
  }

  async #around(ref: StoreRef): Promise<Surroundings> {
    const known = this.#surroundings.get(ref.id);
    if (known) return known;
    const { place, collection } = this.#run;
    const store = openedStore(place, ref);
    const around = { store, stock: await stockOf(place, store, collection) };
    this.#surroundings.set(ref.id, around);
    return around;
  }

  #nameOf({ name, statement }: MemoryDraft): string {
    const isTaken = (made: string): boolean => this.#names.has(made);
    const own = name === undefined ? "" : slugOf(name);
    if (own === "") return nameFor(statement, isTaken);
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

function withSource(memory: Memory, { foreign, id, from }: Entry, { layer }: TypePolicy): Memory {
  const { created = memory.created ?? "" } = foreign;
  return {
    ...memory,
    id,
    ...(layer === "episodic" && { decayAfter: decayDay(created) }),
    ...foreign.dates,
    ...(foreign.created !== undefined && { created: foreign.created.replace(/\.\d+Z$/, "Z") }),
    ...(foreign.scope && { scope: foreign.scope }),
    // What was heed's keeps where it came from; anything else says that it was imported, and from what.
    origin:
      foreign.text === undefined
        ? { ...memory.origin, ...foreign.origin, actor: "import", from }
        : (foreign.origin ?? {}),
  };
}
