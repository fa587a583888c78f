import { ANTHROPIC_PROTOCOL } from "./anthropic-protocol.ts";
import { ClaudeCodeJudge } from "./claude-code-judge.ts";
import { HttpJudge } from "./http-judge.ts";
import type { Judge } from "./judge.ts";
import type { JudgeConfig } from "./judge-config.ts";
import { OPENAI_PROTOCOL } from "./openai-protocol.ts";

/** The judge of a configuration, or what it lacks. The key is read from the environment, here and nowhere else. */
export function openJudge(
  config: JudgeConfig,
  env: Readonly<Record<string, string | undefined>>,
): Judge | { missing: string } {
  if (config.provider === "claude-code") return new ClaudeCodeJudge(config, env);
  const key = config.keyFrom === undefined ? undefined : env[config.keyFrom]?.trim();
  if (config.keyFrom !== undefined && (key === undefined || key === ""))
    return { missing: `${config.keyFrom} is not set in the environment` };
  // A header takes no line break; fetch would say so with the key in its message.
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key))
    return { missing: `${config.keyFrom} holds characters that no key has` };
  return new HttpJudge(config, config.provider === "anthropic" ? ANTHROPIC_PROTOCOL : OPENAI_PROTOCOL, key);
}
