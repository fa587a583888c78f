import { FieldReader } from "../../machine/read-fields.ts";

/** Who may be asked. */
export type ModelProvider = "anthropic" | "openai" | "claude-code";
const PROVIDERS: readonly ModelProvider[] = ["anthropic", "openai", "claude-code"];

/** Which model the user set up, where, and what it may cost. The key is never here: only the name of its variable. */
export interface ModelConfig {
  provider: ModelProvider;
  /** As the provider names it. Default for `claude-code`: `haiku`. */
  model: string;
  /** Base address of the API, without a slash at its end; empty for `claude-code`. */
  url: string;
  /** Name of the environment variable that holds the key; undefined for an endpoint that wants none. */
  keyFrom: string | undefined;
  /** The command of `claude-code`. Default `claude`. */
  command: string;
  /** How long one call may take, in milliseconds. Default 60,000: nobody waits for it. */
  deadlineMs: number;
  /** Calls a day at most. Default 20. */
  maxCalls: number;
  /** Tokens a day at most, question and answer together. Default 200,000. */
  maxTokens: number;
  /** Tokens of one answer at most. Default 2,000. */
  maxAnswerTokens: number;
}

const DEFAULTS: Readonly<Record<ModelProvider, { url: string; keyFrom: string | undefined }>> = {
  anthropic: { url: "https://api.anthropic.com", keyFrom: "ANTHROPIC_API_KEY" },
  openai: { url: "https://api.openai.com/v1", keyFrom: "OPENAI_API_KEY" },
  "claude-code": { url: "", keyFrom: undefined },
};

const KEYS = [
  "provider",
  "model",
  "url",
  "key_from",
  "command",
  "deadline_ms",
  "calls",
  "tokens",
  "answer_tokens",
];

/**
 * Reads the `learn` part of the user's configuration. The configuration is undefined as soon as there is a problem: what
 * is half understood is not used.
 */
export function readModelConfig(value: Readonly<Record<string, unknown>>): {
  config: ModelConfig | undefined;
  problems: string[];
} {
  const fields = new FieldReader(value);
  const problems: string[] = [];
  const provider = fields.word(PROVIDERS, "provider");
  if (provider === undefined)
    problems.push(`learn.provider is missing or unknown: use one of ${PROVIDERS.join(", ")}`);
  const model = fields.text("model") ?? (provider === "claude-code" ? "haiku" : undefined);
  if (model === undefined) problems.push(`learn.model is missing: name it as the provider does`);
  for (const key of Object.keys(value)) if (!KEYS.includes(key)) problems.push(unknownKey(key));
  const defaults = DEFAULTS[provider ?? "anthropic"];
  const given = fields.text("url");
  const url = (given ?? defaults.url).replace(/\/+$/, "");
  const keyFrom = fields.text("key_from") ?? (given === undefined ? defaults.keyFrom : undefined);
  if (keyFrom !== undefined && !/^[A-Za-z_]\w{0,100}$/.test(keyFrom))
    problems.push(`learn.key_from is no name of an environment variable`);
  const trouble = given === undefined ? undefined : whyNoAddress(given, keyFrom !== undefined);
  if (trouble !== undefined) problems.push(trouble);
  const command = fields.text("command") ?? "claude";
  const number = (key: string, fallback: number, least: number, most: number): number => {
    const raw = fields.get(key);
    if (raw === undefined) return fallback;
    const read = typeof raw === "number" || typeof raw === "string" ? Number(raw) : Number.NaN;
    if (Number.isInteger(read) && read >= least && read <= most) return read;
    problems.push(`learn.${key} is ${JSON.stringify(raw)?.slice(0, 40)}: use ${least} to ${most}`);
    return fallback;
  };
  const bounds = {
    deadlineMs: number("deadline_ms", 60_000, 1000, 300_000),
    maxCalls: number("calls", 20, 1, 1000),
    maxTokens: number("tokens", 200_000, 1000, 10_000_000),
    maxAnswerTokens: number("answer_tokens", 2000, 200, 16_000),
  };
  const isUsable = problems.length === 0 && provider !== undefined && model !== undefined;
  return {
    config: isUsable ? { provider, model, url, keyFrom, command, ...bounds } : undefined,
    problems,
  };
}

function unknownKey(key: string): string {
  return /^(?:api[-_]?)?(?:key|token|secret)$/i.test(key)
    ? `learn.${key}: a key does not belong into a file; put it into the environment and name the variable as key_from`
    : `learn.${key.slice(0, 40)} is not known: use ${KEYS.join(", ")}`;
}

function whyNoAddress(given: string, hasKey: boolean): string | undefined {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    return `learn.url is ${JSON.stringify(given.slice(0, 80))}: use an http(s) address`;
  if (url.username !== "" || url.password !== "")
    return `learn.url holds a password: put it into the environment and name the variable as key_from`;
  const isLocal = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
  return url.protocol === "http:" && hasKey && !isLocal
    ? `learn.url is http, and a key would travel in the clear: use https`
    : undefined;
}
