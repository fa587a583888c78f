import type { Decision } from "../here/records/session-events.ts";
import { isShownByClient, readClientMemory } from "../here/client-memory.ts";
import { supersederOf } from "../here/collection.ts";
import { type InjectedMemory, injectedAs } from "../here/records/session-state.ts";
import { readSections, withoutQuotations } from "../memory/codec/sections.ts";
import { handleOf, plainHandle, plainWords } from "../memory/handle.ts";
import { type MemoryMetadata, memoryKey } from "../memory/memory.ts";
import type { Injection } from "../memory/memory-type.ts";
import { isNamedIn } from "../search/relevance-signals.ts";
import {
  type FactEntry,
  type FactFreshness,
  PromptVerdicts,
  renderEntry,
  renderFacts,
} from "./render-facts.ts";
import {
  type EventOutcome,
  type FactSituation,
  decisionOn,
  injectedRecord,
  outcomeWith,
  readForInjection,
  whyNotHere,
} from "./situation.ts";
import { SESSION_BUDGET_CHARS } from "./inject/context-parts.ts";

export interface FactQuestion {
  /** The prompt, or the error of a tool. */
  text: string;
  /** Only memories of these types are told; undefined for all types whose policy allows it. */
  types?: readonly string[];
  agent: string | undefined;
  most?: number;
}

/** A memory that recall found for a prompt, with what the relevance model says of it. Best first. */
export interface Candidate {
  metadata: MemoryMetadata;
  score: number;
  /** 0 to 1: the relevance model's estimate that the memory is relevant to the prompt. */
  probability: number;
  form: "body" | "pointer" | "line" | "none";
  reason: string;
  terms: Record<string, number>;
  /** It stands for its look-alikes, itself the first of them. */
  family?: readonly MemoryMetadata[];
  /** The day on which what it tells ended, if it has: it is told as a line that says so, and only where it is sure. */
  endedOn?: string;
}

const UNKNOWN: FactFreshness = { standing: "check", words: "", isGone: false };

const ALREADY_SHOWN = "already shown in this session and not changed since";

/** How far the forms reach: what was told in a weaker one may be told again in a stronger one. */
const REACH = { none: 0, map: 1, pointer: 1, line: 1, "whole line": 2, passages: 2, body: 2, rule: 3 };

const BY_THE_MAP: Readonly<Partial<Record<keyof typeof REACH, string>>> = {
  map: "its line is in the map",
  line: "its line was told at a tool use",
  "whole line": "its line is its whole text",
};

const MAX_RELATED = 10;

function circumstancesOf(
  situation: FactSituation,
  question: FactQuestion,
  passagesOf: (body: string, maxChars: number) => readonly string[],
) {
  const { collection, session, root, place } = situation;
  let isPointedAt: ReturnType<typeof isShownByClient> | undefined;
  const verdicts = new PromptVerdicts(situation);
  return {
    verdicts,
    passagesOf,
    injectionOf: ({ type }: MemoryMetadata) => collection.types.get(type)?.injection,
    whyNot: (metadata: MemoryMetadata) => whyNotHere(metadata, situation),
    /** The form in which this context was told the memory as it is now; undefined when it was not. */
    injectedAs(metadata: MemoryMetadata): keyof typeof REACH | undefined {
      const injected = session.context.injected.get(memoryKey(metadata));
      // Told as data, and approved since: it may come with its text.
      const isOtherNow = injected?.isData === true && collection.storeOf(metadata).isTrusted;
      if (injected?.hash !== metadata.contentHash || isOtherNow) return undefined;
      return injected.isWhole === true ? "whole line" : injected.form;
    },
    isApproved: (metadata: MemoryMetadata) => collection.storeOf(metadata).isTrusted,
    /** Read where a line would repeat it: most prompts bring nothing. */
    isPointedAt(metadata: MemoryMetadata): boolean {
      isPointedAt ??= isShownByClient(
        question.agent === undefined ? readClientMemory(root, place.env) : undefined,
        collection.stores,
      );
      return isPointedAt(metadata);
    },
    /** The prompt says its name, or that of a thing that it claims something of. */
    isNamed: (metadata: MemoryMetadata) => isNamedIn(question.text, metadata),
    freshnessOf: (metadata: MemoryMetadata) => verdicts.freshnessOf(metadata),
    read: (metadata: MemoryMetadata) => readForInjection(collection, metadata),
    async lineOf(family: readonly MemoryMetadata[]): Promise<string> {
      const { lineOfFamily } = await import("./inject/render-map.ts");
      const current = family.filter((member) => supersederOf(member, collection) === undefined);
      const found = await Promise.all(current.map((member) => verdicts.freshnessOf(member)));
      return lineOfFamily(current.filter((_, i) => !found[i]?.mark));
    },
    relatedTo: (metadata: MemoryMetadata): MemoryMetadata[] =>
      metadata.links
        .filter(({ rel }) => rel === "related")
        .slice(0, MAX_RELATED)
        .flatMap(({ to }) =>
          collection.readers.flatMap((reader) => reader.memoriesByHandle(plainHandle(to))),
        ),
  };
}
type FactCircumstances = ReturnType<typeof circumstancesOf>;

