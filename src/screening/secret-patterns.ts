/** A shape of text that is a secret whatever stands around it. The value is the group `value`, else the whole match. */
export interface SecretPattern {
  /** What it is, in the words of a redaction: `stripe-key`. */
  kind: string;
  /**
   * What a match begins with, in lower case. The pattern is tried where one of them stands and nowhere else: looking
   * for a literal costs a fraction of running a pattern, above all the first time in a process.
   */
  hints: readonly string[];
  /** Sticky. */
  pattern: RegExp;
  /** A last look at the value, and at what follows it: placeholders and words are no secrets. */
  isSecret?: (value: string, following: string) => boolean;
}

/** Values longer than this are cut there: nothing that a person keeps as a credential is longer, keys in blocks aside. */
const MAX_VALUE = 400;

/** Beginnings of the names under which values are assigned, and of the words with which they are told. */
const ASSIGNED = ["password", "passwd", "passphrase", "pwd", "secret", "token", "credential"].concat(
  ["api", "access", "private", "auth"].flatMap((of) => [`${of}key`, `${of}_key`, `${of}-key`]),
);
const TOLD = ["password", "passphrase", "passcode", "api key", "access token", "secret key"];
/** A hint has three characters. */
const TWILIO = Array.from("0123456789abcdef", (digit) => `sk${digit}`);

/**
 * What secretlint's recommended rules leave out, with the forms that the services document. Each pattern is anchored
 * on a literal beginning and bounded, so that hostile text costs no more than one pass.
 */
export const SECRET_PATTERNS: readonly SecretPattern[] = [
  {
    // secretlint wants both fences and a hundred characters; short keys and torn blocks are keys all the same.
    kind: "private-key",
    hints: ["-----begin"],
    pattern:
      /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:\s|\\n){0,4}(?:[A-Za-z0-9+/=]{16,80}(?:\s|\\n){0,4}){1,250}(?:-----END[A-Z ]{0,60}-----)?/y,
  },
  {
    kind: "stripe-key",
    hints: ["sk_live_", "sk_test_", "rk_live_", "rk_test_"],
    pattern: /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,250}/y,
  },
  { kind: "stripe-webhook-secret", hints: ["whsec_"], pattern: /\bwhsec_[A-Za-z0-9+/=]{24,250}/y },
  { kind: "google-api-key", hints: ["aiza"], pattern: /\bAIza[\w-]{35}/y },
  { kind: "google-oauth-secret", hints: ["gocspx-"], pattern: /\bGOCSPX-[\w-]{20,60}/y },
  { kind: "google-access-token", hints: ["ya29."], pattern: /\bya29\.[\w-]{20,400}/y },
  // Amazon's documentation uses keys that end in EXAMPLE.
  {
    kind: "aws-access-key-id",
    hints: ["akia", "asia"],
    pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b(?<!EXAMPLE)/y,
  },
  {
    kind: "openai-key",
    hints: ["sk-"],
    pattern: /\bsk-(?:proj-|svcacct-|admin-)?[\w-]{32,200}/y,
    isSecret: isMixed,
  },
  { kind: "openrouter-key", hints: ["sk-or-"], pattern: /\bsk-or-v1-[a-f0-9]{48,80}/y },
  { kind: "anthropic-key", hints: ["sk-ant-"], pattern: /\bsk-ant-[\w-]{24,200}/y, isSecret: isMixed },
  { kind: "1password-token", hints: ["ops_ey"], pattern: /\bops_ey[A-Za-z0-9+/=]{80,1500}/y },
  {
    kind: "digitalocean-token",
    hints: ["dop_v1_", "doo_v1_", "dor_v1_"],
    pattern: /\bdo[opr]_v1_[a-f0-9]{64}/y,
  },
  { kind: "pypi-token", hints: ["pypi-"], pattern: /\bpypi-AgE[\w-]{50,400}/y },
  { kind: "rubygems-key", hints: ["rubygems_"], pattern: /\brubygems_[a-f0-9]{48}/y },
  { kind: "twilio-key", hints: TWILIO, pattern: /\bSK[a-f0-9]{32}\b/y },
  { kind: "mailgun-key", hints: ["key-"], pattern: /\bkey-[a-f0-9]{32}\b/y },
  {
    kind: "telegram-token",
    hints: [":aa"],
    pattern: /(?<=\b\d{8,10}):(?<value>AA[\w-]{33})(?![\w-])/y,
  },
  { kind: "age-key", hints: ["age-secret-key"], pattern: /\bAGE-SECRET-KEY-1[A-Z0-9]{58}/y },
  {
    kind: "azure-key",
    hints: ["accountkey=", "sharedaccesskey="],
    pattern: /\b(?:AccountKey|SharedAccessKey)=(?<value>[A-Za-z0-9+/]{40,100}={0,2})/y,
  },
  {
    kind: "jwt",
    hints: ["eyj"],
    pattern: /\beyJ[\w-]{8,2000}\.eyJ[\w-]{8,4000}\.[\w-]{8,1000}/y,
  },
  {
    kind: "authorization-header",
    hints: ["authorization"],
    pattern: new RegExp(
      String.raw`\bauthorization["']?\s{0,4}[:=]\s{0,4}["']?(?:Bearer|Basic|Token)\s{1,4}(?<value>[\w.~+/=-]{12,${MAX_VALUE}})`,
      "iy",
    ),
    isSecret: isRandom,
  },
  {
    kind: "url-password",
    hints: ["://"],
    pattern: /:\/\/[^\s/:@"'`<>]{0,100}:(?<value>[^\s/@"'`<>]{4,200}(?=@[\w.-]{3}))/iy,
    isSecret: isUrlPassword,
  },
  {
    // `DB_PASSWORD=…`, `"apiKey": "…"`, `client_secret: …`
    kind: "password",
    hints: ASSIGNED,
    pattern: new RegExp(
      String.raw`(?:password|passwd|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?key|credentials?)["'\]]{0,2}\s{0,4}(?:=>|:=|[:=])\s{0,4}["'${"`"}]?(?<value>[^\s"'${"`"}<>,;\\]{8,${MAX_VALUE}})`,
      "iy",
    ),
    isSecret: isPassword,
  },
  {
    // "the password for staging is …"
    kind: "password",
    hints: TOLD,
    pattern: new RegExp(
      String.raw`\b(?:password|passphrase|passcode|api key|access token|secret key)\b[^\n.:=]{0,40}?\b(?:is|was|to|lautet|ist)\s{1,4}["'${"`"}]?(?<value>[^\s"'${"`"}<>,;\\]{6,${MAX_VALUE}})`,
      "iy",
    ),
    isSecret: isPassword,
  },
];

