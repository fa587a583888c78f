import { join } from "node:path";
import type { Collection } from "../collection.ts";
import type { Place } from "../place.ts";
import { logTrouble } from "../trouble-log.ts";
import { readUserConfig } from "../user-config.ts";
import { isReviewed, rulesOf, wasMadeHere } from "./rule-approvals.ts";
import { reviewCommand } from "./user-words.ts";
import type { Problem } from "../../machine/problem.ts";
import { knownRepositoriesFile } from "../../machine/known-repositories.ts";
import { MAX_OWN_FILE_BYTES, readOrEmpty } from "../../machine/regular-file.ts";
import { FORMATS, type FileFormat, keepFile, keptOf, readState } from "../../machine/versioned-file.ts";
import { shownText } from "../../memory/shown-text.ts";
import { redactValue } from "../../memory/screening/find-secrets.ts";
import { CONFIG_FILE, keptSettings, readSettings, stateOfStore } from "../../store/config/store-config.ts";
import { Approvals, approvalsFile } from "../../store/trust/approvals.ts";
import { registryFile } from "../../store/trust/store-registry.ts";

interface Deciding {
  file: string;
  /** Where what heed last wrote, or a person took over, is kept: that counts. */
  kept: string;
  look: () => {
    problems: readonly Problem[];
    /** It was changed outside heed. People write `settings` too, and may take the change over; state is heed's alone. */
    changed?: "settings" | "state";
  };
}

/** What decides what is in force here: settings, approvals, and what else heed keeps. What an untrusted store says does not. */
export function decidingFiles(place: Place, collection?: Collection): Deciding[] {
  const { places } = place;
  const stores = place.stores.filter(isReviewed);
  const settings = (file: string, problemsNow: () => readonly Problem[]): Deciding => ({
    file,
    kept: keptSettings(file, places),
    look: () => {
      const isChange = readSettings(file, places).fault?.isChange === true;
      return { problems: problemsNow(), ...(isChange && { changed: "settings" }) };
    },
  });
  const state = (
    file: string,
    format: FileFormat,
    remedy: string,
    whyLost?: () => string | undefined,
  ): Deciding => ({
    file,
    kept: keptOf(file),
    look: () => {
      const { content, fault } = readState(file, format);
      const why = fault?.message ?? whyLost?.();
      if (why === undefined) return { problems: [] };
      const [message, what] = content
        ? [`${why}: its last good state stays in force`, "heed trust puts it back"]
        : [`${why}: what it allowed is not in force`, remedy];
      const problem = { file, severity: "error", code: "broken-state", message, remedy: what } as const;
      return { problems: [problem], ...(content && fault && { changed: "state" }) };
    },
  });
  return [
    ...stores.map(({ root }) => {
      const file = join(root, CONFIG_FILE);
      const isError = (one: Problem): boolean => one.file === file && one.severity === "error";
      return settings(file, () => place.found.problems.filter(isError));
    }),
    settings(join(places.config, CONFIG_FILE), () => readUserConfig(places).problems),
    state(registryFile(places), FORMATS.stores, "remove it, then run heed trust and heed attach again"),
    state(knownRepositoriesFile(places), FORMATS.repositories, "remove it: the names are learnt again"),
    ...stores.map((store) => {
      const approved = stateOfStore(places, store.root);
      const remedy = `look at the rules and approve them: ${reviewCommand(store.kind)}`;
      return state(approvalsFile(approved), FORMATS.approvals, remedy, () => {
        const isKnown = store.kind === "user" && wasMadeHere(place, store) && new Approvals(approved).isLost;
        const isLost = isKnown && collection !== undefined && rulesOf(collection, store).length > 0;
        return isLost ? "a known store without approvals" : undefined;
      });
    }),
  ];
}

/** Keeps what is good now and was not kept before, and gives back what is good. Never throws. */
export function keepGoodState(place: Place): Pick<Deciding, "file" | "kept">[] {
  try {
    const good = decidingFiles(place).filter(({ look }) => look().problems.length === 0);
    for (const { file, kept } of good) keepFile(file, kept);
    return good;
  } catch (error) {
    logTrouble("what was last good", error, place.env);
    return [];
  }
}

/** What was changed outside heed, for the person who reviews it: of settings all lines, those that went and came marked. */
export function changesPastHeed(place: Place): string[] {
  const read = (path: string): string[] =>
    readOrEmpty(path, { maxBytes: MAX_OWN_FILE_BYTES })
      .split(/\r?\n/)
      .filter((line) => line.trim() !== "");
  const lines = decidingFiles(place).flatMap(({ file, kept, look }) => {
    const { changed } = look();
    if (changed === undefined) return [];
    if (changed === "state") return [`${file} is put back as heed wrote it`];
    const [was, is] = [read(kept), read(file)];
    const gone = was.filter((line) => !is.includes(line)).map((line) => `- ${line}`);
    const now = is.map((line) => `${was.includes(line) ? " " : "+"} ${line}`);
    return [`${file} was changed outside heed:`, ...gone, ...now];
  });
  return redactValue(lines, shownText);
}

/** A person has seen the changes: settings hold as they are now, heed's own state as it was kept. */
export function acceptChanges(place: Place): void {
  for (const { file, kept, look } of decidingFiles(place)) {
    const { changed } = look();
    if (changed === "settings") keepFile(file, kept);
    else if (changed === "state") keepFile(kept, file);
  }
}
