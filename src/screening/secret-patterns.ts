import { ASSIGNS, NAMED_SECRETS } from "./named-secrets.ts";
import { KEY_HEAD } from "./key-lines.ts";
import { type SecretPattern, type Surroundings, MAX_VALUE_CHARS } from "./secret-pattern.ts";
import { isDrawn, isMixed, isPlaceholder, isSecretValue, isWords } from "./secret-value.ts";
import { VENDOR_SECRETS } from "./vendor-secrets.ts";

/**
 * Blocks of keys, headers and addresses that surround a secret. Each pattern begins with a literal and is
 * bounded, so that hostile text costs one pass.
 */
const PLACED_SECRETS: readonly SecretPattern[] = [
  {
    // In whatever it is quoted, indented or marked with, torn ones too.
    kind: "private-key",
    hints: ["-----begin"],
    pattern:
      /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:(?:\s|\\[nr]|[|>#*"',:]|[+-](?!-)){0,60}(?:[A-Z][\w-]{2,20}: [^\n\\]{1,100}|[A-Za-z0-9+/=]{16,80}|[A-Za-z0-9+/]{0,14}={1,2}|[A-Za-z0-9+/=]{1,15}(?=\\|"|\s{1,20}-----END))){1,400}(?:(?:\s|\\[nr]|[|>#*"',:]|[+-](?!-)){0,60}-----END[A-Z ]{0,60}-----)?/y,
  },
  {
    // In one line, or with breaks that are written out.
    kind: "private-key",
    hints: ["mii", "mig", "mih", "mhc", "mc4", "mec", "b3blbnnzac1rzxktdje"],
    pattern: new RegExp(
      `(?<![A-Za-z0-9+/])${KEY_HEAD}[A-Za-z0-9+/=]{8,8000}(?:\\\\{1,2}[nr][A-Za-z0-9+/=]{1,80}){0,400}`,
      "y",
    ),
  },
  {
    kind: "private-key",
    hints: ["private-lines:", "private-mac:"],
    pattern: /Private-(?:Lines: \d{1,3}\s{1,3}|MAC: )(?<value>(?:[A-Za-z0-9+/=]{8,80}\s{0,3}){1,100})/y,
  },
  {
    kind: "telegram-token",
    hints: [":aa"],
    pattern: /(?<=\b\d{8,10}):(?<value>AA[\w-]{33})(?![\w-])/y,
  },
  {
    kind: "azure-key",
    hints: ["accountkey=", "sharedaccesskey=", "sharedaccesssignature="],
    pattern: /(?:AccountKey|SharedAccessKey|SharedAccessSignature)=(?<value>[A-Za-z0-9+/%=&]{40,200})/iy,
  },
  {
    kind: "azure-key",
    hints: Array.from("0123456789", (digit) => `${digit}q~`),
    pattern: /\dQ~[\w~.-]{31,34}/y,
    reach: /[\w~.-]{3}$/,
  },
  {
    kind: "aws-secret-key",
    hints: ["secret_access_key", "secretaccesskey", "secret access key"],
    pattern: new RegExp(
      String.raw`secret[_ ]?access[_ ]?key(?:${ASSIGNS}|\s{1,3})["']?(?<value>[A-Za-z0-9+/]{40})(?![A-Za-z0-9+/])`,
      "iy",
    ),
    isSecret: isMixed,
  },
  {
    kind: "discord-token",
    // An id of digits in base64.
    hints: "md mt mj mz nd nt nj nz od ot"
      .split(" ")
      .flatMap((two) => Array.from("aeimquycgk", (c) => two + c)),
    pattern: /(?<![\w-])[MNO][A-Za-z\d]{22,27}\.[\w-]{6}\.[\w-]{25,40}/y,
  },
  {
    kind: "jwt",
    hints: ["eyj"],
    pattern: /\beyJ[\w-]{8,4000}\.eyJ[\w-]{8,4000}\.[\w-]{8,1000}/y,
  },
  {
    kind: "terraform-token",
    hints: [".atlasv1."],
    pattern: /\.atlasv1\.[\w=-]{60,80}/y,
    reach: /[A-Za-z0-9]{10,20}$/,
  },
  {
    kind: "mailchimp-key",
    hints: ["-us1", "-us2", "-us3", "-us4", "-us5", "-us6", "-us7", "-us8", "-us9"],
    pattern: /-us\d{1,2}\b/y,
    reach: /\b[a-f0-9]{32}$/,
  },
  {
    kind: "authorization-header",
    hints: ["authorization"],
    pattern: new RegExp(
      String.raw`authorization["'\]]{0,2}\s{0,4}[:=,]\s{0,4}["'${"`"}]?(?:[A-Za-z][\w-]{1,20}\s{1,4})?(?:[\w-]{1,20}=)?["']?(?<value>[\w.~+/=:-]{8,${MAX_VALUE_CHARS}})`,
      "iy",
    ),
    isSecret: isHeaderValue,
  },
  {
    kind: "authorization-header",
    hints: ["bearer "],
    pattern: new RegExp(String.raw`\bBearer\s{1,4}(?<value>[\w.~+/=-]{16,${MAX_VALUE_CHARS}})`, "iy"),
    isSecret: isDrawn,
  },
  {
    kind: "cookie",
    hints: ["cookie:"],
    pattern:
      /Cookie:\s{1,4}(?:[^\s;=][^\n;=]{0,79}=[^\n;]{0,15};\s{0,3}){0,8}[^\s;=][^\n;=]{0,79}=(?<value>[\w.%+/=:~-]{16,400})/iy,
    isSecret: isDrawn,
  },
  {
    kind: "url-password",
    hints: ["://"],
    pattern: /:\/\/[^\s/:@"'`<>]{0,100}:(?<value>[^\s/@"'`<>]{3,200}(?=@[\w.[-]))/iy,
    isSecret: (value, { after }) => isUrlPassword(value, after),
  },
  {
    kind: "url-password",
    hints: ["://"],
    pattern: /:\/\/(?<value>[\w~-]{20,200})@[\w.-]{3}/iy,
    isSecret: isDrawn,
  },
  {
    kind: "seed-phrase",
    hints: ["mnemonic", "seed phrase", "recovery phrase", "seed:"],
    pattern:
      /(?:mnemonic|seed phrase|recovery phrase|seed)\b[^\n]{0,20}?[:=]\s{0,3}["']?(?<value>(?:[a-z]{3,8} ){11,23}[a-z]{3,8})/iy,
  },
];

/** A hint has three characters. */
function hintsOf(beginning: string): string[] {
  const lower = beginning.toLowerCase();
  return lower.length >= 3 ? [lower] : Array.from("0123456789abcdef", (digit) => lower + digit);
}

function vendorPattern([kind, beginnings, rest]: (typeof VENDOR_SECRETS)[number]): SecretPattern {
  const words = beginnings.split(" ");
  const literal = words.map((word) => word.replace(/[.$+*?()|/]/g, "\\$&")).join("|");
  // A part of an address stands behind its host; another beginning behind nothing that could belong to it.
  const edge = words.some((word) => word.startsWith(".")) ? "" : "(?<![A-Za-z0-9])";
  let pattern: RegExp | undefined;
  return {
    kind,
    hints: words.flatMap(hintsOf),
    // Compiled when a hint of it is there: there are a hundred of them.
    get pattern() {
      return (pattern ??= new RegExp(`${edge}(?:${literal})${rest}`, "y"));
    },
    // The beginning is a word, and would make words of what follows it.
    isSecret: (value) => isMixed(value.replace(new RegExp(`^(?:${literal})`), "").replace(/^[-_.]+/, "")),
  };
}

/** All of them. Where two match, the one that says more about it names it. */
export const SECRET_PATTERNS: readonly SecretPattern[] = [
  ...VENDOR_SECRETS.map(vendorPattern),
  ...PLACED_SECRETS,
  ...NAMED_SECRETS,
];

function isHeaderValue(value: string, { lead }: Surroundings): boolean {
  if (isPlaceholder(value)) return false;
  if (/\bBasic\s/i.test(lead))
    return /^[ -9;-~]{1,}:[!-~]{1,}$/.test(Buffer.from(value, "base64").toString("latin1"));
  return isDrawn(value) || isSecretValue(value, "stated");
}

/** Not what stands for one, nor the plain word that lets a developer into a database of their own machine. */
function isUrlPassword(value: string, following: string): boolean {
  if (isPlaceholder(value) || /^(?:pass(?:word|wd)?|secret|token|user|pw)$/i.test(value)) return false;
  return !(
    isWords(value) && /^@(?:localhost|127\.0\.0\.1|\[::1\]|db|postgres|redis|mysql|mongo)\b/.test(following)
  );
}
