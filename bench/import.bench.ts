import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { ImportReport } from "../src/heed.ts";
import { syntheticCorpus } from "./corpus.ts";
import type { Figure } from "./figure.ts";
import { withThrowawayHeed } from "./throwaway-heed.ts";

const PERSON = { kind: "person" } as const;
const OUTCOMES = ["new", "waits", "known", "changed", "refused"] as const;

/** What it takes to import many records of another tool at once (`--records N`, default 10,000), and the same file again. */
export async function run(args: readonly string[]): Promise<Figure[]> {
  const { values } = parseArgs({
    args: [...args],
    options: { records: { type: "string", default: "10000" } },
  });
  const records = Number(values.records);
  const folder = mkdtempSync(join(tmpdir(), "heed-import-"));
  const from = join(folder, "memory.jsonl");
  try {
    writeFileSync(from, recordsOf(records));
    return await withThrowawayHeed("2026-11-22", async ({ heed }) => {
      const take = (): Promise<ImportReport> => heed.exchange.importFrom({ from, isApplied: true }, PERSON);
      return [await importFigure("import", records, take), await importFigure("import_again", records, take)];
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function importFigure(name: string, n: number, take: () => Promise<ImportReport>): Promise<Figure> {
  const before = process.cpuUsage();
  const { memories } = await take();
  const { user, system } = process.cpuUsage(before);
  const counts = OUTCOMES.map((outcome) => ({
    outcome,
    count: memories.filter((memory) => memory.outcome === outcome).length,
  })).filter(({ count }) => count > 0);
  return {
    name: `${name}_cpu`,
    value: (user + system) / 1_000_000,
    unit: "s",
    n,
    note: counts.map(({ outcome, count }) => `${count} ${outcome}`).join(", "),
  };
}

/** A knowledge graph of made-up entities, one observation each, as server-memory writes it. */
function recordsOf(count: number): string {
  return [...syntheticCorpus(count)]
    .map(({ metadata }) => ({
      type: "entity",
      name: metadata.name,
      entityType: "note",
      observations: [metadata.description],
    }))
    .map((record) => `${JSON.stringify(record)}\n`)
    .join("");
}
