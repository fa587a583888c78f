import type { Decision, Explanation } from "../api/session-events.ts";
import type { TestCase, TestReport, TestResult } from "../api/maintenance-reports.ts";
import type { Place } from "../place/place.ts";
import { readSession } from "../records/session-state.ts";
import { dryRun } from "../session/explain.ts";
import { openContext } from "../session/open-context.ts";
import { type Situation, lookAround } from "../session/situation.ts";
import { readTestFiles } from "./read-test-cases.ts";
import type { StoreRef } from "../../memory/memory.ts";

const DEADLINE_MS = 10_000;

/**
 * Runs the test cases of every store that holds here: each prompt as the first of a fresh session in mode typed, by the
 * code that answers a real one. Leaves no trace. `filter`: only cases whose file, name or prompt contains it.
 */
export async function runTests(
  place: Place,
  { filter = "" }: { filter?: string | undefined } = {},
): Promise<TestReport> {
  const startedAt = performance.now();
  const report: TestReport = { results: [], passed: 0, failed: 0, problems: [], elapsedMs: 0 };
  const situation = await lookAround(place, readSession(place.places, ""), "typed", DEADLINE_MS);
  const opening = await openingDecisions(situation);
  const wanted = filter.toLowerCase();
  for (const store of place.stores) {
    for (const { file, cases, problems } of readTestFiles(store.root)) {
      report.problems.push(...problems.map((problem) => ({ store, problem })));
      for (const test of cases) {
        if (![file, test.name, test.prompt].some((text) => text.toLowerCase().includes(wanted))) continue;
        const explanation = await dryRun(place, test.prompt);
        report.results.push(resultOf({ test, store, file, explanation, opening, situation }));
      }
    }
  }
  report.passed = report.results.filter(({ hasPassed }) => hasPassed).length;
  report.failed = report.results.length - report.passed;
  report.elapsedMs = performance.now() - startedAt;
  return report;
}

/** What was decided about each rule and fact for a fresh context, by name. */
async function openingDecisions(situation: Situation): Promise<Map<string, Decision>> {
  const { decisions } = await openContext(situation, { agent: undefined, client: "", session: "" });
  return new Map(decisions.map((decision) => [decision.name, decision]));
}

interface Outcome {
  test: TestCase;
  store: StoreRef;
  file: string;
  explanation: Explanation;
  opening: ReadonlyMap<string, Decision>;
  situation: Situation;
}

function resultOf(outcome: Outcome): TestResult {
  const { test, store, file, explanation } = outcome;
  const { decisions } = explanation.receipt;
  const injected = decisions.filter(({ form }) => form !== "none");
  const chars = explanation.context.length;
  const failures = [
    ...test.injected.flatMap((name) => whyNotInjected(name, outcome)),
    ...test.whole.flatMap((name) => whyNotWhole(name, outcome)),
    ...test.not.flatMap((name) => whyInjected(name, outcome)),
    ...(test.isNothing && injected.length > 0
      ? [`expected nothing, got ${injected.map(({ name, form }) => `${name} (${form})`).join(", ")}`]
      : []),
    ...(test.maxChars !== undefined && chars > test.maxChars
      ? [`expected at most ${test.maxChars} characters, got ${chars}`]
      : []),
  ];
  return {
    store,
    file,
    line: test.line,
    name: test.name,
    prompt: test.prompt,
    hasPassed: failures.length === 0,
    failures,
    injected: injected.map(({ name, form, chars: own }) => ({ name, form, chars: own })),
    chars,
  };
}

/** What was decided on the prompt; of a rule, when the context was opened. */
function decisionOf(name: string, { explanation, opening }: Outcome): Decision | undefined {
  const onPrompt = explanation.receipt.decisions.find((decision) => decision.name === name);
  const before = opening.get(name);
  return before?.form === "rule" ? before : (onPrompt ?? (before?.form === "none" ? before : undefined));
}

function whyNotInjected(name: string, outcome: Outcome): string[] {
  const decision = decisionOf(name, outcome);
  // Its line in the map is told before any prompt.
  if (outcome.opening.get(name)?.form === "map") return [];
  if (decision !== undefined && decision.form !== "none") return [];
  return [`expected ${name}: ${reasonOf(name, decision, outcome)}`];
}

function whyNotWhole(name: string, outcome: Outcome): string[] {
  const decision = decisionOf(name, outcome);
  if (decision === undefined || decision.form === "none")
    return [`expected ${name} whole: ${reasonOf(name, decision, outcome)}`];
  if (decision.form !== "pointer") return [];
  return [`expected ${name} whole, got a pointer${numberOf(decision)}: ${decision.reason}`];
}

function whyInjected(name: string, outcome: Outcome): string[] {
  const decision = decisionOf(name, outcome);
  if (decision === undefined || decision.form === "none") return [];
  return [`expected no ${name}, got it as ${decision.form}${numberOf(decision)}: ${decision.reason}`];
}

function reasonOf(name: string, decision: Decision | undefined, { situation }: Outcome): string {
  if (decision !== undefined) return `not told${numberOf(decision)}: ${decision.reason}`;
  const isKnown = situation.collection.readers.some((reader) => reader.memoriesByHandle(name).length > 0);
  return isKnown ? "not told: nothing in common with the prompt" : "there is no memory of that name here";
}

function numberOf({ probability }: Decision): string {
  return probability === undefined ? "" : ` (p ${probability.toFixed(2)})`;
}
