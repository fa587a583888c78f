import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeIndex } from "../src/index/index-writer.ts";
import { TypeTable } from "../src/memory/memory-type.ts";
import type { StoreRef } from "../src/memory/memory.ts";
import { scanStore } from "../src/store/files/scan-store.ts";
import { writeCorpus } from "./corpus-files.ts";
import type { Figure } from "./figure.ts";
import { measureServerMemory } from "./server-memory.ts";
import { median } from "./statistics.ts";

const SIZE = 20_000;
const ROUNDS = 3;

/** What the build of an index costs beside reading and parsing the same files, and what a resident server holds. */
export async function run(): Promise<Figure[]> {
  const home = mkdtempSync(join(tmpdir(), "heed-index-"));
  const root = join(home, "memory");
  try {
    const words = writeCorpus(root, SIZE);
    const store: StoreRef = { id: "bench", kind: "user", root, isTrusted: true, isReadOnly: false };
    const types = new TypeTable();
    const ratios: number[] = [];
    let parseMs = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const beforeParse = cpuMs();
      const { memories } = scanStore(store, types);
      const beforeBuild = cpuMs();
      writeIndex(join(home, "index"), memories);
      parseMs = beforeBuild - beforeParse;
      ratios.push((cpuMs() - beforeParse) / parseMs);
    }
    return [
      {
        name: "build_ratio",
        value: median(ratios),
        unit: "x",
        n: ROUNDS,
        baseline: 1,
        note: `reading and parsing alone: ${(parseMs / 1000).toFixed(1)} s CPU`,
      },
      {
        name: "rss_mb_20k",
        value: await measureServerMemory(home, root, words.join(" ")),
        unit: "MB",
        n: 1,
        note: "MCP server after a search and a prompt",
      },
    ];
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