/** What people write where a value would stand. */
const PLACEHOLDER =
  /^[$%<{[(*_.]|^(?:process|os|env|import|config|secrets?|vault|ssm|op|arn|https?|file|path)\b[.:/(]|\$\{|\{\{|\.\.\.|…|\(\)|(?:example|changeme|placeholder|redacted|dummy|your[_-]|my[_-]|xxxx|\*\*\*)|^(?:true|false|null|none|undefined|string|number|boolean)\b/i;

function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value) || /^(.)\1+$/.test(value);
}

/** A value of several kinds of characters, or one that looks drawn by lot: an identifier or a word is neither. */
function isPassword(raw: string): boolean {
  const value = raw.replace(/[).\]}]+$/, "");
  if (value.length < 6 || isPlaceholder(value)) return false;
  if (isRandom(value)) return true;
  // Paths, calls, versions, dotted names and types (`Uint8Array`) are code.
  if (/^[A-Za-z_$]+\d+[A-Z][A-Za-z]*$/.test(value)) return false;
  if (/^[\w-]+(?:[./:|][\w-]*)+$/.test(value) || /[()[\]{}|]/.test(value)) return false;
  return /\d/.test(value) && /[a-z]/.test(value) && (/[A-Z]/.test(value) || /[^\w./:-]/.test(value));
}

/** Sixteen characters or more that hold letters and digits with little repetition. */
function isRandom(value: string): boolean {
  if (value.length < 16 || isPlaceholder(value) || !/^[\w+/=.~-]+$/.test(value)) return false;
  if (!/\d/.test(value) || !/[a-z]/i.test(value)) return false;
  // A hexadecimal digit carries 4 bits; words in snake case stay below 3.5 and have few digits.
  const digits = value.replace(/\D/y, "").length;
  return entropyOf(value) >= (/^[a-f0-9]+$/i.test(value) ? 3 : 3.5) && digits >= 2;
}

/** Not what stands for one, nor the plain word that lets a developer into a database of their own machine. */
export function isUrlPassword(value: string, following: string): boolean {
  if (isPlaceholder(value) || /^(?:pass(?:word|wd)?|secret|token|user)$/i.test(value)) return false;
  return !(/^[a-z_-]+$/i.test(value) && /^@(?:localhost|127\.0\.0\.1|\[::1\])/.test(following));
}

/** Letters of both cases or letters and digits: no word and no name of a thing. */
function isMixed(value: string): boolean {
  return /\d/.test(value) && /[a-z]/i.test(value) && entropyOf(value) >= 3.5;
}

/** Shannon entropy in bits per character: -Σ p·log2 p over the characters of the text. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
