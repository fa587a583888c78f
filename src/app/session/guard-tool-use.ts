import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Decision } from "../api/session-events.ts";
import { reviewCommand } from "../trust/why-data.ts";
import { type OwnedCall, ruleOnCall, shownCall } from "./rule-on-call.ts";
import {
  type EventOutcome,
  NOTHING,
  type Situation,
  decisionOn,
  readForInjection,
  whyNotHere,
} from "./situation.ts";
import { findGitDirectory, readHead } from "../../git/git-directory.ts";
import { guardReason } from "../../guard/describe-guard.ts";
import { parsePathTest } from "../../guard/entry-tests.ts";
import type { FiredGuard } from "../../guard/evaluate-guards.ts";
import type { GuardCall, ToolUse } from "../../guard/guard-call.ts";
import { type GuardAction, GuardSet, type RuleGuard } from "../../guard/guard.ts";
import { type GuardsReading, parseGuards } from "../../guard/parse-guards.ts";
import { defuseLine } from "../../inject/delimit.ts";
import { isStatementAlone } from "../../inject/render-rules.ts";
import { readSections } from "../../memory/codec/sections.ts";
import { handleOf } from "../../memory/handle.ts";
import type { MemoryMetadata } from "../../memory/memory-metadata.ts";
import { memoryKey } from "../../memory/memory-key.ts";
import { homeOf } from "../../platform/places.ts";
import { realPathOf } from "../../platform/stat-if-there.ts";

/** Under this mark a session remembers that its user was told of what cannot be decided. */
const NOTICED = "guard-unevaluated";
/** So many guards that fire at once are told. */
const MAX_INJECTED = 3;

/** What the guards in force say to a tool use. Without `call`, as in a trial, nothing is noted and no exception is made. */
export async function guardToolUse(
  situation: Situation,
  use: ToolUse,
  call?: OwnedCall,
): Promise<EventOutcome> {
  const guards = guardsInForce(situation);
  if (!guards) return NOTHING;
  const { evaluateGuards, decisionEnd } = await import("../../guard/evaluate-guards.ts");
  // Loading them is none of it.
  use.untilMs ??= decisionEnd();
  const { fired, unevaluated } = evaluateGuards(callOf(situation, use), guards);
  const outcome: EventOutcome = { ...NOTHING, answer: {}, records: [], decisions: [], guardEvents: [] };
  const [first] = unevaluated;
  if (first) {
    const subject = first.rule ? `the guard of ${handleOf(first.rule.metadata)}` : "guards";
    outcome.trouble = `${subject} could not be evaluated, the call is allowed: ${first.reason}`;
    if (!situation.session.noticed.has(NOTICED)) {
      outcome.answer.notice = `heed: ${outcome.trouble} (told once a session; the others are in heed.log)`;
      outcome.records.push({ kind: "noticed", time: situation.place.now().toISOString(), what: NOTICED });
    }
  }
  const stopping = fired.filter(({ action }) => action !== "warn");
  const [strongest] = stopping;
  const stop = strongest && {
    action: strongest.action === "deny" ? ("deny" as const) : ("ask" as const),
    rules: stopping.map(({ rule: { metadata } }) => ({ key: memoryKey(metadata), name: metadata.name })),
    text: strongest.text,
  };
  const ruling = stop && (call ? ruleOnCall(situation, call, stop, outcome) : { ...stop, wayOut: "" });
  const isPassed = stop !== undefined && ruling === undefined;
  for (const guard of fired) {
    const done = isPassed && guard.action !== "warn" ? "let-pass" : guard.action;
    outcome.decisions.push(receiptDecision(guard, done, situation));
    outcome.guardEvents?.push({
      rule: memoryKey(guard.rule.metadata),
      index: guard.rule.index,
      action: done,
    });
  }
  const injected = ruling ? stopping : fired.filter(({ action }) => action === "warn");
  const reasons = await Promise.all(
    injected.slice(0, MAX_INJECTED).map((guard) => reasonOf(guard, situation)),
  );
  const reason = [...reasons, ruling?.wayOut ?? ""].filter((text) => text !== "").join("\n\n");
  if (ruling) outcome.answer.decision = { action: ruling.action, reason };
  else if (reason !== "") outcome.answer.context = reason;
  return outcome;
}

/** The call as guards see it: its directories by the name that the client uses and by their real one. */
export function callOf(
  { place, root }: Pick<Situation, "place" | "root">,
  { tool, input, cut, untilMs }: ToolUse,
): GuardCall {
  const cwd = slashed(place.cwd);
  // A client may name files through a link by which the folder was entered, or by their real path.
  const roots = [...new Set([slashed(root), slashed(realPathOf(root))])];
  return {
    tool,
    input,
    cut,
    untilMs,
    branch: place.repository?.branch,
    ...fileLooks(),
    cwd,
    roots,
    home: slashed(homeOf(place.env)),
  };
}

async function reasonOf(
  fired: FiredGuard<GuardInForce>,
  { collection }: Pick<Situation, "collection">,
): Promise<string> {
  const { metadata } = fired.rule;
  const body = (await readForInjection(collection, metadata))?.body ?? "";
  return guardReason(fired, {
    handle: handleOf(metadata),
    statement: defuseLine(metadata.description),
    why: isStatementAlone(metadata) ? "" : defuseLine(readSections(body).sections.why ?? ""),
  });
}

