import { openModel } from "../model/open-model.ts";
import type { Judge } from "./judge.ts";
import type { JudgeConfig } from "./judge-config.ts";
import { ModelJudge } from "./model-judge.ts";

/** The judge of a configuration, or what it lacks. */
export function openJudge(
  config: JudgeConfig,
  env: Readonly<Record<string, string | undefined>>,
): Judge | { missing: string } {
  const model = openModel(config, env);
  return "missing" in model ? model : new ModelJudge(model, config.maxAnswerTokens);
}
