import { join } from "node:path";
import type { Problem } from "../../errors/problem.ts";
import { knownRepositoriesFile } from "../../git/known-repositories.ts";
import { splitSource } from "../../memory/codec/front-matter.ts";
import { MAX_OWN_FILE_BYTES, readOrEmpty } from "../../platform/regular-file.ts";
import { FORMATS, type FileFormat, keepState, readState } from "../../platform/versioned-file.ts";
import { CONFIG_FILE, keepSettings, readStoreConfig, stateOfStore } from "../../store/config/store-config.ts";
import { scrubbedFile } from "../../store/scrub/scrubbed-values.ts";
import { Approvals, approvalsFile } from "../../store/trust/approvals.ts";
import { registryFile } from "../../store/trust/store-registry.ts";
import type { Collection } from "../place/collection.ts";
import type { Place } from "../place/place.ts";
import { machineSettings } from "../place/user-config.ts";
import { type MissingRule, heldRules, isReviewed, rulesOf, wasMadeHere } from "./rule-approvals.ts";
import { reviewCommand } from "./user-words.ts";

/** The settings that hold here, each file with what is wrong in it. What an untrusted store says decides nothing. */
function settingsOf(place: Place): { file: string; problems: readonly Problem[] }[] {
  const stores = place.stores.filter(isReviewed).map(({ root }) => {
    const file = join(root, CONFIG_FILE);
    const { problems } = readStoreConfig(root, place.places);
    return { file, problems: problems.map((problem) => ({ ...problem, file })) };
  });
  return [...stores, ...machineSettings(place)];
}

/** State that decides what is in force, with what the user does where nothing of it is kept. */
function stateOf(place: Place): [file: string, format: FileFormat, remedy: string][] {
  const { places } = place;
  return [
    [registryFile(places), FORMATS.stores, "remove it, then run heed trust and heed attach again"],
    [scrubbedFile(places), FORMATS.scrubbed, "restore it, or remove it and scrub again"],
    [knownRepositoriesFile(places), FORMATS.repositories, "remove it: the names are learnt again"],
    ...place.stores.filter(isReviewed).map(({ root, kind }): ReturnType<typeof stateOf>[number] => {
      const remedy = `look at the rules and approve them: ${reviewCommand(kind)}`;
      return [approvalsFile(stateOfStore(places, root)), FORMATS.approvals, remedy];
    }),
  ];
}

/** Keeps what is good now of all that decides what is in force: it counts once a file cannot be read. */
export function keepGoodState(place: Place): void {
  for (const [file, format] of stateOf(place)) keepState(file, format);
  for (const { file, problems } of settingsOf(place))
    if (problems.length === 0) keepSettings(file, place.places);
}

/**
 * All that decides what is in force here and cannot be read, or says what is not known: each with file, line and remedy.
 * The one source of what a session's start, `heed status`, `heed check`, `heed health` and the page say of it.
 */
export async function brokenState(place: Place, collection: Collection): Promise<Problem[]> {
  const state = stateOf(place).flatMap(([file, format, remedy]): Problem | [] => {
    const { content, fault = lostWords(place, collection, file) } = readState(file, format);
    if (fault === undefined) return [];
    const [message, what] = content
      ? [`${fault}: its last good state counts`, `restore it: cp ${file}.kept ${file}`]
      : [`${fault}: what it allowed is not in force`, remedy];
    return { file, severity: "error", code: "broken-state", message, remedy: what };
  });
  const rules = (await brokenRules(place, collection)).map(({ problem }) => problem);
  return [...rules, ...settingsOf(place).flatMap(({ problems }) => problems), ...state];
}

/** What is told of a known store of the user's whose approvals are gone while it has rules. */
function lostWords(place: Place, collection: Collection, file: string): string | undefined {
  const store = place.stores.find(({ kind }) => kind === "user");
  const state = store && stateOfStore(place.places, store.root);
  if (!state || file !== approvalsFile(state) || !wasMadeHere(place, store)) return undefined;
  const isTold = new Approvals(state).isLost && rulesOf(collection, store).length > 0;
  return isTold ? "the store is known here without approvals" : undefined;
}

/** An approved rule whose file cannot be read, with what is wrong with the file. */
export interface BrokenRule extends MissingRule {
  problem: Problem;
}

/** The approved rules whose files cannot be read. One that can be read and says something else is a change. */
export async function brokenRules(place: Place, collection: Collection): Promise<BrokenRule[]> {
  const held = heldRules(place, collection);
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
