import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HeedError } from "../../src/machine/heed-error.ts";
import { TypeTable } from "../../src/memory/memory-type.ts";
import { FileMemoryStore } from "../../src/store/file-memory-store.ts";
import { planSync } from "../../src/store/sync/sync-user-store.ts";
import { aMemory, NOTE } from "./memory-store-suite.ts";
import { editOutside, temporaryPlaces, temporaryStore } from "./temporary-store.ts";

/** The oracle: what a store should hold, without files. */
interface Model {
  /** Bodies by name, of living memories. */
  living: Map<string, { id: string; body: string; type: string }>;
  /** Removed ones, the last one last. */
  removed: { name: string; id: string; body: string; type: string }[];
}

type Step =
  | { do: "create"; name: string; type: string; body: string }
  | { do: "amend"; name: string; body: string; isStale: boolean }
  | { do: "retype"; name: string; type: string }
  | { do: "remove"; name: string }
  | { do: "restore"; name: string }
  | { do: "rename"; name: string; to: string }
  | { do: "edit-outside"; name: string; body: string };

const name = fc.constantFrom("a", "b", "ab", "con", "c-2", "c");
const type = fc.constantFrom("feedback", "project", "reference");
const body = fc
  .string({ minLength: 1, maxLength: 40, unit: "grapheme" })
  // A file with the replacement character is reported: something was lost in it before.
  .map((text) => `x${text.replace(/\s+/g, " ").replaceAll("\u{FFFD}", "?")}x`);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("create" as const), name, type, body }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("amend" as const), name, body, isStale: fc.boolean() }),
  },
  fc.record({ do: fc.constant("retype" as const), name, type }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant("remove" as const), name }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("restore" as const), name }) },
  fc.record({ do: fc.constant("rename" as const), name, to: name }),
  fc.record({ do: fc.constant("edit-outside" as const), name, body }),
);

let count = 0;

/** Does a step on the model; the code of the error that the store must give, or undefined. */
function expected(model: Model, action: Step, id: string): string | undefined {
  const found = model.living.get(action.name);
  switch (action.do) {
    case "create":
      if (found) return "changed-outside";
      model.living.set(action.name, { id, body: action.body, type: action.type });
      return undefined;
    case "amend":
      if (!found) return "no-target";
      if (action.isStale) return "changed-outside";
      found.body = action.body;
      return undefined;
    case "retype":
      if (!found) return "no-target";
      found.type = action.type;
      return undefined;
    case "edit-outside":
      if (found) found.body = action.body;
      return found ? undefined : "no-target";
    case "remove":
      if (!found) return "no-target";
      model.living.delete(action.name);
      model.removed.push({ name: action.name, ...found });
      return undefined;
    case "restore": {
      const position = model.removed.findLastIndex((memory) => memory.name === action.name);
      const memory = model.removed[position];
      if (!memory) return "not-found";
      if (found) return "changed-outside";
      model.removed.splice(position, 1);
      model.living.set(action.name, { id: memory.id, body: memory.body, type: memory.type });
      return undefined;
    }
    case "rename":
      if (!found) return "no-target";
      if (action.to === action.name) return undefined;
      if (model.living.has(action.to)) return "changed-outside";
      model.living.delete(action.name);
      model.living.set(action.to, found);
      return undefined;
    default:
      return "unknown step";
  }
}

async function perform(store: FileMemoryStore, action: Step, id: string): Promise<void> {
  if (action.do === "create") {
    await store.create(aMemory({ id, name: action.name, type: action.type, body: action.body }), NOTE);
    return;
  }
  if (action.do === "restore") {
    await store.restore(action.name, NOTE);
    return;
  }
  const metadata = store.list().memories.find((memory) => memory.metadata.name === action.name)?.metadata;
  if (!metadata) throw new HeedError("not-found", "no-target", { isMissing: true });
  const { text = "" } = store.read(metadata.file);
  switch (action.do) {
    case "amend":
      await store.amend(
        metadata.file,
        { body: action.body },
        action.isStale ? "0".repeat(16) : metadata.contentHash,
        NOTE,
      );
      break;
    case "retype":
      await store.amend(metadata.file, { type: action.type }, metadata.contentHash, NOTE);
      break;
    case "edit-outside":
      editOutside(
        store.ref.root,
        metadata.file,
        text.replace(/---\n[^]*?---\n/, (head) => `${head}${action.body}\n<end>`).replace(/<end>[^]*/, ""),
      );
      break;
    case "remove":
      await store.remove(metadata.file, "old", { kind: "person" });
      break;
    case "rename":
      await store.rename(metadata.file, action.to, NOTE);
      break;
    default:
  }
}

