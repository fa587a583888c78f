import { join } from "node:path";
import { splitFrontMatter } from "../../memory/codec/front-matter.ts";
import { lineOfKey } from "../../memory/codec/read-front-matter.ts";
import type { MemoryCard } from "../../memory/memory-card.ts";
import type { TypeTable } from "../../memory/memory-type.ts";
import type { Problem } from "../../errors/problem.ts";
import type { StoreRef } from "../../memory/store-ref.ts";
import type { StoreScan } from "../../store/files/scan-store.ts";
import { listMemoryFiles, scanStore } from "../../store/files/scan-store.ts";
import { readStoreConfig } from "../../store/config/store-config.ts";
import type { UserWord } from "../trust/user-words.ts";
import { readUserWords, whyHeldBack } from "../trust/user-words.ts";
import { isOpenToOthers } from "../../platform/stat-if-there.ts";
import { checkMemory } from "./check-memory.ts";
import type { KnownHandles } from "./check-siblings.ts";
import { checkSiblings } from "./check-siblings.ts";
import type { CheckReport } from "../api/upkeep-reports.ts";
import type { Place } from "../place/place.ts";
import { MAX_OWN_FILE_BYTES, readRegularFile } from "../../platform/regular-file.ts";
import { findSecrets } from "../../screening/find-secrets.ts";

/**
 * Every problem of every store that holds here, with file, line and remedy: what a file says wrongly, what its type asks
 * for and it lacks, names and ids given twice, links to nothing, dates that lose their meaning, secrets, and
 * faults of the configuration. Reads all files and changes none.
 */
export async function checkStores(place: Place): Promise<CheckReport> {
  const { stores, types } = place;
  const scans = stores.map((store) => ({ store, scan: scanStore(store, types) }));
  const cards = scans.flatMap(({ scan }) => scan.memories.map(({ card }) => card));
  // A link may point into another store: a project's memory to one of the user's.
  const known: KnownHandles = {
    names: new Set(cards.map(({ name }) => name)),
    ids: new Set(cards.map(({ id }) => id)),
  };
  const report: CheckReport = { stores: [], errors: 0, warnings: 0 };
  for (const { store, scan } of scans) {
    const problems = await checkStore(store, scan, types, known, {
      now: place.now(),
      words: readUserWords(place.places),
    });
    problems.push(...openFolders(place, store));
    report.stores.push({
      store,
      files: listMemoryFiles(store.root).length,
      memories: scan.memories.length,
      problems,
    });
    report.errors += problems.filter(({ severity }) => severity === "error").length;
    report.warnings += problems.filter(({ severity }) => severity === "warning").length;
  }
  return report;
}

/** What is private in the user's own folders, and lies open to other users of the machine. */
function openFolders({ places }: Place, store: StoreRef): Problem[] {
  if (store.kind !== "user") return [];
  return [store.root, places.state].filter(isOpenToOthers).map((folder) => ({
    file: folder === store.root ? "." : folder,
    severity: "warning",
    code: "permissions",
    message: `other users of this machine may look into ${folder}`,
    remedy: `chmod 700 ${folder}`,
  }));
}

async function checkStore(
  store: StoreRef,
  scan: StoreScan,
  types: TypeTable,
  known: KnownHandles,
  { now, words }: { now: Date; words: ReadonlyMap<string, UserWord> },
): Promise<Problem[]> {
  const textOf = (file: string): string => {
    try {
      return readRegularFile(join(store.root, file), { maxBytes: MAX_OWN_FILE_BYTES });
    } catch {
      // Gone since the scan: then its lines do not matter either.
      return "";
    }
  };
  const problems = [...readStoreConfig(store.root).problems, ...scan.problems];
  for (const memory of scan.memories) {
    const policy = types.get(memory.card.type);
    const held = whyHeldBack(memory.card);
    if (held !== undefined && words.get(memory.card.contentHash) !== "confirmed")
      problems.push({
        file: memory.card.file,
        severity: "warning",
        code: "hostile",
        message: `${held}: it is told to nobody`,
        remedy: `read it, then release it (heed inbox confirm ${memory.card.name}) or remove it`,
      });
    const isForeign = store.kind === "attached" || memory.card.section !== undefined;
    problems.push(...checkMemory(memory, { policy, isForeign, now, text: textOf(memory.card.file) }));
  }
  for (const file of listMemoryFiles(store.root)) problems.push(...checkSecrets(file, textOf(file)));
  const lineOf = (card: MemoryCard, key: string): number =>
    card.section === undefined ? lineOfKey(splitFrontMatter(textOf(card.file)), key) : 1;
  problems.push(
    ...checkSiblings(
      scan.memories.map(({ card }) => card),
      known,
      lineOf,
    ),
  );
  return problems.sort((a, b) => a.file.localeCompare(b.file) || (a.line ?? 0) - (b.line ?? 0));
}

/** The secrets in the text of a memory's file: a hand edit passes no gate. What they are is said, never their value. */
function checkSecrets(file: string, text: string): Problem[] {
  return findSecrets(text).map(({ kind, start }) => ({
    file,
    line: text.slice(0, start).split("\n").length,
    severity: "error",
    code: "secret",
    message: `there is a secret in it (${kind}): it is redacted where heed shows the memory, but the file and its history hold it`,
    remedy:
      "take it out with `heed scrub`, which removes it everywhere, and replace it at the service that gave it",
  }));
}