const NO_FACT: Readonly<Partial<Record<Injection, string>>> = {
  always: "a rule: told when a context begins",
  resume: "an episode: told when a session begins",
  never: "its type is told only when asked for",
};
const whyNoFact = (injection: Injection | undefined): string | undefined =>
  injection === undefined ? "its type is not declared" : NO_FACT[injection];

const MAX_FACTS: number = 5;
/** Characters that one prompt brings at most, heading and fence included. */
const PROMPT_BUDGET_CHARS: number = 3500;
/** A memory with a longer body is told by its statement and best passages, within this many characters. */
const WHOLE_BODY_CHARS: number = 1200;

/** Tells facts that were found, for the session's log and the receipt too. */
export async function tellFacts(
  situation: FactSituation,
  candidates: readonly Candidate[],
  question: FactQuestion,
  passagesOf: (body: string, maxChars: number) => readonly string[] = () => [],
): Promise<EventOutcome> {
  const { text, injected, ...more } = await selectFacts(candidates, situation, question, passagesOf);
  const chars = text.length;
  const records = text === "" ? [] : [injectedRecord(situation.place, question.agent, injected, { chars })];
  return outcomeWith({ answer: { context: text }, records, ...more, isCut: situation.collection.isCut });
}

interface FactSelection {
  /** Empty when nothing is relevant to the prompt: then nothing at all is injected. */
  text: string;
  decisions: Decision[];
  injected: InjectedMemory[];
  afterwards: () => void;
}

