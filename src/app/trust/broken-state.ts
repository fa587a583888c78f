import { join } from "node:path";
import type { Problem } from "../../errors/problem.ts";
import { knownRepositoriesFile } from "../../git/known-repositories.ts";
import { splitSource } from "../../memory/codec/front-matter.ts";
import { MAX_OWN_FILE_BYTES, readOrEmpty } from "../../platform/regular-file.ts";
import { FORMATS, type FileFormat, keepFile, keptOf, readState } from "../../platform/versioned-file.ts";
import { CONFIG_FILE, keptSettings, stateOfStore } from "../../store/config/store-config.ts";
import { scrubbedFile } from "../../store/scrub/scrubbed-values.ts";
import { Approvals, approvalsFile } from "../../store/trust/approvals.ts";
import { registryFile } from "../../store/trust/store-registry.ts";
import type { Collection } from "../place/collection.ts";
import type { Place } from "../place/place.ts";
import { machineSettings } from "../place/user-config.ts";
import { type Rule, heldRules, isReviewed, rulesOf, unreviewedRules, wasMadeHere } from "./rule-approvals.ts";
import { reviewCommand } from "./user-words.ts";

/** What decides what is in force here: each file, where its last good state is kept, and what is wrong with it. */
function decidingFiles(place: Place, collection?: Collection): Kept[] {
  const { places, found } = place;
  // What an untrusted store says decides nothing.
  const stores = place.stores.filter(isReviewed);
  const settings = stores.map(({ root }) => {
    const file = join(root, CONFIG_FILE);
    return { file, problems: found.problems.filter((one) => one.file === file && one.severity === "error") };
  });
  const state = (file: string, format: FileFormat, remedy: string, lost?: string): Kept => {
    const kept = keptOf(file);
    const { content, fault } = readState(file, format);
    const why = fault?.message ?? lost;
    const [message, what] = content
      ? [`${why}: its last good state counts`, `restore it: cp ${kept} ${file}`]
      : [`${why}: what it allowed is not in force`, remedy];
    const problem = { file, severity: "error", code: "broken-state", message, remedy: what } as const;
    return { file, kept, problems: why === undefined ? [] : [problem] };
  };
  return [
    ...[...settings, ...machineSettings(place)].map((one) => ({
      kept: keptSettings(one.file, places),
      ...one,
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

type Kept = { file: string; kept: string; problems: readonly Problem[] };

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
  const files = decidingFiles(place, collection);
  return [...rules.map(({ problem }) => problem), ...files.flatMap(({ problems }) => problems)];
}

/** The approved rules whose files cannot be read. One that can be read and says something else is a change. */
export async function brokenRules(
  place: Place,
  collection: Collection,
): Promise<(Rule & { problem: Problem })[]> {
  const held = heldRules(unreviewedRules(place, collection));
  const { readMemoryFile } = await import("../place/changed-store.ts");
  return held.flatMap((rule): (Rule & { problem: Problem }) | [] => {
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
