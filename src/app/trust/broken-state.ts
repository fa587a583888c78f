import { join } from "node:path";
import type { StoreRef } from "../../memory/memory.ts";
import type { Problem } from "../../errors/problem.ts";
import { knownRepositoriesFile } from "../../git/known-repositories.ts";
import { splitSource } from "../../memory/codec/front-matter.ts";
import { MAX_OWN_FILE_BYTES, readOrEmpty } from "../../platform/regular-file.ts";
import { FORMATS, type FileFormat, keepFile, keptOf, readState } from "../../platform/versioned-file.ts";
import { CONFIG_FILE, keptSettings, readStoreConfig, stateOfStore } from "../../store/config/store-config.ts";
import { scrubbedFile } from "../../store/scrub/scrubbed-values.ts";
import { Approvals, approvalsFile } from "../../store/trust/approvals.ts";
import { registryFile } from "../../store/trust/store-registry.ts";
import type { Collection } from "../place/collection.ts";
import type { Place } from "../place/place.ts";
import { machineSettings } from "../place/user-config.ts";
import { heldRules, isReviewed, rulesOf, unreviewedRules, wasMadeHere } from "./rule-approvals.ts";
import { reviewCommand } from "./user-words.ts";

/** A file that decides what is in force here, where what was last good is kept, and what is wrong with it. */
interface DecidingFile {
  file: string;
  kept: string;
  problems: Problem[];
}

function decidingFiles(place: Place, collection?: Collection): DecidingFile[] {
  const { places } = place;
  // What an untrusted store says decides nothing.
  const stores = place.stores.filter(isReviewed);
  const settings = stores.map(({ root }) => {
    const [file, { problems }] = [join(root, CONFIG_FILE), readStoreConfig(root, places)];
    return { file, problems: problems.map((problem) => ({ ...problem, file })) };
  });
  const state = (file: string, format: FileFormat, remedy: string, lost?: string): DecidingFile => {
    const { content, fault = lost === undefined ? undefined : { message: lost } } = readState(file, format);
    const [counts, what] = content
      ? ["its last good state counts", `restore it: cp ${keptOf(file)} ${file}`]
      : ["what it allowed is not in force", remedy];
    const message = `${fault?.message}: ${counts}`;
    const problem: Problem = { file, severity: "error", code: "broken-state", message, remedy: what };
    return { file, kept: keptOf(file), problems: fault ? [problem] : [] };
  };
  return [
    ...[...settings, ...machineSettings(place)].map((one) => ({
      ...one,
      kept: keptSettings(one.file, places),
    })),
    state(registryFile(places), FORMATS.stores, "remove it, then run heed trust and heed attach again"),
    state(scrubbedFile(places), FORMATS.scrubbed, "restore it, or remove it and scrub again"),
    state(knownRepositoriesFile(places), FORMATS.repositories, "remove it: the names are learnt again"),
    ...stores.map((store) => {
      const approved = stateOfStore(places, store.root);
      const isKnown = store.kind === "user" && wasMadeHere(place, store) && new Approvals(approved).isLost;
      const isLost = isKnown && collection !== undefined && rulesOf(collection, store).length > 0;
      const remedy = `look at the rules and approve them: ${reviewCommand(store.kind)}`;
      const lost = isLost ? "a known store without approvals" : undefined;
      return state(approvalsFile(approved), FORMATS.approvals, remedy, lost);
    }),
  ];
}

/** Keeps what is good now of all that decides what is in force: it counts once a file cannot be read. */
export function keepGoodState(place: Place): void {
  for (const { file, kept, problems } of decidingFiles(place))
    if (problems.length === 0) keepFile(file, kept);
}

/**
 * All that decides what is in force here and cannot be read, or says what is not known: each with file, line and remedy.
 * The one source of what a session's start, `heed status`, `heed check`, `heed health` and the page say of it.
 */
export async function brokenState(place: Place, collection: Collection): Promise<Problem[]> {
  const rules = await brokenRules(place, collection);
  return [
    rules.map(({ problem }) => problem),
    decidingFiles(place, collection).flatMap(({ problems }) => problems),
  ].flat();
}

/** An approved rule whose file cannot be read, with what is wrong with the file. */
export interface BrokenRule {
  store: StoreRef;
  id: string;
  file: string;
  problem: Problem;
}

/** The approved rules whose files cannot be read. One that can be read and says something else is a change. */
export async function brokenRules(place: Place, collection: Collection): Promise<BrokenRule[]> {
  const held = heldRules(unreviewedRules(place, collection));
  const { readMemoryFile } = await import("../place/changed-store.ts");
  return held.flatMap((rule): BrokenRule | [] => {
    const path = join(rule.store.root, rule.file);
    const { memory, problems } = readMemoryFile(rule.store, rule.file, collection.types);
    const { opening } = splitSource(readOrEmpty(path, { maxBytes: MAX_OWN_FILE_BYTES }));
    if (memory && opening !== "") return [];
    const fault = (!memory && problems.find(({ severity }) => severity === "error")) || {
      line: 1,
      message: "it does not begin with its front matter",
      remedy: "begin it with the line `---`",
    };
    const message = `${fault.message}; the rule stays in force as it was approved`;
    return { ...rule, problem: { severity: "error", code: "broken-rule", ...fault, file: path, message } };
  });
}
