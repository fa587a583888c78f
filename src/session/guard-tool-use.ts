import { existsSync } from "node:fs";
import type { Decision, HeardEvent } from "../here/records/session-events.ts";
import { GUARD_NOTE, reviewCommand } from "../here/consent/rule-approvals.ts";
import type { SessionRecord } from "../here/records/session-state.ts";
import { type OwnedCall, decideStoppedCall, shownCall } from "./decide-stopped-call.ts";
import { type Outcome, type Situation, NOTHING, noticed } from "./situation.ts";
import { findGitDirectory, readHead } from "../machine/git-directory.ts";
import { type GuardsReading, guardQuestion, guardReason, parseGuards } from "../guard/parse-guards.ts";
import { parsePathTest } from "../guard/entry-tests.ts";
import type { FiredGuard, GuardStep } from "../guard/evaluate-guards.ts";
import type { DutyState, GuardCall, ToolUse } from "../guard/guard-call.ts";
import type { Guard, GuardAction, RuleGuard } from "../guard/guard.ts";
import { shownText } from "../memory/shown-text.ts";
import { ruleTexts, sourceMark, whyOf } from "../here/consent/rule-text.ts";
import { handleOf } from "../memory/handle.ts";
import { type MemoryMetadata, memoryKey } from "../memory/memory.ts";
import { homeOf } from "../machine/places.ts";
import { realPathOf } from "../machine/regular-file.ts";

const UNPROVEN = "guard-unproven";
const MAX_TOLD = 3;

/** What the guards in force say to a tool use; `steps` collects what each said. */
export async function guardToolUse(
  situation: Situation,
  use: ToolUse | OwnedCall,
  steps?: GuardStep<GuardInForce>[],
): Promise<Outcome> {
  const guards = guardsInForce(situation);
  if (guards.length === 0) return NOTHING;
  const { evaluateGuards, decisionEnd } = await import("../guard/evaluate-guards.ts");
  const { untilMs = decisionEnd() } = use;
  const duties = await dutiesOf(situation, guards);
  const call = { ...callOf(situation, use), untilMs, duties };
  const { fired, unproven, cutShort } = evaluateGuards(call, guards, steps);
  const { noticed: known } = situation.session;
  const records: SessionRecord[] = [];
  const notices: string[] = [];
  const [first] = unproven;
  if (first && !known.has(UNPROVEN)) {
    const said = `${handleOf(first.rule.metadata)}: ${first.because}; the call passes (said once a session)`;
    notices.push(`heed: ${said}`);
    records.push(...noticed(situation.place, UNPROVEN));
  }
  for (const { metadata } of guards) {
    const store = situation.collection.storeOf(metadata);
    const what = GUARD_NOTE + JSON.stringify({ store, metadata });
    if (store.kind === "project" && !known.has(what)) records.push(...noticed(situation.place, what));
  }
  const stopping = fired.filter(({ action }) => action !== "warn");
  const [strongest] = stopping;
  const decided =
    strongest &&
    decideStoppedCall(situation, use, {
      action: strongest.action === "deny" ? "deny" : "ask",
      rules: stopping.map(({ rule: { metadata } }) => ({ key: memoryKey(metadata), name: metadata.name })),
      text: strongest.text,
    });
  records.push(...(decided?.records ?? []));
  if (decided?.notice !== undefined) notices.push(decided.notice);
  const action = decided === undefined || decided.action === "pass" ? undefined : decided.action;
  const told = action ? stopping : fired.filter((guard) => guard.action === "warn");
  const reasons = await Promise.all(
    told.slice(0, MAX_TOLD).map((guard) => reasonOf(guard, situation, action === "ask")),
  );
  const reason = [...reasons, decided?.howToAllow ?? ""].filter((text) => text !== "").join("\n\n");
  return {
    decision: action && { action, reason: action === "ask" ? shownText(reason) : reason },
    context: action ? undefined : reason,
    notice: notices.join("\n"),
    records,
    decisions: fired.map((guard) => {
      const isPassed = decided?.action === "pass" && guard.action !== "warn";
      return receiptDecision(guard, isPassed ? "let-pass" : guard.action, situation);
    }),
    trouble: cutShort && `guards looked at a part of the call only: ${cutShort}`,
  };
}

