import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { encodeMemory } from "../src/memory/codec/encode-memory.ts";
import { syntheticCorpus, syntheticQueries } from "./corpus.ts";
import type { Places } from "../src/machine/places.ts";
import { stateOfStore } from "../src/store/config/store-config.ts";
import { TypeTable } from "../src/memory/memory-type.ts";
import { approveOwnChange } from "../src/store/consent.ts";

/** Writes a synthetic store as files, in force everywhere, and gives an eight-word query for it. */
export function writeCorpus(root: string, size: number): string[] {
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, "config.yaml"), "# a store that was made\n");
  const [state, real] = [join(dirname(root), "state"), realpathSync(root)];
  mkdirSync(state, { recursive: true });
  const known = { version: 1, trusted: { user: [real] }, attached: [] };
  writeFileSync(join(state, "stores.json"), JSON.stringify(known));
  const files = Array.from(syntheticCorpus(size), ({ metadata, body }) => {
    const path = join(root, metadata.file);
    const after = encodeMemory({ ...metadata, scope: { paths: [] }, body });
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, after);
    return { file: metadata.file, before: null, after };
  });
  const ref = { id: "user", kind: "user", root, isTrusted: true, isReadOnly: false } as const;
  const store = { ref, state: stateOfStore({ state } as Places, root), types: new TypeTable() };
  approveOwnChange(store, { files, actor: { kind: "person" } });
  return (syntheticQueries(1, 8)[0] ?? "").split(" ");
}
