import { HintTable } from "./hint-table.ts";
import { runScannerRules } from "./scanner-rules.ts";
import type { SecretPattern } from "./secret-patterns.ts";
import { isUrlPassword, SECRET_PATTERNS } from "./secret-patterns.ts";

/** A secret in a text. */
export interface FoundSecret {
  /** What it is: `github-token`, `private-key`, `password`. */
  kind: string;
  /** Where its value begins and ends in the text. */
  start: number;
  end: number;
}

/**
 * In lower case: what each form that secretlint's rules know begins with. The rules are loaded and run only on a text
 * that holds one of these, followed by enough of a value (`KNOWN_BEGINNINGS`); a test holds an example of each form
 * against both.
 */
const RULE_HINTS: readonly string[] = (
  "-----begin ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ npm_ hf_ gsk_ lin_api_ ntn_ shppa_ shpca_ shpat_ shpss_ glc_ " +
  "glsa_ ops_ey vcp_ vci_ vca_ vcr_ vck_ dckr_pat_ figd_ sg. glpat- xox xapp- sk- hvs. hvb. hvr. dapi " +
  "hooks.slack.com _authtoken= :// secret_access secretaccess"
).split(" ");
const KNOWN_BEGINNINGS =
  /-----BEGIN|(?:gh[pousr]|github_pat|npm|hf|gsk|lin_api|ntn|shp(?:pa|ca|at|ss)|glc|glsa|ops|vc[piark]|dckr_pat|figd)_[\w.+/-]{18}|SG\.[\w-]{16,128}\.|(?:glpat-|xox[abopr]-|xapp-|sk-|hv[sbr]\.|dapi)[\w-]{14}|hooks\.slack\.com|_authToken=|:\/\/[^\s/:@]{1,256}:[^\s/@]{1,256}@|secret_?access_?key/iy;

/** Kinds in plain words, where the rule's own name would not say what was found. */
const KINDS: Readonly<Record<string, string>> = {
  aws: "aws-secret-key",
  npm: "npm-token",
  slack: "slack-token",
  basicauth: "url-password",
  openai: "openai-key",
  anthropic: "anthropic-key",
  groq: "groq-key",
  huggingface: "huggingface-token",
  linear: "linear-key",
  notion: "notion-token",
  privatekey: "private-key",
  sendgrid: "sendgrid-key",
  shopify: "shopify-token",
  github: "github-token",
  gitlab: "gitlab-token",
  grafana: "grafana-token",
  "1password": "1password-token",
  "database-connection-string": "url-password",
  "hashicorp-vault": "vault-token",
  vercel: "vercel-token",
  databricks: "databricks-token",
  docker: "docker-token",
  figma: "figma-token",
};

/** Longer texts are looked at in pieces of this many characters, which bounds what hostile text can cost. */
const WINDOW_CHARS = 64 * 1024;
/** Pieces overlap by this much, the length of a long private key: a secret on the seam is found in the next piece. */
const OVERLAP_CHARS = 8 * 1024;

/**
 * The secrets in a text, in its order and without overlaps: by secretlint's recommended rules, and by patterns for
 * what they leave out (payment and cloud keys, tokens in headers, passwords beside their name). Cheap where nothing
 * looks like one: the rules are loaded at the first text that holds the beginning of a known form.
 */
export function findSecrets(text: string): FoundSecret[] {
  const found: FoundSecret[] = [];
  for (let at = 0; at === 0 || at + OVERLAP_CHARS < text.length; at += WINDOW_CHARS - OVERLAP_CHARS)
    found.push(...findInWindow(text.length <= WINDOW_CHARS ? text : text.slice(at, at + WINDOW_CHARS), at));
  return withoutOverlaps(found);
}

/** Where a pattern may match; undefined stands for secretlint's rules. */
let hintTable: HintTable<SecretPattern | undefined> | undefined;

function hints(): HintTable<SecretPattern | undefined> {
  hintTable ??= new HintTable<SecretPattern | undefined>([
    ...SECRET_PATTERNS.flatMap((secret) => secret.hints.map((hint) => [hint, secret] as const)),
    ...RULE_HINTS.map((hint) => [hint, undefined] as const),
  ]);
  return hintTable;
}

function findInWindow(text: string, offset: number): FoundSecret[] {
  const found: FoundSecret[] = [];
  let mayFollowRule = false;
  // A pattern goes on behind its last match, as a search from the beginning would.
  const ends = new Map<SecretPattern, number>();
  hints().scan(text, (at, secret) => {
    const { kind, pattern, isSecret } = secret ?? { pattern: KNOWN_BEGINNINGS };
    if (secret ? at < (ends.get(secret) ?? 0) : mayFollowRule) return;
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (!match) return;
    if (!secret || kind === undefined) {
      mayFollowRule = true;
      return;
    }
    const value = match.groups?.["value"] ?? match[0];
    const start = match.index + match[0].lastIndexOf(value);
    const end = start + value.trimEnd().length;
    ends.set(secret, end);
    if (!isSecret || isSecret(value, text.slice(end, end + 20)))
      found.push({ kind, start: offset + start, end: offset + end });
  });
  if (!mayFollowRule) return found;
  for (const { rule, start, end } of runScannerRules(text)) {
    const name = rule.replace("@secretlint/secretlint-rule-", "");
    const [from, to] = valueWithin(text, start, end);
    if (KINDS[name] === "url-password" && !isUrlPassword(text.slice(from, to), text.slice(to, to + 20)))
      continue;
    found.push({ kind: KINDS[name] ?? name, start: offset + from, end: offset + to });
  }
  return found;
}

/** Of a URL or an assignment only the value: where it leads and what it is called may be told. */
function valueWithin(text: string, start: number, end: number): [number, number] {
  const match =
    /:\/\/[^\s/:@]*:([^\s/@]+)@|^["']?\w*(?:key|token)["']?\s*(?:=>|[:=])\s*["']?(.+?)["']?$/i.exec(
      text.slice(start, end),
    );
  const value = match?.[1] ?? match?.[2];
  if (!match || value === undefined) return [start, end];
  const from = start + match.index + match[0].lastIndexOf(value);
  return [from, from + value.length];
}

/** Of two that overlap, one over the whole range; its kind is that of the more telling one, which begins first. */
function withoutOverlaps(found: readonly FoundSecret[]): FoundSecret[] {
  const merged: FoundSecret[] = [];
  for (const secret of found.toSorted((a, b) => a.start - b.start || b.end - a.end || rank(a) - rank(b))) {
    const last = merged.at(-1);
    if (!last || secret.start >= last.end) {
      merged.push({ ...secret });
      continue;
    }
    if (rank(secret) < rank(last)) last.kind = secret.kind;
    last.end = Math.max(last.end, secret.end);
  }
  return merged;
}

/** `password` says least: whatever else was found there names it better. */
function rank({ kind }: FoundSecret): number {
  if (kind === "password") return 2;
  return kind === "openai-key" || kind === "url-password" ? 1 : 0;
}