function receiptDecision(
  { rule, text, route }: FiredGuard<GuardInForce>,
  action: GuardAction | "let-pass",
  { collection }: Situation,
): Decision {
  const where = route.length > 0 ? ` inside ${route.join(" > ")}` : "";
  const done = action === "let-pass" ? "let pass once, as the user allowed:" : `${action} on`;
  return decisionOn(rule.metadata, collection, {
    form: "guard",
    reason: `guard ${rule.index + 1}: ${done} ${shownCall(text)}${where}`,
    chars: 0,
    guard: { rule: memoryKey(rule.metadata), index: rule.index, action },
  });
}

function slashed(path: string): string {
  return path.replaceAll("\\", "/");
}

/** So many paths of a call are looked at for their working tree, and as many for the files below. */
const MAX_LOOKS = 200;
/** Where the folders of a call have more entries, those of their folders among them, nobody says what is below. */
const MAX_ENTRIES = 2000;

/** What guards ask of the files of the machine, for one call. Never throws. */
function fileLooks(): Required<Pick<GuardCall, "exists" | "treeOf" | "filesBelow">> {
  let count = 0;
  return {
    exists: (path) => existsSync(path),
    treeOf: onceEach((folder) => {
      const directory = existsSync(folder) ? findGitDirectory(folder) : undefined;
      return directory && { root: directory.root, branch: readHead(directory).branch };
    }),
    filesBelow: onceEach((path) => {
      if (!existsSync(path)) return [];
      const found = statSync(path).isDirectory() ? [`${path}/`] : [path];
      // The list grows while it is walked: a folder gives way to its entries.
      for (let i = 0; i < found.length; i++) {
        const folder = found[i];
        if (!folder?.endsWith("/")) continue;
        const entries = readdirSync(folder, { withFileTypes: true });
        if ((count += entries.length) > MAX_ENTRIES) return undefined;
        for (const entry of entries)
          found.push(`${join(folder, entry.name)}${entry.isDirectory() ? "/" : ""}`.replaceAll("\\", "/"));
      }
      return found.filter((file) => !file.endsWith("/"));
    }),
  };
}

function onceEach<T>(look: (path: string) => T): (path: string) => T | undefined {
  const found = new Map<string, T | undefined>();
  return (path) => {
    if (!found.has(path) && found.size < MAX_LOOKS)
      try {
        found.set(path, look(path));
      } catch {
        found.set(path, undefined);
      }
    return found.get(path);
  };
}

/** A guard of a rule that is in force here. */
export interface GuardInForce extends RuleGuard {
  metadata: MemoryMetadata;
  /** Its place among the rule's guards. */
  index: number;
}

/** A memory with a guard, and whether the guard counts. */
interface GuardedRule {
  metadata: MemoryMetadata;
  reading: GuardsReading;
  /** Why its guards do nothing here; undefined when they are in force. */
  whyInert: string | undefined;
}

/** So many rules' guards are kept as read; a store has some dozens. */
const MAX_KEPT = 500;
/** By content hash: reading a guard compiles its expressions and globs. */
const kept = new Map<string, GuardsReading>();

/** Every memory that carries a guard, and whether it is in force: a confirmed rule of a trusted store that holds here. */
export function guardedRules(situation: Situation): GuardedRule[] {
  return situation.collection.memoriesWith("guard").map((metadata) => ({
    metadata,
    reading: readGuards(metadata),
    whyInert: whyInert(metadata, situation),
  }));
}

/** The guards in force, arranged for deciding; undefined when there are none. */
export function guardsInForce(situation: Situation): GuardSet<GuardInForce> | undefined {
  const guards = guardedRules(situation)
    .filter((rule) => rule.whyInert === undefined)
    .flatMap(({ metadata, reading }) => {
      const scope = metadata.scope.paths.flatMap((glob) => parsePathTest(glob) ?? []);
      return reading.guards.map(({ guard, index }): GuardInForce => ({ metadata, guard, index, scope }));
    });
  return guards.length === 0 ? undefined : new GuardSet(guards);
}

function whyInert(metadata: MemoryMetadata, situation: Situation): string | undefined {
  const { collection } = situation;
  if (collection.types.get(metadata.type)?.injection !== "always")
    return `a ${metadata.type} memory is no rule`;
  const store = collection.storeOf(metadata);
  if (!store.isTrusted)
    return situation.unreviewed.get(memoryKey(metadata)) === "new"
      ? `it did not come through heed, and nobody has seen it: ${reviewCommand(store.kind)} shows it`
      : "its store is not approved on this machine";
  if (store.kind === "attached") return "its store belongs to another tool";
  if (metadata.status !== "confirmed")
    return `its status is ${metadata.status}, and only a confirmed rule stops anything`;
  return whyNotHere(metadata, situation);
}

function readGuards(metadata: MemoryMetadata): GuardsReading {
  const key = `${metadata.contentHash}:${metadata.id}`;
  const known = kept.get(key);
  if (known) return known;
  const reading = parseGuards(metadata.guard);
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(key, reading);
  return reading;
}
