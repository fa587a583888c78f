import { FieldReader } from "../../memory/codec/read-fields.ts";

/** Who may be asked. */
export type ModelProvider = "anthropic" | "openai" | "claude-code";
const PROVIDERS: readonly ModelProvider[] = ["anthropic", "openai", "claude-code"];

/** Which model the user set up, and where. The key is never here: only the name of the variable that holds it. */
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
}

const DEFAULTS: Readonly<Record<ModelProvider, { url: string; keyFrom: string | undefined }>> = {
  anthropic: { url: "https://api.anthropic.com", keyFrom: "ANTHROPIC_API_KEY" },
  openai: { url: "https://api.openai.com/v1", keyFrom: "OPENAI_API_KEY" },
  "claude-code": { url: "", keyFrom: undefined },
};

const KEYS: readonly string[] = ["provider", "model", "url", "key_from", "command"];

/** A part of the user's configuration that names a model, and the numbers that it has besides. */
export interface ReadModelConfig {
  /** Undefined as soon as there is a problem: what is half understood is not used. */
  config: ModelConfig | undefined;
  /** Reads a whole number of the part; what is none, or out of bounds, is a problem. */
  number(key: string, fallback: number, least: number, most: number): number;
  problems: string[];
}

/** Reads a part of the user's configuration. `numbers`: the keys that it may have besides those of a model. */
export function readModelConfig(
  part: string,
  value: Readonly<Record<string, unknown>>,
  numbers: readonly string[],
): ReadModelConfig {
  const fields = new FieldReader(value);
  const problems: string[] = [];
  const known = [...KEYS, ...numbers];
  const provider = fields.word(PROVIDERS, "provider");
  if (provider === undefined)
    problems.push(`${part}.provider is missing or unknown: use one of ${PROVIDERS.join(", ")}`);
  const model = fields.text("model") ?? (provider === "claude-code" ? "haiku" : undefined);
  if (model === undefined) problems.push(`${part}.model is missing: name it as the provider does`);
  for (const key of Object.keys(value)) if (!known.includes(key)) problems.push(unknownKey(part, key, known));
  const defaults = DEFAULTS[provider ?? "anthropic"];
  const given = fields.text("url");
  const url = (given ?? defaults.url).replace(/\/+$/, "");
  const keyFrom = fields.text("key_from") ?? (given === undefined ? defaults.keyFrom : undefined);
  if (keyFrom !== undefined && !/^[A-Za-z_]\w{0,100}$/.test(keyFrom))
    problems.push(`${part}.key_from is no name of an environment variable`);
  const trouble = given === undefined ? undefined : whyNoAddress(part, given, keyFrom !== undefined);
  if (trouble !== undefined) problems.push(trouble);
  const command = fields.text("command") ?? "claude";
  return {
    problems,
    get config() {
      return problems.length > 0 || provider === undefined || model === undefined
        ? undefined
        : { provider, model, url, keyFrom, command };
    },
    number(key, fallback, least, most) {
      const raw = fields.get(key);
      if (raw === undefined) return fallback;
      const read = typeof raw === "number" || typeof raw === "string" ? Number(raw) : Number.NaN;
      if (Number.isInteger(read) && read >= least && read <= most) return read;
      problems.push(`${part}.${key} is ${JSON.stringify(raw)?.slice(0, 40)}: use ${least} to ${most}`);
      return fallback;
    },
  };
}

function unknownKey(part: string, key: string, known: readonly string[]): string {
  return /^(?:api[-_]?)?(?:key|token|secret)$/i.test(key)
    ? `${part}.${key}: a key does not belong into a file; put it into the environment and name the variable as key_from`
    : `${part}.${key.slice(0, 40)} is not known: use ${known.join(", ")}`;
}

function whyNoAddress(part: string, given: string, hasKey: boolean): string | undefined {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    return `${part}.url is ${JSON.stringify(given.slice(0, 80))}: use an http(s) address`;
  if (url.username !== "" || url.password !== "")
    return `${part}.url holds a password: put it into the environment and name the variable as key_from`;
  const isLocal = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
  return url.protocol === "http:" && hasKey && !isLocal
    ? `${part}.url is http, and a key would travel in the clear: use https`
    : undefined;
}
