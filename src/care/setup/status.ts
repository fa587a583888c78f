import { type Collection, openCollection } from "../../here/collection.ts";
import { problemWords } from "../../machine/heed-error.ts";
import { countWords } from "../../machine/read-fields.ts";
import { inboxOf } from "../../here/consent/inbox.ts";
import { absentFolders, brokenState } from "../../here/consent/review-store.ts";
import { waitingReviews } from "../../here/consent/rule-approvals.ts";
import { waitingMemories } from "../../here/consent/standing.ts";
import type { Place } from "../../here/place.ts";
import { modeHere, modeTrouble, whoMayWrite } from "../../here/user-config.ts";
import { listMemories } from "../../here/reading/find-memories.ts";
import { readReceipts } from "../../here/records/receipt-log.ts";
import { openQuestions } from "../../session/open-questions.ts";
import { trustByPolicy } from "../../here/consent/policy-trust.ts";
import { indexDirectory, typesKeyOf } from "../../here/store-index.ts";
import { type PolicyWrites, describePolicy } from "../../store/config/policy.ts";
import { whyLate } from "../../machine/places.ts";
import type { Mode } from "../../store/config/store-config.ts";
import type { StoreRef } from "../../memory/memory.ts";
import type { ClientMemoryReport } from "./settings.ts";
import type { LearnStatus } from "../../past/learner/learner.ts";

export interface StatusReport {
  version: string;
  mode: Mode;
  /** Characters that the map may take where the mode is `typed`; 0: off. */
  map: number;
  /** Who may write here: the session's model, the model with the user's approval each time, the user alone, or nobody. */
  writes: PolicyWrites;
  /** As in `ClientMemoryReport`. */
  writer: ClientMemoryReport["writer"];
  /** The organisation's policy, where there is one, and what it says on one line: `modes typed, pull; history off`. */
  policy?: { file: string; says: string };
  repository: string | undefined;
  stores: {
    store: StoreRef;
    memories: number;
  }[];
  places: { userStore: string; state: string; cache: string; config: string; policy: string };
  pending: number;
  /** What waits for an answer here, a line each. */
  waiting: string[];
  /** What heed told the newest session, in characters, and how many memories that told, by form; of how many there are. */
  cost?: string | undefined;
  /** Whether a model reads sessions afterwards, and what that costs. */
  learn: LearnStatus;
  /** Each store with rules that wait for an approval. */
  unapproved: string[];
  problems: string[];
}

/** Counts without bodies: tells a model whether there is anything to ask for. */
export interface Overview {
  total: number;
  byType: Record<string, number>;
  pending: number;
  mode: Mode;
  /** The repository at hand, as scopes name it. */
  repository: string | undefined;
}

export async function overviewOf(place: Place): Promise<Overview> {
  const memories = await listMemories(place);
  const collection = await openCollection(place);
  return {
    total: memories.length,
    byType: countWords(memories.map((metadata) => metadata.type)),
    pending: await pendingCount(place, collection, await waitingReviews(place, collection)),
    mode: modeHere(place),
    repository: place.here().repository,
  };
}

const DUE = "the policy approves it as it is, and its rules are in force from the next session's start on";

/** Where everything is and how it stands, but for the learner. */
export async function statusOf(place: Place): Promise<Omit<StatusReport, "learn">> {
  const { stores } = place;
  const { problems, policy } = place.found;
  // What a place that was never walked is called is not what its memories are scoped to.
  const repository = (await place.learnRepository())?.name ?? place.here().repository;
  const collection = await openCollection(place, { thoroughness: "full" });
  const reviews = await waitingReviews(place, collection);
  const byPolicy = await trustByPolicy(place, false);
  const isDue = ({ root, isTrusted }: StoreRef): boolean => root === byPolicy.approved && !isTrusted;
  const { places } = place;
  return {
    version: HEED_VERSION,
    mode: modeHere(place),
    map: place.found.mapChars,
    writes: whoMayWrite(place),
    writer: place.found.writer,
    ...(policy.isThere && { policy: { file: policy.file, says: describePolicy(policy) } }),
    repository,
    stores: stores.map((store, i) => ({
      store,
      memories: collection.readers[i]?.documentCount ?? 0,
    })),
    places,
    pending: await pendingCount(place, collection, reviews),
    waiting: (await openQuestions(place, collection)).map(({ text, name }) => `${text} (${name})`),
    cost: costOf(place, collection),
    unapproved: reviews.map(({ store, problem }) =>
      isDue(store) ? `${store.root}: ${DUE}` : problemWords(problem),
    ),
    problems: [
      ...[
        ...problems.filter(({ severity }) => severity === "warning"),
        ...(await brokenState(place, collection)),
        ...(await absentFolders(place)),
      ].map(problemWords),
      ...[modeTrouble(place) ?? []].flat(),
      ...whyLate(place.env),
      ...byPolicy.problems,
      ...(stores.some(({ server }) => server)
        ? (await import("../../here/team-stores.ts")).staleTeams(place)
        : []),
    ],
  };
}

const MAX_RECEIPTS = 1_000;

/** What the newest session was told, by the form in which it was; the rest is headings and notes. */
function costOf({ places }: Place, { readers }: Collection): string | undefined {
  const [newest] = readReceipts(places, 1);
  if (!newest) return undefined;
  const receipts = readReceipts(places, MAX_RECEIPTS).filter(({ session }) => session === newest.session);
  const decisions = receipts.flatMap((one) => one.decisions).filter(({ form }) => form !== "none");
  const charsOf = (told: readonly { chars: number }[]): number =>
    told.reduce((sum, { chars }) => sum + chars, 0);
  const kinds = Object.entries(countWords(decisions.map(({ form }) => form))).map(
    ([form, told]) => `${form} ${charsOf(decisions.filter((one) => one.form === form))} (${told})`,
  );
  const memories = readers.reduce((sum, { documentCount }) => sum + documentCount, 0);
  const by = kinds.length > 0 ? `: ${kinds.join(", ")}` : "";
  return `told ${charsOf(receipts)} characters${by}, of ${memories} ${memories === 1 ? "memory" : "memories"}`;
}

async function pendingCount(
  place: Place,
  collection: Collection,
  reviews: Awaited<ReturnType<typeof waitingReviews>>,
): Promise<number> {
  const { places } = place;
  const waiting = waitingMemories(places, collection, await collection.memoriesInTurns());
  const unreviewed = reviews.reduce((sum, { count }) => sum + count, 0);
  return inboxOf(place).list().length + waiting.length + unreviewed;
}

export async function reindexAll(place: Place): Promise<void> {
  const { refreshIndex } = await import("../../here/refresh-index.ts");
  const { stores, types } = place;
  for (const store of stores) {
    const directory = indexDirectory(place.places, store);
    refreshIndex({ store, directory, types, typesKey: typesKeyOf(types), deadline: Infinity }, undefined);
  }
}

declare const __HEED_VERSION__: string | undefined;

/** The version of this build; `0.0.0-source` when run from the sources, without the build that fills it in. */
const HEED_VERSION: string = typeof __HEED_VERSION__ === "string" ? __HEED_VERSION__ : "0.0.0-source";
