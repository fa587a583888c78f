import type { ShortlistEntry } from "../../app/place/judge-source.ts";
import type { Judgement } from "./judge.ts";
import { HeedError } from "../../errors/heed-error.ts";
import type { JudgeStatus, JudgeTrial } from "../../app/api/judge-status.ts";
import { configuredJudge } from "./configured-judge.ts";
import { JudgeLedger } from "./judge-ledger.ts";
import type { Place } from "../../app/place/place.ts";

/** A request and notes of which one is needed, so that a trial tells more than that somebody answers. */
const TRIAL_PROMPT = "the staging deploy fails again with the certificate error, please fix it";
const TRIAL_NEEDED = "heed:staging-certificates";
const TRIAL_SHORTLIST: readonly ShortlistEntry[] = [
  { handle: "heed:bread-recipe", description: "the user's sourdough rises 14 hours at 12 degrees" },
  {
    handle: TRIAL_NEEDED,
    description: "staging certificates are renewed by hand: run bin/renew-staging, then restart the proxy",
  },
  { handle: "heed:team-calendar", description: "planning is on Mondays at 10:00" },
];

/** How the judge stands and what it has cost. Asks nobody. */
export function judgeStatus(place: Place): JudgeStatus {
  const ledger = new JudgeLedger(place.places).totals();
  const configured = configuredJudge(place);
  if (configured.state === "off") return { state: "off", reason: configured.reason, problems: [], ledger };
  if (configured.state === "broken") return { state: "broken", problems: configured.problems, ledger };
  const { judge, config } = configured;
  return {
    state: "on",
    problems: [],
    judge: judge.name,
    endpoint: config.provider === "claude-code" ? config.command : config.url,
    budget: { calls: config.maxCalls, tokens: config.maxTokens },
    deadlineMs: config.deadlineMs,
    waitMs: config.waitMs,
    ledger,
  };
}

/** Asks the configured judge once, about made-up memories. Rejects with `invalid-input` when there is none. */
export async function tryJudge(place: Place): Promise<JudgeTrial> {
  const configured = configuredJudge(place);
  if (configured.state !== "on") {
    const why = configured.state === "off" ? configured.reason : configured.problems.join("; ");
    throw new HeedError("invalid-input", `there is no judge to try: ${why}`, {
      argument: "judge",
      value: why,
    });
  }
  const { judge, config } = configured;
  const ledger = new JudgeLedger(place.places);
  // A day's trials share one budget: a model with a shell may run this too.
  const session = `trial ${place.now().toISOString().slice(0, 10)}`;
  if (ledger.spent(session).calls >= config.maxCalls)
    throw new HeedError(
      "invalid-input",
      `the judge was tried ${config.maxCalls} times today, which is its budget; judge.calls in config.yaml raises it`,
      { argument: "judge", value: session },
    );
  const finish = ledger.begin({ session, judge: judge.name, reserve: 0 }, place.now);
  const startedAt = performance.now();
  const judgement = await judge.select(TRIAL_PROMPT, TRIAL_SHORTLIST, config.deadlineMs);
  const elapsedMs = Math.round(performance.now() - startedAt);
  finish(judgement, elapsedMs);
  return trialOf(judge.name, judgement, elapsedMs);
}

function trialOf(judge: string, judgement: Judgement, elapsedMs: number): JudgeTrial {
  const chosen = judgement.kind === "chosen" ? judgement.handles : [];
  return {
    judge,
    outcome: judgement.kind === "chosen" ? "chosen" : judgement.failure,
    ...(judgement.kind === "failed" && { message: judgement.message }),
    prompt: TRIAL_PROMPT,
    shortlist: [...TRIAL_SHORTLIST],
    chosen,
    isAsExpected: chosen.length === 1 && chosen[0] === TRIAL_NEEDED,
    elapsedMs,
    ...(judgement.usage && { tokens: judgement.usage }),
  };
}
