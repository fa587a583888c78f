import { FieldReader } from "../../memory/codec/read-fields.ts";

/** Who may judge. */
export type JudgeProvider = "anthropic" | "openai" | "claude-code";
const PROVIDERS: readonly JudgeProvider[] = ["anthropic", "openai", "claude-code"];

/** How the user set up the judge. The key is never here: only the name of the variable that holds it. */
export interface JudgeConfig {
  provider: JudgeProvider;
  /** As the provider names it. Default for `claude-code`: `haiku`. */
  model: string;
  /** Base address of the API, without a slash at its end; empty for `claude-code`. */
  url: string;
  /** Name of the environment variable that holds the key; undefined for an endpoint that wants none. */
  keyFrom: string | undefined;
  /** The command of `claude-code`. Default `claude`. */
  command: string;
  /** How long one call may take, in milliseconds. Default 8,000, of a command line client 30,000: it runs beside the turn. */
  deadlineMs: number;
  /** How long a prompt is held for it, in milliseconds, within the hook's own second. Default 600; of a client 0. */
  waitMs: number;
  /** Calls a session at most. Default 30. */
  maxCalls: number;
  /** Tokens a session at most, question and answer together. Default 60,000. */
  maxTokens: number;
  /** Tokens of one answer at most. Default 300; a model that thinks aloud first needs more. */
  maxAnswerTokens: number;
}

interface ProviderDefaults {
  url: string;
  keyFrom: string | undefined;
  deadlineMs: number;
  waitMs: number;
}

const DEFAULTS: Readonly<Record<JudgeProvider, ProviderDefaults>> = {
  anthropic: {
    url: "https://api.anthropic.com",
    keyFrom: "ANTHROPIC_API_KEY",
    deadlineMs: 8000,
    waitMs: 600,
  },
  openai: {
    url: "https://api.openai.com/v1",
    keyFrom: "OPENAI_API_KEY",
    deadlineMs: 8000,
    waitMs: 600,
  },
  "claude-code": { url: "", keyFrom: undefined, deadlineMs: 30_000, waitMs: 0 },
};

const KEYS: ReadonlySet<string> = new Set([
  "provider",
  "model",
  "url",
  "key_from",
  "command",
  "deadline_ms",
  "wait_ms",
  "calls",
  "tokens",
  "answer_tokens",
]);

/** The judge of the user's configuration, or what is wrong with it. */
export interface ReadJudgeConfig {
  /** Undefined as soon as there is a problem: a judge that is half understood is none. */
  config: JudgeConfig | undefined;
  problems: string[];
}

/** Reads the `judge` part of the user's configuration. */
export function readJudgeConfig(value: Readonly<Record<string, unknown>>): ReadJudgeConfig {
  const fields = new FieldReader(value);
  const problems: string[] = [];
  const provider = fields.word(PROVIDERS, "provider");
  if (provider === undefined)
    problems.push(`judge.provider is missing or unknown: use one of ${PROVIDERS.join(", ")}`);
  const model = fields.text("model") ?? (provider === "claude-code" ? "haiku" : undefined);
  if (model === undefined) problems.push("judge.model is missing: name it as the provider does");
  for (const key of Object.keys(value)) if (!KEYS.has(key)) problems.push(unknownKey(key));
  const defaults = DEFAULTS[provider ?? "anthropic"];
  const given = fields.text("url");
  const url = (given ?? defaults.url).replace(/\/+$/, "");
  const keyFrom = fields.text("key_from") ?? (given === undefined ? defaults.keyFrom : undefined);
  if (keyFrom !== undefined && !/^[A-Za-z_]\w{0,100}$/.test(keyFrom))
    problems.push("judge.key_from is no name of an environment variable");
  const trouble = given === undefined ? undefined : whyNoAddress(given, keyFrom !== undefined);
  if (trouble !== undefined) problems.push(trouble);
  const number = (key: string, fallback: number, least: number, most: number): number => {
    const raw = fields.get(key);
    if (raw === undefined) return fallback;
    const read = typeof raw === "number" || typeof raw === "string" ? Number(raw) : Number.NaN;
    if (Number.isInteger(read) && read >= least && read <= most) return read;
    problems.push(`judge.${key} is ${JSON.stringify(raw)?.slice(0, 40)}: use ${least} to ${most}`);
    return fallback;
  };
  const config = {
    url,
    keyFrom,
    command: fields.text("command") ?? "claude",
    deadlineMs: number("deadline_ms", defaults.deadlineMs, 100, 120_000),
    waitMs: number("wait_ms", defaults.waitMs, 0, 700),
    maxCalls: number("calls", 30, 1, 10_000),
    maxTokens: number("tokens", 60_000, 1000, 10_000_000),
    maxAnswerTokens: number("answer_tokens", 300, 50, 8000),
  };
  return problems.length > 0 || provider === undefined || model === undefined
    ? { config: undefined, problems }
    : { config: { provider, model, ...config }, problems };
}

function unknownKey(key: string): string {
  return /^(?:api[-_]?)?(?:key|token|secret)$/i.test(key)
    ? `judge.${key}: a key does not belong into a file; put it into the environment and name the variable as key_from`
    : `judge.${key.slice(0, 40)} is not known: use ${[...KEYS].join(", ")}`;
}

function whyNoAddress(given: string, hasKey: boolean): string | undefined {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    return `judge.url is ${JSON.stringify(given.slice(0, 80))}: use an http(s) address`;
  if (url.username !== "" || url.password !== "")
    return "judge.url holds a password: put it into the environment and name the variable as key_from";
  const isLocal = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
  return url.protocol === "http:" && hasKey && !isLocal
    ? "judge.url is http, and a key would travel in the clear: use https"
    : undefined;
}
