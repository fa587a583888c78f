// A process for the store's tests: makes, amends, renames, removes and restores memories, some of its own and one that
// all writers share, and prints each change after the store has confirmed it.
import { HeedError } from "../../src/machine/heed-error.ts";
import { TypeTable } from "../../src/memory/memory-type.ts";
import type { StoreKind } from "../../src/memory/memory.ts";
import { FileMemoryStore } from "../../src/store/file-memory-store.ts";
import { aMemory } from "./a-memory.ts";

const [, , root = "", state = "", writer = "", rounds = "0", kind = "user"] = process.argv;
const store = new FileMemoryStore(
  { id: "S", kind: kind as StoreKind, root, isTrusted: true, isReadOnly: false },
  {
    places: { userStore: root, state, cache: state, config: state, policy: `${state}/none` },
    types: new TypeTable(),
    now: () => new Date(),
    lockWaitMs: 120_000,
  },
);
const note = { why: `writer ${writer}`, actor: { kind: "model", client: `w${writer}` } } as const;
const confirm = (line: string): boolean => process.stdout.write(`${line}\n`);
const SHARED = "project/shared.md";

for (let round = 0; round < Number(rounds); round++) {
  const name = `w${writer}-${round}`;
  switch (round % 5) {
    case 0:
      await store.create(aMemory({ id: `ID-${name}`, name, body: "made" }), note);
      confirm(`made ${name}`);
      break;
    case 1: {
      const file = `feedback/w${writer}-${round - 1}.md`;
      const hash = store.read(file).memory?.metadata.contentHash ?? "";
      await store.amend(file, { body: `made\n\namended by ${name}` }, hash, note);
      confirm(`amended ${name}`);
      break;
    }
    case 2:
    case 3:
      await addToShared(name);
      confirm(`shared ${name}`);
      break;
    case 4: {
      const file = `feedback/w${writer}-${round - 4}.md`;
      if (round % 2 === 0) await store.rename(file, `${name}-renamed`, note);
      else {
        await store.remove(file, "done", note.actor);
        if (round % 3 === 0) await store.restore(`w${writer}-${round - 4}`, note);
      }
      confirm(`moved ${name}`);
      break;
    }
  }
}
const problems = await store.reconcile();
if (problems.length > 0) {
  console.error(problems);
  process.exitCode = 1;
}

/** Adds a line to the memory that all share: reads, writes, and begins again when somebody was faster. */
async function addToShared(line: string): Promise<void> {
  for (;;) {
    const { memory } = store.read(SHARED);
    try {
      const body = `${memory?.body ?? ""}\n- ${line}`;
      await store.amend(SHARED, { body }, memory?.metadata.contentHash ?? "", note);
      return;
    } catch (error) {
      if (!(error instanceof HeedError && error.code === "changed-outside")) throw error;
    }
  }
}
