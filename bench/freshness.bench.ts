import { parseArgs } from "node:util";
import { type Figure, figure, rateFigure } from "./figure.ts";
import type { Outcome, RenameOutcome, Replay } from "./freshness-replay.ts";
import { replayRepository } from "./freshness-replay.ts";
import { replayGenerated } from "./generated-replay.ts";

const SIGNALS = ["claims", "marks", "missing", "file", "commits", "calendar"] as const;
const SEEDS = [1, 2, 3];
/** So many disagreements are printed with --look. */
const MAX_SHOWN = 40;

/**
 * Writes memories at old commits of repositories and of made-up histories, looks at them at later ones, and compares
 * each signal of staleness with what is true, which grammars and git's objects decide.
 *
 * `--repo DIR` (repeated) replays those instead of this repository; `--memories N` at each of `--points N` commits of the
 * history (40 at 4); `--seconds N` for one repository (600); `--seed N`; `--no-generated`; `--look` prints what was missed and what was flagged wrongly, for a look by eye.
 */
export async function run(args: string[]): Promise<Figure[]> {
  const { values } = parseArgs({
    args,
    options: {
      repo: { type: "string", multiple: true },
      memories: { type: "string", default: "40" },
      points: { type: "string", default: "4" },
      seed: { type: "string", default: "1" },
      seconds: { type: "string", default: "600" },
      "no-generated": { type: "boolean" },
      look: { type: "boolean" },
    },
  });
  const { memories, points, seed, seconds } = values;
  const options = {
    memories: Number(memories),
    points: Number(points),
    seed: Number(seed),
    seconds: Number(seconds),
  };
  const real: Replay = { outcomes: [], renames: [] };
  for (const repository of values.repo ?? ["."]) {
    const onProgress = (line: string): void => console.error(`${repository}: ${line}`);
    add(real, await replayRepository(repository, { ...options, onProgress }));
  }
  const made: Replay = { outcomes: [], renames: [] };
  if (!values["no-generated"]) for (const seed of SEEDS) add(made, await replayGenerated(seed));
  const all: Replay = {
    outcomes: [...real.outcomes, ...made.outcomes],
    renames: [...real.renames, ...made.renames],
  };
  if (values.look) look(all);
  return [...figuresOf("", all), ...figuresOf("repositories_", real), ...figuresOf("generated_", made)];
}

function add(to: Replay, from: Replay): void {
  to.outcomes.push(...from.outcomes);
  to.renames.push(...from.renames);
}

function figuresOf(prefix: string, { outcomes, renames }: Replay): Figure[] {
  if (outcomes.length === 0) return [];
  const stale = outcomes.filter(({ isStale }) => isStale).length;
  return [
    ...SIGNALS.flatMap((signal) =>
      signalFigures(`${prefix}${signal}_`, outcomes, (outcome) => outcome.signals[signal]),
    ),
    ...signalFigures(`${prefix}always_flag_`, outcomes, () => true),
    ...signalFigures(`${prefix}never_flag_`, outcomes, () => false),
    ...(prefix === "" ? signalFigures("", outcomes, ({ signals }) => signals.claims).slice(-1) : []),
    rateFigure(`${prefix}stale_share`, stale, outcomes.length),
    rateFigure(`${prefix}rename_repair`, renames.filter(isRepaired).length, renames.length),
    // Of those for which a new place is named at all: a wrong one is worse than none.
    rateFigure(
      `${prefix}rename_repair_precision`,
      renames.filter(isRepaired).length,
      renames.filter(({ proposed }) => proposed !== undefined).length,
    ),
  ];
}

function signalFigures(
  prefix: string,
  outcomes: readonly Outcome[],
  flags: (outcome: Outcome) => boolean,
): Figure[] {
  const flagged = outcomes.filter(flags);
  const caught = flagged.filter(({ isStale }) => isStale).length;
  const stale = outcomes.filter(({ isStale }) => isStale).length;
  return [
    rateFigure(`${prefix}precision`, caught, flagged.length),
    rateFigure(`${prefix}recall`, caught, stale),
    figure(
      `${prefix}alerts_per_catch`,
      caught === 0 ? null : flagged.length / caught,
      "alerts",
      flagged.length,
    ),
  ];
}

function isRepaired({ to, proposed }: RenameOutcome): boolean {
  return to === proposed;
}

/** What heed and the truth do not agree on, for a person to decide. */
function look({ outcomes, renames }: Replay): void {
  const wrong = outcomes
    .filter(({ isStale, signals }) => isStale !== signals.claims || (signals.marks && !isStale))
    .slice(0, MAX_SHOWN);
  for (const { isStale, facts, claims, where } of wrong)
    console.error(
      `${isStale ? "missed" : "false alarm"} ${where}\n  says   ${JSON.stringify(facts)}\n  claims ${JSON.stringify(claims)}`,
    );
  for (const rename of renames.filter((one) => !isRepaired(one)).slice(0, MAX_SHOWN))
    console.error(`rename ${JSON.stringify(rename)}`);
}