/** The call as guards see it: its directories by the name that the client uses and by their real one. */
export function callOf(
  { place, root }: Pick<Situation, "place" | "root">,
  { tool, input, cut, untilMs }: ToolUse,
): GuardCall {
  const cwd = slashed(place.cwd);
  // A client may name files through a link by which the folder was entered, or by their real path.
  const roots = [...new Set([slashed(root), slashed(realPathOf(root))])];
  const temp = place.env["TMPDIR"]?.replace(/(?<=.)\/+$/, "") || "/tmp";
  return {
    tool,
    input,
    cut,
    untilMs,
    branch: place.repository?.branch,
    exists: (path) => existsSync(path),
    treeOf: (folder) => {
      const directory = existsSync(folder) ? findGitDirectory(folder) : undefined;
      return directory && { root: directory.root, branch: readHead(directory).branch };
    },
    cwd,
    roots,
    home: slashed(homeOf(place.env)),
    temp: slashed(temp),
    // Where the shell has none, nobody can tell what a command would name.
    ...(place.env["TMPDIR"] && { variables: { TMPDIR: slashed(temp) } }),
  };
}

/** What the model is told of a guard that fires, or the user where their client asks them. */
export async function reasonOf(
  fired: FiredGuard<GuardInForce>,
  situation: Situation,
  isAsked = false,
): Promise<string> {
  const { metadata } = fired.rule;
  const body = (await situation.read(metadata))?.body ?? "";
  return (isAsked ? guardQuestion : guardReason)(fired, {
    handle: handleOf(metadata) + sourceMark(situation.collection.storeOf(metadata)),
    statement: ruleTexts({ metadata, body }).whole,
    why: whyOf({ metadata, body }),
  });
}

function receiptDecision(
  { rule, text, route }: FiredGuard<GuardInForce>,
  action: GuardAction | "let-pass",
  situation: Situation,
): Decision {
  const where = route.length > 0 ? ` inside ${route.join(" > ")}` : "";
  const done = action === "let-pass" ? "let pass once, as the user allowed:" : `${action} on`;
  return situation.decisionOn(rule.metadata, {
    form: "guard",
    reason: `guard ${rule.index + 1}: ${done} ${shownCall(text)}${where}`,
    chars: 0,
    guard: { rule: memoryKey(rule.metadata), index: rule.index, action },
  });
}

function slashed(path: string): string {
  return path.replaceAll("\\", "/");
}

export interface GuardInForce extends RuleGuard {
  metadata: MemoryMetadata;
  index: number;
}

const dutyKey = ({ metadata, index }: GuardInForce): string => `${memoryKey(metadata)} ${index}`;

async function dutiesOf(
  { session }: Situation,
  rules: readonly GuardInForce[],
): Promise<ReadonlyMap<Guard, DutyState>> {
  const { afterSteps } = await import("../guard/evaluate-guards.ts");
  const known = rules.map((rule) => [rule.guard, session.duties.get(dutyKey(rule))] as const);
  return new Map(known.flatMap(([guard, duty]) => (duty ? [[guard, afterSteps(duty.steps)] as const] : [])));
}

interface GuardedRule {
  metadata: MemoryMetadata;
  reading: GuardsReading;
  /** Why its guards do nothing here; undefined when they are in force. */
  whyInert: string | undefined;
}

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

export function guardsInForce(situation: Situation): GuardInForce[] {
  return guardedRules(situation)
    .filter((rule) => rule.whyInert === undefined)
    .flatMap(({ metadata, reading }) => {
      const scope = metadata.scope.paths.flatMap((glob) => parsePathTest(glob) ?? []);
      return reading.guards.map(({ guard, index }) => ({ metadata, guard, index, scope }));
    });
}