describe("a store of files", () => {
  it("behaves like a map in memory under any sequence of operations", { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        let now = Date.UTC(2026, 0, 1);
        // Removals a second apart: which one was last is told by their times.
        const store = temporaryStore(
          { kind: "project" },
          { places: temporaryPlaces(), now: () => new Date((now += 1000)) },
        );
        const model: Model = { living: new Map(), removed: [] };
        for (const action of steps) {
          const id = `ID${(count += 1)}`;
          const code = expected(model, action, id);
          const outcome = await perform(store, action, id).then(
            () => undefined,
            (error: HeedError) => (error.data["isMissing"] ? "no-target" : error.code),
          );
          expect(outcome).toBe(code);
          const scan = store.list();
          expect(scan.problems.filter(({ severity }) => severity === "error")).toEqual([]);
          const held = scan.memories.map(({ metadata, body }) => [
            metadata.name,
            { id: metadata.id, body, type: metadata.type },
          ]);
          expect(new Map(held as [string, unknown][])).toEqual(model.living);
          expect(held).toHaveLength(model.living.size);
          const dead = store.listTombstones().map(({ memory }) => memory.metadata.id);
          expect(dead.sort()).toEqual(model.removed.map(({ id }) => id).sort());
        }
        const fresh = new FileMemoryStore(store.ref, {
          places: temporaryPlaces(),
          types: new TypeTable(),
          now: () => new Date(),
        });
        expect(fresh.list().memories.map(({ metadata }) => metadata.id)).toEqual(
          store.list().memories.map(({ metadata }) => metadata.id),
        );
      }),
      { numRuns: 40 },
    );
  });
});

describe("bringing two sides together", () => {
  const file = fc.constantFrom("feedback/a.md", "feedback/b.md", "project/a.md", ".tombstones/feedback/a.md");
  const text = fc
    .tuple(fc.constantFrom("1", "2", "3"), fc.constantFrom("x", "y", "z"))
    .map(([id, words]) => `---\nname: n\nmetadata:\n  id: ${id}\n---\n${words}\n`);
  const side = fc.dictionary(file, text).map((record) => new Map(Object.entries(record)));

  function carriedOut(plan: ReturnType<typeof planSync>, files: Map<string, string>): Map<string, string> {
    const after = new Map([...files, ...plan.files]);
    return new Map([...after].filter((entry): entry is [string, string] => entry[1] !== null));
  }

  it("loses no text that one side wrote: it stays, or it waits, or it was removed by the other", () => {
    fc.assert(
      fc.property(side, side, side, (base, ours, theirs) => {
        const plan = planSync(base, ours, theirs);
        const merged = carriedOut(plan, ours);
        const wordsOf = (written: string): string => written.replace(/id: \d\n/, "");
        const kept = new Set(
          [...merged.values(), ...plan.queued.map((version) => version.text)].map(wordsOf),
        );
        const isKept = (texts: Map<string, string>): boolean =>
          [...texts.values()].every(
            (written) => kept.has(wordsOf(written)) || [...base.values()].includes(written),
          );
        const living = (texts: Map<string, string>): Map<string, string> =>
          new Map([...texts].filter(([path]) => !path.startsWith(".tombstones/")));
        expect(isKept(living(ours))).toBe(true);
        expect(isKept(living(theirs))).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it("converges: the other side takes the result as it is, and has nothing to add", () => {
    fc.assert(
      fc.property(side, side, side, (base, ours, theirs) => {
        const plan = planSync(base, ours, theirs);
        const merged = carriedOut(plan, ours);
        // Their own state is the base now: only this side has changed since.
        const back = planSync(theirs, theirs, merged);
        const there = carriedOut(back, theirs);
        expect(Object.fromEntries(there)).toEqual(Object.fromEntries(merged));
        expect(back.queued).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });
});
