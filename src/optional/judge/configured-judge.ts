import type { JudgeConfig } from "./judge-config.ts";
import { asRecord } from "../../memory/codec/read-fields.ts";
import { readJudgeConfig } from "./judge-config.ts";
import type { Judge } from "./judge.ts";
import { openJudge } from "./open-judge.ts";
import { logTrouble } from "../../app/place/trouble-log.ts";
import { readUserConfig } from "../../app/place/user-config.ts";
import type { Place } from "../../app/place/place.ts";
import { BudgetedJudge } from "./budgeted-judge.ts";
import { JudgeLedger } from "./judge-ledger.ts";

/** The judge that the user set up, or why there is none. */
export type ConfiguredJudge =
  | { state: "on"; judge: Judge; config: JudgeConfig }
  | { state: "off"; reason: string }
  | { state: "broken"; problems: string[] };

type Machine = Pick<Place, "env" | "places">;

/**
 * Reads `judge` in `config.yaml` of the user's configuration directory, and nothing else: no store and no repository
 * can turn a judge on. `HEED_JUDGE=off` turns it off.
 */
export function configuredJudge({ env, places }: Machine): ConfiguredJudge {
  if (env["HEED_JUDGE"] === "off") return { state: "off", reason: "turned off by HEED_JUDGE=off" };
  const { file, values, problems: broken } = readUserConfig(places);
  const value = asRecord(values["judge"]);
  if (broken.length > 0) return { state: "broken", problems: broken };
  if (value === undefined)
    return (values["judge"] ?? "off") === "off"
      ? { state: "off", reason: "not set up (docs/judge.md)" }
      : {
          state: "broken",
          problems: [`${file}: judge is neither off nor a map with provider and model (docs/judge.md)`],
        };
  const { config, problems } = readJudgeConfig(value);
  if (config === undefined) return { state: "broken", problems };
  const judge = openJudge(config, env);
  return "missing" in judge ? { state: "broken", problems: [judge.missing] } : { state: "on", judge, config };
}

/** The judge of a resident process; undefined where the user set up no judge, or a broken one, which the log tells. */
export function openBudgetedJudge(place: Machine & Pick<Place, "now">): BudgetedJudge | undefined {
  const { env, places, now } = place;
  const note = (trouble: unknown): void => logTrouble("judge", trouble, env);
  try {
    const configured = configuredJudge(place);
    if (configured.state === "broken") note(configured.problems.join("; "));
    if (configured.state !== "on") return undefined;
    const { judge, config } = configured;
    return new BudgetedJudge({ judge, config, ledger: new JudgeLedger(places), now, note });
  } catch (error) {
    note(error);
    return undefined;
  }
}
