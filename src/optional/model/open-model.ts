import { checkCommand } from "../../freshness/check-machine.ts";
import { ANTHROPIC_PROTOCOL } from "./anthropic-protocol.ts";
import { ClaudeCodeModel } from "./claude-code-model.ts";
import { HttpModel } from "./http-model.ts";
import type { Model } from "./model.ts";
import type { ModelConfig } from "./model-config.ts";
import { OPENAI_PROTOCOL } from "./openai-protocol.ts";

/** The model of a configuration, or what it lacks. The key is read from the environment, here and nowhere else. */
export function openModel(
  config: ModelConfig,
  env: Readonly<Record<string, string | undefined>>,
): Model | { missing: string } {
  if (config.provider === "claude-code") {
    const { command } = config;
    const isMissing = !/[\\/]/.test(command) && checkCommand(command, env).state === "broken";
    return isMissing ? { missing: `there is no ${command} on the PATH` } : new ClaudeCodeModel(config, env);
  }
  const key = config.keyFrom === undefined ? undefined : env[config.keyFrom]?.trim();
  if (config.keyFrom !== undefined && (key === undefined || key === ""))
    return { missing: `${config.keyFrom} is not set in the environment` };
  // A header takes no line break; fetch would say so with the key in its message.
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key))
    return { missing: `${config.keyFrom} holds characters that no key has` };
  return new HttpModel(config, config.provider === "anthropic" ? ANTHROPIC_PROTOCOL : OPENAI_PROTOCOL, key);
}
