import { existsSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { type Collection, openCollection } from "../collection.ts";
import type { Place } from "../place.ts";
import { unansweredEvents } from "../trouble-log.ts";
import {
  type Rule,
  changesPastHeed,
  decidingFiles,
  keepGoodState,
  heldRules,
  isReviewed,
  rulesOf,
  unreviewedRules,
  acceptChanges,
} from "./rule-approvals.ts";
import type { MemoryMetadata, StoreRef } from "../../memory/memory.ts";
import { withLock } from "../../machine/file-lock.ts";
import { MAX_OWN_FILE_BYTES, namesInFolder, readOrEmpty, statIfThere } from "../../machine/regular-file.ts";
import { blobIdOf } from "../../machine/blobs.ts";
import { stateOfStore } from "../../store/config/store-config.ts";
import { PROJECT_FOLDER } from "../../store/find-stores.ts";
import { splitSource } from "../../memory/codec/front-matter.ts";
import { keepFile } from "../../machine/state-file.ts";
import type { TrustEntry, TrustReview } from "./trust-entries.ts";
import { describeEntries, entryOf, saidIn, tokenOf } from "./trust-entries.ts";
import { contentHashOf } from "../../store/files/scan-store.ts";
import {
  type ApprovedText,
  Approvals,
  changeApprovals,
  readStoreRegistry,
  trustStore,
} from "../../store/consent.ts";
import { runGit } from "../../machine/run-git.ts";
import { TRUST_FILE } from "../../machine/places.ts";
import { shellWord } from "../../machine/shell-word.ts";
import { clientMemoryPlace } from "../client-memory.ts";
import { type Problem, problemWords, HeedError } from "../../machine/heed-error.ts";
import { failedExamplesOf } from "../../guard/parse-guards.ts";
import { shownText } from "../../memory/shown-text.ts";
import { redactValue } from "../../memory/screening/find-secrets.ts";

/** Runs a sync or scrub: what was approved stays approved in its new text, what waited for a review waits on. */
export async function keepingApprovals<T>(place: Place, run: () => Promise<T>): Promise<T> {
  const good = keepGoodState(place);
  const before = await openCollection(place, { thoroughness: "full" });
  const { unapproved } = await unreviewedRules(place, before);
  const waiting = new Set(unapproved.map(({ metadata }) => metadata.contentHash));
  const result = await run();
  for (const { file, kept } of good) keepFile(file, kept);
  place.lookAgain();
  const after = await openCollection(place, { thoroughness: "full" });
  for (const store of after.stores.filter(isReviewed)) {
    const approvals = new Approvals(stateOfStore(place.places, store.root));
    const approved = rulesOf(after, store).filter(
      (metadata) => !waiting.has(metadata.contentHash) && !approvals.has(metadata.id, metadata.contentHash),
    );
    if (approved.length > 0) await approveTexts(place, store, approved);
  }
  return result;
}

async function approveTexts(
  place: Place,
  store: StoreRef,
  memories: readonly MemoryMetadata[],
  forgotten: readonly string[] = [],
): Promise<void> {
  const state = stateOfStore(place.places, store.root);
  await withLock(state.writeLock, { what: "approve rules" }, () => {
    const approved = memories.flatMap((metadata): ApprovedText[] => {
      const { id, name, contentHash: hash, file } = metadata;
      const text = textOf(store, metadata);
      // What changed since it was looked at is looked at the next time.
      return contentHashOf(text) === hash ? [{ id, name, hash, file, text }] : [];
    });
    changeApprovals(state, approved, forgotten);
  });
}

export function textOf(store: StoreRef, metadata: MemoryMetadata): string {
  return readOrEmpty(join(store.root, metadata.file), { maxBytes: MAX_OWN_FILE_BYTES });
}

/** What a trust approves and forgets: neither a rule whose file cannot be read, nor what heed makes of that file. */
async function rulesToReview(
  place: Place,
  collection: Collection,
  store: StoreRef,
): Promise<{ rules: MemoryMetadata[]; gone: string[]; unreadable: string[] }> {
  const broken = (await brokenRules(place, collection)).filter((rule) => rule.store.id === store.id);
  const rules = rulesOf(collection, store).filter(({ file }) => !broken.some((rule) => rule.file === file));
  const left = new Set([...rules, ...broken].map(({ id }) => id));
  // What was not read in time is not gone.
  const ids = collection.isCut ? [] : new Approvals(stateOfStore(place.places, store.root)).ids();
  const gone = ids.filter((id) => !left.has(id));
  return { rules, gone, unreadable: broken.map(({ problem }) => problemWords(problem)) };
}

/** All of a store that would take force when it is trusted, whether pulled, edited or laid there; with its secrets. */
export async function reviewStore(place: Place, store: StoreRef): Promise<TrustReview> {
  if (store.kind === "team" && !store.server)
    return (await import("./team-store.ts")).reviewTeam(place, store);
  const collection = await openCollection(place, { thoroughness: "full" });
  const approvals = new Approvals(stateOfStore(place.places, store.root));
  const { rules, gone, unreadable } = await rulesToReview(place, collection, store);
  const { types } = place;
  const approvedAs = (id: string): ReturnType<typeof saidIn> => {
    const known = store.isTrusted ? approvals.newestOf(id) : undefined;
    return known && saidIn(store, types, known.file, known.text);
  };
  const accounted = await accountedFor(place, store);
  const pending = rules.filter(({ id, contentHash }) => !store.isTrusted || !approvals.has(id, contentHash));
  const files = new Set(rules.map(({ file }) => file));
  // Facts that come with a clone; later ones are data, and count already.
  const facts = store.kind === "project" && !store.isTrusted ? collection.memories() : [];
  const entries = [
    ...pending.flatMap((metadata) => {
      const text = textOf(store, metadata);
      const isAccounted = accounted.get(metadata.file) === blobIdOf(text) && metadata.flags === undefined;
      return entryOf(types, { metadata, text }, approvedAs(metadata.id)).map((entry) => ({
        ...entry,
        isAccounted,
      }));
    }),
    ...gone.flatMap((id) => entryOf(types, undefined, approvedAs(id))),
    ...facts
      .filter(({ storeId, file }) => storeId === store.id && !files.has(file))
      .flatMap((metadata) => entryOf(types, { metadata, text: textOf(store, metadata) }, undefined)),
  ];
  const past = changesPastHeed(place);
  return {
    store,
    says: describeEntries(entries),
    entries,
    changed: past,
    unreadable,
    inForce: rules.length - pending.length,
    token: tokenOf(entries, ...past),
  };
}

const OTHERS = "another's";

/** Last texts, by file, of rules that heed alone wrote, by the store's history; for lost approvals of the user's own store. */
async function accountedFor(place: Place, store: StoreRef): Promise<Map<string, string | null>> {
  if (store.kind !== "user") return new Map();
  const { openedStore } = await import("../opened-stores.ts");
  const last = new Map<string, string | null>();
  for (const { record, files } of (await openedStore(place, store).history().entries()).toReversed()) {
    const isMove = files.some(({ after }) => after === null);
    for (const { file, before, after } of files) {
      const isOthers = record === undefined || (isMove && before === null) || last.get(file) === OTHERS;
      last.set(file, isOthers ? OTHERS : after);
    }
  }
  return last;
}

export function accountedEntries({ entries }: TrustReview): TrustEntry[] {
  return entries.filter(({ isAccounted }) => isAccounted);
}

const DAY_MS = 86_400_000;

/** All that is broken of what decides here; events without an answer of the last day, and none before `told`. */
export async function brokenState(place: Place, collection: Collection, told = ""): Promise<Problem[]> {
  const dayAgo = new Date(place.now().getTime() - DAY_MS).toISOString();
  const rules = await brokenRules(place, collection);
  const failing = await Promise.all(
    collection.memoriesWith("guard").map((metadata) => failedIn(collection.storeOf(metadata), metadata)),
  );
  const known = new Set(rules.map(({ problem }) => problem.file));
  const others = failing.flat().filter(({ file }) => !known.has(file));
  return [
    ...rules.map(({ problem }) => problem),
    ...others,
    ...place.found.policy.problems,
    ...unansweredEvents(place.places, told > dayAgo ? told : dayAgo),
    ...decidingFiles(place, collection).flatMap(({ look }) => look().problems),
  ];
}

/** What cannot be told and is not gone: a project's store, and attached folders that are not there or an empty mount point. */
export async function absentFolders(place: Place): Promise<Problem[]> {
  const { places, workRoot } = place;
  const attached = readStoreRegistry(places).attached.flatMap(({ root }): Problem[] => {
    // A client fills its own folder later.
    const client = clientMemoryPlace(root, workRoot);
    const isThere = statIfThere(root)?.isDirectory() === true;
    const isKept = isThere && (client !== undefined || namesInFolder(root).length > 0);
    if (isKept || client === "elsewhere") return [];
    const message = `the attached folder is ${isThere ? "empty" : "not there"}: nothing in it applies now`;
    const remedy = `mount its drive or put it back; heed attach --remove ${shellWord(root)} forgets it`;
    return [{ ...ABSENT, file: root, message, remedy }];
  });
  return [...(await absentProject(place)), ...attached];
}

const ABSENT = { severity: "warning", code: "absent-store" } as const;

/** A project's store behind a link, or one that git has for this branch and the work tree has not. */
async function absentProject({ places, workRoot, env, found }: Place): Promise<Problem[]> {
  const file = join(workRoot, PROJECT_FOLDER);
  const there = lstatSync(file, { throwIfNoEntry: false });
  if (there?.isSymbolicLink()) {
    const message = "is a link, which heed does not follow: none of its rules and facts apply";
    return [{ ...ABSENT, file, message, remedy: "put the folder itself there" }];
  }
  // Git is asked only where heed knew a store, or a policy may approve one.
  const isTrusted = found.policy.trust.length > 0 || env[TRUST_FILE] !== undefined;
  if (there || (!isTrusted && !existsSync(stateOfStore(places, file).folder))) return [];
  const words = ["ls-files", "-z", "--", PROJECT_FOLDER];
  const listed = await runGit(words, { cwd: workRoot, env, timeoutMs: 2_000 }).catch(() => undefined);
  if (!listed?.stdout) return [];
  const message = "is in git and not in the work tree: none of its rules and facts apply";
  const remedy = "git restore .heed, or git sparse-checkout add .heed, brings it back";
  return [{ ...ABSENT, file, message, remedy }];
}

/** The approved rules whose files cannot be read. One that can be read and says something else is a change. */
async function brokenRules(place: Place, collection: Collection): Promise<(Rule & { problem: Problem })[]> {
  const unreviewed = await unreviewedRules(place, collection);
  const held = heldRules(unreviewed);
  const failing = await Promise.all(
    unreviewed.unapproved.map(async ({ metadata, ...rule }) => {
      const [problem] = await failedIn(rule.store, metadata);
      if (!problem) return [];
      const message = `${problem.message}; the guard stays in force as it was approved`;
      return { ...rule, problem: { ...problem, message } };
    }),
  );
  const { readMemoryFile } = await import("../../store/files/scan-store.ts");
  const torn = held.flatMap((rule): (Rule & { problem: Problem }) | [] => {
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
  return [...torn, ...failing.flat()];
}

async function failedIn(store: StoreRef, { guard, file }: MemoryMetadata): Promise<Problem[]> {
  const failed = await failedExamplesOf(guard);
  return failed.map((problem) => ({ severity: "error", file: join(store.root, file), ...problem }));
}

/** What would take force when a store is trusted; default: a shared one with something fetched, else the project's. */
export async function reviewTrust(
  place: Place,
  options: { store?: "user" | "project" | undefined } = {},
): Promise<TrustReview> {
  const { store: kind } = options;
  const shared = kind === undefined ? place.stores.filter((store) => store.kind === "team") : [];
  const shown = async (store: StoreRef): Promise<TrustReview> => {
    const { entries, unreadable, ...review } = await reviewStore(place, store);
    return { ...review, entries: redactValue(entries, shownText), unreadable: redactValue(unreadable) };
  };
  for (const store of shared) {
    const review = await shown(store);
    if (review.entries.length > 0) return review;
  }
  const isNone = kind === undefined && !place.stores.some((store) => store.kind === "project");
  return shown((isNone && shared[0]) || requireStore(place, kind ?? "project"));
}

/** Approves a store here with its rules as they are. @throws HeedError `changed-outside` when they changed since the review of `token`. */
export async function trustStoreHere(
  place: Place,
  options: { token?: string | undefined; store?: "user" | "project" | undefined } = {},
): Promise<StoreRef> {
  const { token } = options;
  const review = await reviewTrust(place, options);
  const { root } = review.store;
  const message = `the rules of ${root} changed since you saw them: run heed inbox trust again`;
  if (token !== undefined && review.token !== token)
    throw new HeedError("changed-outside", message, { file: root });
  return approveReview(place, review.store);
}

/** Puts what a review showed into force; of `entries` alone, where given. */
export async function approveReview(
  place: Place,
  store: StoreRef,
  entries?: readonly Pick<TrustEntry, "file">[],
): Promise<StoreRef> {
  if (store.kind === "team" && !store.server) return (await import("./team-store.ts")).moveTeam(place, store);
  const collection = await openCollection(place, { thoroughness: "full" });
  const { rules, gone } = await rulesToReview(place, collection, store);
  const approved = rules.filter(({ file }) => entries?.some((entry) => entry.file === file) ?? true);
  await approveTexts(place, store, approved, gone);
  if (!entries) acceptChanges(place);
  if (store.kind === "project") await trustStore(place.places, store.id, store.root);
  place.lookAgain();
  return place.stores.find(({ id }) => id === store.id) ?? store;
}

/** The user's store or the project's. @throws HeedError `no-store`. */
export function requireStore(place: Place, wanted: "user" | "project"): StoreRef {
  const store = place.stores.find(({ kind }) => kind === wanted);
  if (store) return store;
  const missing =
    wanted === "user"
      ? "you have no store yet: `heed init` makes one"
      : "there is no project store here: `heed init --project` makes one";
  throw new HeedError("no-store", missing, { store: wanted });
}
