import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { encodeMemory } from "../src/memory/codec/encode-memory.ts";
import { syntheticCorpus, syntheticQueries } from "./corpus.ts";
import type { Places } from "../src/platform/places.ts";
import { stateOfStore } from "../src/store/config/store-config.ts";
import { approvalsFile } from "../src/store/trust/approvals.ts";

/** Writes a synthetic store as files, in force everywhere, and gives an eight-word query for it. */
export function writeCorpus(root: string, size: number): string[] {
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, "config.yaml"), "# a store that was made\n");
  const [state, real] = [join(dirname(root), "state"), realpathSync(root)];
  mkdirSync(state, { recursive: true });
  const known = { version: 1, trusted: { user: [real] }, attached: [] };
  writeFileSync(join(state, "stores.json"), JSON.stringify(known));
  const approvals = approvalsFile(stateOfStore({ state } as Places, root));
  mkdirSync(dirname(approvals), { recursive: true });
  writeFileSync(approvals, '{"format":1,"rules":{}}');
  for (const { metadata, body } of syntheticCorpus(size)) {
    const path = join(root, metadata.file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, encodeMemory({ ...metadata, scope: { paths: [] }, body }));
  }
  return (syntheticQueries(1, 8)[0] ?? "").split(" ");
}