function whyInert(metadata: MemoryMetadata, situation: Situation): string | undefined {
  const { collection } = situation;
  if (collection.types.get(metadata.type)?.injection !== "always")
    return `a ${metadata.type} memory is not a rule`;
  const store = collection.storeOf(metadata);
  if (!store.isTrusted)
    return situation.unreviewed.get(memoryKey(metadata)) === "new"
      ? `it did not come through heed, and nobody has reviewed it: ${reviewCommand(store.kind)} shows it`
      : "its store is not approved on this machine";
  if (store.kind === "attached") return "its store belongs to another tool";
  if (metadata.status !== "confirmed")
    return `its status is ${metadata.status}, and only a confirmed rule stops anything`;
  return situation.whyNotHere(metadata);
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

/** What a call did about duties, for the session's log. `isOk` undefined: nobody says whether it succeeded. */
export async function dutyRecords(
  situation: Situation,
  { tool, input }: { tool: string; input: Record<string, unknown> },
  isOk: boolean | undefined,
): Promise<SessionRecord[]> {
  const { stepsOf, decisionEnd } = await import("../guard/evaluate-guards.ts");
  const call = callOf(situation, { tool, input, untilMs: decisionEnd() });
  // What runs on says nothing yet.
  const isEnded = input["run_in_background"] === true ? undefined : isOk;
  const time = situation.place.now().toISOString();
  return guardsInForce(situation).flatMap((rule): SessionRecord[] => {
    const steps = rule.guard.duty ? stepsOf(call, rule.guard.duty, isEnded) : [];
    return steps.length === 0
      ? []
      : [{ kind: "duty", time, rule: memoryKey(rule.metadata), index: rule.index, steps }];
  });
}

/** Sends the agent back once for all open duties of files changed in this turn; else tells the user. */
export async function endOfTurn(
  situation: Situation,
  { session, canSendBack, isContinued }: HeardEvent & { kind: "stop" },
): Promise<Outcome> {
  const rules = guardsInForce(situation).filter(({ guard }) => guard.duty?.moment === "turn-end");
  const { isMet, whyUnmet } = await import("../guard/evaluate-guards.ts");
  const duties = await dutiesOf(situation, rules);
  const fired = rules.flatMap((rule) => {
    const { duty, action } = rule.guard;
    const state = duties.get(rule.guard);
    const isOfTurn = situation.session.duties.get(dutyKey(rule))?.isThisTurn === true;
    if (!duty || !state || !isOfTurn || isMet(state) === "yes") return [];
    const isStopping = action !== "warn" && isMet(state) === "no";
    return [{ rule, action, text: "", route: [], because: whyUnmet(duty, state), isStopping }];
  });
  const stopping = fired.filter(({ isStopping }) => isStopping);
  if (fired.length === 0) return NOTHING;
  // Without a log nobody knows that it was sent back before.
  const isBack = isContinued || situation.session.isSentBack;
  const isSent = canSendBack && session !== "" && !isBack && stopping.length > 0;
  const words = (isSent ? stopping : fired)
    .map(({ rule, because }) => `${handleOf(rule.metadata)}: ${because}`)
    .join("; ");
  if (!isSent) {
    const although = isBack ? ", although the agent was sent back once" : "";
    return { notice: `heed: the turn ended${although}, and a rule is not kept: ${words}` };
  }
  const time = situation.place.now().toISOString();
  const reasons = await Promise.all(stopping.slice(0, 3).map((one) => reasonOf(one, situation)));
  return {
    sendBack: reasons.join("\n\n"),
    notice: `heed: sent back once: ${words}`,
    records: [
      { kind: "sent-back", time },
      ...stopping.map(({ rule: { metadata }, because }) => {
        const [rule, text] = [memoryKey(metadata), `the end of a turn: ${because}`];
        return { kind: "guarded" as const, time, rule, name: metadata.name, text };
      }),
    ],
    decisions: stopping.map((one) => receiptDecision(one, one.action, situation)),
  };
}
