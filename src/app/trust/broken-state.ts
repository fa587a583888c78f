import { join } from "node:path";
import { CONFLICT } from "../../memory/codec/parse-yaml.ts";
import { splitSource } from "../../memory/codec/front-matter.ts";
import type { Problem } from "../../errors/problem.ts";
import { knownRepositoriesFile } from "../../git/known-repositories.ts";
import { MAX_OWN_FILE_BYTES, readOrEmpty } from "../../platform/regular-file.ts";
import { FORMATS, type FileFormat, keepState, readState } from "../../platform/versioned-file.ts";
import { CONFIG_FILE, keepSettings, stateOfStore } from "../../store/config/store-config.ts";
import { scrubbedFile } from "../../store/scrub/scrubbed-values.ts";
import { Approvals, approvalsFile } from "../../store/trust/approvals.ts";
import { registryFile } from "../../store/trust/store-registry.ts";
import type { Collection } from "../place/collection.ts";
import type { Place } from "../place/place.ts";
import { machineSettings } from "../place/user-config.ts";
import { type HeldRule, heldRules, isReviewed, rulesOf, wasMadeHere } from "./rule-approvals.ts";
import { reviewCommand } from "./user-words.ts";

/** A file that decides what is in force, with what the user does where nothing of it is kept. */
interface DecidingFile {
  file: string;
  format: FileFormat;
  remedy: string;
}

function decidingFiles(place: Place): DecidingFile[] {
  const { places } = place;
  const again = (what: string): string => `restore it, or remove it and ${what}`;
  return [
    {
      file: registryFile(places),
      format: FORMATS.stores,
      remedy: again("run heed trust and heed attach again"),
    },
    { file: scrubbedFile(places), format: FORMATS.scrubbed, remedy: again("scrub again") },
    {
      file: knownRepositoriesFile(places),
      format: FORMATS.repositories,
      remedy: "remove it: the names are learnt again",
    },
    ...place.stores.filter(isReviewed).map(({ root, kind }) => ({
      file: approvalsFile(stateOfStore(places, root)),
      format: FORMATS.approvals,
      remedy: `look at the rules and approve them: ${reviewCommand(kind)}`,
    })),
  ];
}

/**
 * Keeps what is good now of all that decides what is in force: it counts once a file cannot be read. What a newer heed,
 * or one that kept nothing, has written comes in by this.
 */
export function keepGoodState(place: Place): void {
  const { places, found } = place;
  for (const { file, format } of decidingFiles(place)) keepState(file, format);
  for (const { file, problems } of machineSettings(place))
    if (problems.length === 0) keepSettings(file, places);
  for (const { root } of place.stores.filter(isReviewed)) {
    const file = join(root, CONFIG_FILE);
    if (!found.problems.some((problem) => problem.file === file && problem.severity === "error"))
      keepSettings(file, places);
  }
}

/**
 * All that decides what is in force here and cannot be read, or says what is not known: each with file, line and remedy.
 * The one source of what a session's start, `heed status`, `heed check`, `heed health` and the page say of it.
 */
export async function brokenState(place: Place, collection: Collection): Promise<Problem[]> {
  const report = (file: string, message: string, remedy: string): Problem => ({
    file,
    severity: "error",
    code: "broken-state",
    message,
    remedy,
  });
  const foreign = place.stores.filter(({ isTrusted }) => !isTrusted);
  return [
    ...place.found.problems.filter(
      ({ severity, file }) =>
        severity === "error" && !foreign.some(({ root }) => file === join(root, CONFIG_FILE)),
    ),
    ...machineSettings(place).flatMap(({ problems }) => problems),
    ...decidingFiles(place).flatMap(({ file, format, remedy }) => {
      const { content, fault } = readState(file, format);
      if (fault === undefined) return [];
      return content
        ? report(file, `${fault}: its last good state counts`, `restore it: cp ${file}.kept ${file}`)
        : report(file, `${fault}: what it allowed is not in force`, remedy);
    }),
    ...place.stores.flatMap((store) => {
      const state = stateOfStore(place.places, store.root);
      const isLost = store.kind === "user" && isApprovalsFileGone(state) && wasMadeHere(place, store);
      const count = isLost ? rulesOf(collection, store).length : 0;
      return count === 0
        ? []
        : report(
            approvalsFile(state),
            `the store is known here and its approvals are gone: none of its ${count} rules is in force`,
            `look at them and approve them: ${reviewCommand(store.kind)}`,
          );
    }),
    ...(await brokenRules(place, collection)).map(({ store, problem }) => ({
      ...problem,
      file: join(store.root, problem.file),
      message: `${problem.message}: the rule stays in force as it was approved`,
    })),
  ];
}

function isApprovalsFileGone(state: Parameters<typeof approvalsFile>[0]): boolean {
  return (
    new Approvals(state).isLost && readState(approvalsFile(state), FORMATS.approvals).fault === undefined
  );
}

/** An approved rule whose file cannot be read, with what is wrong with the file. */
export interface BrokenRule extends HeldRule {
  problem: Problem;
}

/** The approved rules whose files cannot be read. One that can be read and says something else is a change. */
export async function brokenRules(place: Place, collection: Collection): Promise<BrokenRule[]> {
  const held = heldRules(place, collection);
  if (held.length === 0) return [];
  const { readMemoryFile } = await import("../place/changed-store.ts");
  return held.flatMap((rule): BrokenRule | [] => {
    const { store, file } = rule;
    const { memory, problems } = readMemoryFile(store, file, collection.types);
    const text = readOrEmpty(join(store.root, file), { maxBytes: MAX_OWN_FILE_BYTES });
    if (memory && splitSource(text).opening !== "") return [];
    const conflict = text.search(CONFLICT);
    const lost = {
      line: conflict < 0 ? 1 : text.slice(0, conflict).split("\n").length,
      message: conflict < 0 ? "the front matter does not begin the file" : "a merge conflict (<<<<<<<)",
      remedy: "begin the file with the line `---`",
    };
    const found = memory ? undefined : problems.find(({ severity }) => severity === "error");
    return { ...rule, problem: found ?? { file, severity: "error", code: "broken-rule", ...lost } };
  });
}