/** Chooses facts for a prompt, each in the fullest form that policy and budgets allow; then related ones as pointers. */
async function selectFacts(
  candidates: readonly Candidate[],
  situation: FactSituation,
  question: FactQuestion,
  passagesOf: (body: string, maxChars: number) => readonly string[],
): Promise<FactSelection> {
  const now = circumstancesOf(situation, question, passagesOf);
  const budget = Math.min(PROMPT_BUDGET_CHARS, SESSION_BUDGET_CHARS - situation.session.context.factChars);
  const { collection } = situation;
  const mostFacts = question.most ?? MAX_FACTS;
  const entries: FactEntry[] = [];
  const decisions = new Map<string, Decision>();
  const texts = new Set<string>();
  const pointerAt = (metadata: MemoryMetadata, freshness: FactFreshness = UNKNOWN): FactEntry => ({
    metadata,
    form: "pointer",
    isApproved: now.isApproved(metadata),
    text: "",
    freshness,
  });
  /** A body leaves room to point at what comes after it: otherwise the first ones would silence the rest. */
  const fitsBefore =
    (later: readonly FactEntry[]) =>
    (entry: FactEntry): boolean =>
      renderFacts([...entries, entry, ...(entry.form === "pointer" ? [] : later)]).length <= budget;
  const fits = fitsBefore([]);
  const take = (entry: FactEntry): void => {
    entries.push(entry);
    texts.add(plainWords(entry.metadata.statement));
  };

  for (const [i, candidate] of candidates.entries()) {
    const { metadata, score, probability, terms } = candidate;
    const decide = (form: FactForm, reason: string, entry?: FactEntry): void => {
      const found = { rank: i + 1, score, probability, terms };
      const decision = { form, reason, chars: entry ? renderEntry(entry).length : 0, ...found };
      decisions.set(
        memoryKey(metadata),
        decisionOn(entry?.metadata ?? metadata, collection, {
          ...decision,
          ...(entry && verdictOf(entry)),
        }),
      );
    };
    const refusal =
      whyNoFact(now.injectionOf(metadata)) ??
      (candidate.endedOn === undefined ? now.whyNot(metadata) : undefined) ??
      (candidate.form === "none" ? candidate.reason : undefined) ??
      whyNotAsEnded(candidate);
    if (refusal !== undefined) {
      decide("none", refusal);
      continue;
    }
    if (texts.has(plainWords(metadata.statement))) {
      decide("none", "says the same as a memory told before it");
      continue;
    }
    const freshness =
      candidate.endedOn === undefined ? await now.freshnessOf(metadata) : ended(candidate.endedOn);
    const isDoubtful = freshness.standing === "stale" || freshness.isGone;
    if (isDoubtful && !isAskedAbout(candidate, freshness, now)) {
      decide("none", `${candidate.reason}; stale or not here, and not surely asked about`);
      continue;
    }
    const [most, why] = strongestMode(candidate, now.isApproved(metadata), freshness);
    // An alarm, and that nothing of it is left, are news to a context that only has its line.
    const shown = now.injectedAs(metadata);
    const byTheMap = shown && BY_THE_MAP[shown];
    const injected = byTheMap !== undefined && (freshness.isGone || freshness.isAlarm) ? undefined : shown;
    if (most === "line") {
      const text = await restOfLine(metadata, now);
      // The map is far from the work: what it holds whole is told once more.
      const form = shown && situation.session.context.injected.get(memoryKey(metadata))?.form;
      const isHeld = form !== undefined && form !== "map" && !(form === "pointer" && text !== "");
      const entry: FactEntry = { ...pointerAt(metadata, freshness), form: "line", text };
      if (isHeld) decide("none", ALREADY_SHOWN);
      else if (entries.length >= mostFacts || !fits(entry)) decide("none", "the budget is used up");
      else {
        take(entry);
        decide("line", why, entry);
      }
      continue;
    }
    if (injected !== undefined && REACH[injected] >= REACH[most]) {
      texts.add(plainWords(metadata.statement));
      decide("none", byTheMap === undefined ? ALREADY_SHOWN : `${why}; ${byTheMap}`);
      continue;
    }
    if (entries.length >= mostFacts) {
      decide("none", `${mostFacts} memories are told on one prompt at most`);
      continue;
    }
    const later = candidates
      .slice(i + 1)
      .filter((other) => other.form !== "none")
      .slice(0, mostFacts - entries.length - 1)
      .map((other) => pointerAt(other.metadata));
    const isApprovedFamily = candidate.family?.every((member) => now.isApproved(member));
    const line = isApprovedFamily ? await now.lineOf(candidate.family ?? []) : "";
    const about = { injected, freshness, line };
    const entry = await fullestEntry(metadata, most, about, now, fitsBefore(later));
    if ("refusal" in entry) {
      decide("none", entry.refusal);
      continue;
    }
    take(entry);
    decide(
      entry.form,
      entry.form === most || entry.form === "passages" ? why : `${why}; cut to fit the budget`,
      entry,
    );
  }
  for (const source of entries.filter(({ form }) => form === "body" || form === "passages")) {
    for (const metadata of now.relatedTo(source.metadata)) {
      const entry = pointerAt(metadata, await now.freshnessOf(metadata));
      if (entries.length >= mostFacts) break;
      if (
        entries.some(({ metadata: other }) => memoryKey(other) === memoryKey(metadata)) ||
        texts.has(plainWords(metadata.statement))
      )
        continue;
      if ((whyNoFact(now.injectionOf(metadata)) ?? now.whyNot(metadata)) !== undefined) continue;
      if (now.injectedAs(metadata) !== undefined || now.isPointedAt(metadata) || !fits(entry)) continue;
      take(entry);
      const reason = `related to ${handleOf(source.metadata)}`;
      const chars = renderEntry(entry).length;
      const earlier = decisions.get(memoryKey(metadata));
      const decision = { form: "pointer" as const, reason, chars, ...verdictOf(entry) };
      decisions.set(memoryKey(metadata), { ...earlier, ...decisionOn(metadata, collection, decision) });
    }
  }
  const isAlarm = ({ freshness }: FactEntry): number => Number(freshness.isAlarm ?? false);
  const ordered = entries.toSorted((a, b) => isAlarm(b) - isAlarm(a));
  return {
    text: entries.length === 0 ? "" : renderFacts(ordered),
    decisions: [...decisions.values()],
    injected: entries.map(({ metadata, form, isApproved, text }) => ({
      ...injectedAs(metadata, form),
      ...(form === "line" && metadata.bodyLength <= text.length + 2 && { isWhole: true }),
      ...(!isApproved && { isData: true }),
    })),
    afterwards: () => now.verdicts.save(),
  };
}

type FactForm = FactEntry["form"] | "none";

function verdictOf({ freshness: { standing, words, mark, signals } }: FactEntry): Partial<Decision> {
  return { standing, verdict: words, ...(mark && { known: mark }), ...(signals && { signals }) };
}

/** What is told of a stale memory is a correction: only who surely asks about it needs one. Chosen by hand. */
const SURELY_ASKED = 0.8;

