import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { encodeMemory } from "../src/memory/codec/encode-memory.ts";
import { syntheticCorpus, syntheticQueries } from "./corpus.ts";

/** Writes a synthetic store as files, in force everywhere, and gives an eight-word query for it. */
export function writeCorpus(root: string, size: number): string[] {
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, "config.yaml"), "# a store that was made\n");
  for (const { card, body } of syntheticCorpus(size)) {
    const path = join(root, card.file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, encodeMemory({ ...card, scope: { paths: [] }, body }));
  }
  return (syntheticQueries(1, 8)[0] ?? "").split(" ");
}