/** Whether a prompt asks about a memory that is stale: by name, or surely; of one that holds in part, as of any. */
function isAskedAbout(
  { metadata, form, probability, endedOn }: Candidate,
  { holdsInPart }: FactFreshness,
  now: FactCircumstances,
): boolean {
  if (endedOn !== undefined || form === "line") return true;
  return (form === "body" && (holdsInPart === true || probability >= SURELY_ASKED)) || now.isNamed(metadata);
}

/** What has ended is told where it is asked about, and not as one of several maybes. */
function whyNotAsEnded({ endedOn, form }: Candidate): string | undefined {
  return endedOn !== undefined && form !== "body"
    ? `expired on ${endedOn}, and not plainly asked about`
    : undefined;
}

function ended(day: string): FactFreshness {
  return { standing: "stale", words: `EXPIRED on ${day}: no longer so by its own words`, isGone: false };
}

function strongestMode(
  candidate: Candidate,
  isApproved: boolean,
  { standing, isGone, holdsInPart }: FactFreshness,
): ["body" | "pointer" | "line", string] {
  if (candidate.form === "line") return ["line", candidate.reason];
  if (isGone) return ["pointer", `${candidate.reason}; a line with its verdict, as none of its claims holds`];
  if (candidate.form !== "body") return ["pointer", candidate.reason];
  // The line says which part does not hold: that hides nothing of the rest.
  if (standing === "stale" && !holdsInPart)
    return ["pointer", `${candidate.reason}; a pointer at most, as it is stale`];
  if (!isApproved)
    return ["pointer", `${candidate.reason}; a pointer at most, as its store is not approved here`];
  if (candidate.metadata.confidence === "low")
    return ["pointer", `${candidate.reason}; a pointer at most, as its confidence is low`];
  return ["body", candidate.reason];
}

async function fullestEntry(
  known: MemoryMetadata,
  most: "body" | "pointer",
  {
    injected,
    freshness,
    line,
  }: { injected: keyof typeof REACH | undefined; freshness: FactFreshness; line: string },
  now: FactCircumstances,
  fits: (entry: FactEntry) => boolean,
): Promise<FactEntry | { refusal: string }> {
  const isApproved = now.isApproved(known);
  if (most === "body") {
    const read = await now.read(known);
    if (read === undefined) return { refusal: "its file is gone or cannot be read" };
    const { metadata, body } = read;
    if (metadata.contentHash !== known.contentHash) {
      // The index is behind the file: what the file says now decides.
      const refusal = now.whyNot(metadata);
      if (refusal !== undefined) return { refusal };
      if (REACH[now.injectedAs(metadata) ?? "none"] >= REACH.body) return { refusal: ALREADY_SHOWN };
    }
    const whole: FactEntry = { metadata, form: "body", isApproved, text: body.trim(), freshness };
    if (body.length <= WHOLE_BODY_CHARS && fits(whole)) return whole;
    for (const room of [WHOLE_BODY_CHARS - Math.min(metadata.statement.length, 400), 600, 300]) {
      const text = now.passagesOf(body, room).join("\n[…]\n");
      const passages: FactEntry = { metadata, form: "passages", isApproved, text, freshness };
      if (text !== "" && fits(passages)) return passages;
    }
  }
  const pointer: FactEntry = { metadata: known, form: "pointer", isApproved, text: line, freshness };
  if (injected !== undefined)
    return { refusal: "a pointer was already shown in this session, and the rest does not fit" };
  if (now.isPointedAt(known)) return { refusal: "the client's own memory index already points at it" };
  return fits(pointer) ? pointer : { refusal: "the budget of this prompt or session is used up" };
}

/** A text that adds at most so much to the statement is told on its line. */
const MAX_REST_CHARS = 300;

/** What a line says beyond the statement: the whole text, else what solved it, else what is above its sections; empty where that is more than a line. */
async function restOfLine(metadata: MemoryMetadata, now: FactCircumstances): Promise<string> {
  const body = now.isApproved(metadata) && metadata.confidence !== "low" && (await now.read(metadata))?.body;
  const { sections, statement } = readSections(body || "");
  const said = plainWords(metadata.statement);
  const parts = [withoutQuotations(body || ""), sections.solution ?? "", statement].map((part) =>
    part.replace(/\s+/g, " ").trim(),
  );
  if (said.includes(plainWords(parts[0] ?? ""))) return "";
  const isNews = (part: string): boolean => part !== "" && !said.includes(plainWords(part));
  return parts.find((part) => part.length <= MAX_REST_CHARS && isNews(part)) ?? "";
}
