import type { Certainty } from "./secret-value.ts";
import { isDrawn, isMixed, isPlaceholder, isSecretValue } from "./secret-value.ts";
import { VENDOR_SECRETS } from "./vendor-secrets.ts";

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
  /** What has to stand before it and belongs to it, for forms that have their literal in the middle. */
  reach?: RegExp;
  /** What stands before it (the first group of `reach`) is the value, and the match says so. */
  isBehind?: boolean;
  /** A last look at the value, with what stands before the match and behind the value. */
  isSecret?: (value: string, around: Surroundings) => boolean;
}

/** What stands beside a value, some 60 characters of it. */
export interface Surroundings {
  /** Before the match: for a name, its beginning. */
  before: string;
  /** Behind the value. */
  after: string;
  /** From the beginning of the match up to the value. */
  lead: string;
}

/** Values longer than this are cut there: nothing that a person keeps as a credential is longer, keys in blocks aside. */
const MAX_VALUE = 400;
/** A value in quotes, or up to what cannot be in one. */
const VALUE = `(?<quote>["'\`])?(?<value>(?<=["'\`])[^"'\`\\n\\\\]{6,${MAX_VALUE}}(?=\\k<quote>)|[^\\s"'\`<>,;\\\\]{6,${MAX_VALUE}})`;
/** Between a name and its value: `=`, `: `, `": "`, `=>`, `>` of an element. */
const ASSIGNS = String.raw`\\?["'\`\])]{0,3}\s{0,4}(?:=>|:=|==?|:(?!:)|→)\s{0,6}(?:[bruf](?=["'])|Bearer\s)?\\?`;

const LOGIN_HINTS =
  "log in|login|log-in|logged in|sign in|sign-in|credential|creds|zugang|anmeld|einlogg|account|user|ssh |admin".split(
    "|",
  );

/** Names of passwords: whatever is assigned to one is one. */
const PASSWORD =
  "pass(?:word|wd|wort|phrase|code|w)?s?|passwd|pwd|pword|kennwort|contrase(?:ñ|n)a|senha|wachtwoord|mot[_ -]?de[_ -]?passe";
/** Names of what may be secret, and may be the number of something. */
const TOKEN = "secrets?|token|credentials?|creds|bearer|jwt|signature|sig|salt|dsn|cookie|sessionid|sid";
/** Before `key`: without one of these a key is of a table, a cache or a keyboard. */
const KEY_OF =
  "api|access|private|secret|auth|app|application|encryption|encrypt|signing|sign|master|hmac|admin|client|service|account|storage|license|ssh|aes|session|webhook|deploy|publish|write|root|shared|jwt|consumer|sas|crypto|cipher|data|subscription|integration|ingest|project|server|team|live|test|prod|rest";
/** Behind a name: it is then about the secret, or its address. */
const ABOUT =
  "(?:file|path|url|uri|endpoint|name|id|ids|type|length|len|min|max|count|limit|size|hash|digest|env|var|field|policy|ttl|expir\\w*|expires|header|hint|label|prefix|suffix|usage|format|required|version|algorithm|rotation|manager|store|provider|ref|reference|arn|column|input|regex|pattern|strength|reset|age|days|attempts|changed?|updated|created|at|by|in|for|budget|window|s|ized?|izer|ization|less|ing|ed|er)";

/** The certainty with which the end of a name says that its value is secret; undefined when the name is of other things. */
function certaintyOf({ before, lead }: Surroundings): Certainty | undefined {
  const name = `${/[\w$.-]*$/.exec(before)?.[0] ?? ""}${/^[\p{L}\d_$ -]*/u.exec(lead)?.[0] ?? ""}`;
  if (
    /(?:hash|digest|checksum|fingerprint|public|sha\d*|md5|etag|integrity)[_-]?(?:key|token|pass\w*)?$/i.test(
      name,
    )
  )
    return undefined;
  if (new RegExp(`[_-]${ABOUT}$`, "i").test(name.trim())) return undefined;
  if (/(?:^|[_-])(?:old)?pwd$/i.test(name) && /^(?:OLD)?PWD$|^pwd$/.test(name)) return "possible";
  if (new RegExp(`(?:${PASSWORD})(?:[_-]\\w{1,20})?$`, "i").test(name)) return "named";
  if (/(?:^|[_-])pw$/i.test(name)) return "named";
  return "possible";
}

/** Whether a value behind a name is a secret, by both. */
function isAssigned(value: string, around: Surroundings): boolean {
  const certainty = certaintyOf(around);
  if (certainty === undefined) return false;
  // `"password": user.password` is code, `PASSWORD=…` and `"…"` are text.
  if (/^[\w$]+(?:\.[\w$]+)+\(?/.test(value) && !isDrawn(value)) return false;
  return isSecretValue(value, certainty);
}

const named = (hints: readonly string[], source: string): SecretPattern => ({
  kind: "password",
  hints,
  pattern: new RegExp(source + VALUE, "iy"),
  isSecret: isAssigned,
});
const told = (hints: readonly string[], source: string): SecretPattern => ({
  kind: "password",
  hints,
  pattern: new RegExp(source + VALUE, "iy"),
  isSecret: (value) => isSecretValue(value, "told"),
});

/**
 * What surrounds a secret where no vendor's form tells it: blocks of keys, headers, addresses, names, options of commands
 * and words. Each pattern is anchored on a literal beginning and bounded, so that hostile text costs no more than one pass.
 */
const BY_CONTEXT: readonly SecretPattern[] = [
  {
    // In whatever it is quoted, indented or marked with, torn ones too.
    kind: "private-key",
    hints: ["-----begin"],
    pattern:
      /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:(?:\s|\\[nr]|[|>#*"',:]|[+-](?!-)){0,60}(?:[A-Z][\w-]{2,20}: [^\n\\]{1,100}|[A-Za-z0-9+/=]{16,80}|[A-Za-z0-9+/=]{1,15}(?=\s|\\|-|"))){1,400}(?:(?:\s|\\[nr]|[|>#*"',:]|[+-](?!-)){0,60}-----END[A-Z ]{0,60}-----)?/y,
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
      String.raw`authorization["'\]]{0,2}\s{0,4}[:=,]\s{0,4}["'${"`"}]?(?:[A-Za-z][\w-]{1,20}\s{1,4})?(?:[\w-]{1,20}=)?["']?(?<value>[\w.~+/=:-]{8,${MAX_VALUE}})`,
      "iy",
    ),
    isSecret: isHeaderValue,
  },
  {
    kind: "authorization-header",
    hints: ["bearer "],
    pattern: new RegExp(String.raw`\bBearer\s{1,4}(?<value>[\w.~+/=-]{16,${MAX_VALUE}})`, "iy"),
    isSecret: isDrawn,
  },
  {
    kind: "cookie",
    hints: ["cookie:"],
    pattern:
      /Cookie:\s{1,4}(?:[^\n;=]{1,80}=[^\n;]{0,15};\s{0,3}){0,8}[^\n;=]{1,80}=(?<value>[\w.%+/=:~-]{16,400})/iy,
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
    // `DB_PASSWORD=…`, `"pass": "…"`, `pw: …`, `<password>…</password>`
    ...named(
      ["pass", "pwd", "pword", "kennwort", "contrase", "senha", "wachtwoord", "mot de", "mot_de"],
      `(?:${PASSWORD})(?:[_-]?\\w{1,20})?${ASSIGNS}`,
    ),
  },
  named(["pw=", "pw:", 'pw"', "pw'", "pw "], `(?<![a-z])pw${ASSIGNS}`),
  {
    kind: "password",
    hints: ["pass", "pwd", "secret", "token", "apikey", "api-key", "api_key"],
    pattern: new RegExp(
      `(?<=<[\\w:-]{0,40})(?:${PASSWORD}|${TOKEN}|api[_-]?key)>\\s{0,4}(?<value>[^\\s<]{6,400})`,
      "iy",
    ),
    isSecret: (value, { lead }) =>
      isSecretValue(value, new RegExp(`^(?:${PASSWORD})`, "i").test(lead) ? "named" : "possible"),
  },
  named(
    ["secret", "token", "cred", "bearer", "jwt", "sig", "salt", "dsn", "cookie", "sid", "session"],
    `(?:${TOKEN})(?:[_-]?\\w{1,20})?${ASSIGNS}`,
  ),
  named(
    [
      ...KEY_OF.split("|").flatMap((of) => [`${of}key`, `${of}_key`, `${of}-key`, `${of} key`]),
      "_auth",
      '"auth"',
      "'auth'",
    ],
    `(?:(?:${KEY_OF})[_ -]?keys?(?:[_-]\\w{1,20})?|_auth|["']auth(?=["']))${ASSIGNS}`,
  ),
  {
    // `--password x`, `--token=x`, `-p x` of programs that take one there
    kind: "password",
    hints: [
      "--pass",
      "--pwd",
      "--pw",
      "--token",
      "--secret",
      "--api",
      "--auth",
      "--access",
      "--cred",
      "--private",
      "-passin ",
      "-passout ",
    ],
    pattern: new RegExp(
      `-{1,2}(?:[a-z]{1,20}-){0,3}(?:pass(?:word|wd|phrase|code|in|out)?|pwd?|token|secret|(?:api-?|access-|secret-|auth-|private-)?key|auth|credentials?)[ =]{1,2}(?:pass:)?${VALUE}`,
      "iy",
    ),
    isSecret: (value, { lead }) => isSecretValue(value, /pass|pwd?/i.test(lead) ? "named" : "possible"),
  },
  {
    kind: "password",
    hints: [
      "mysql",
      "mariadb",
      "sshpass",
      "docker login",
      "podman login",
      "registry login",
      "redis-cli",
      "mongo",
      "ldap",
      "az login",
      "oc login",
      "sqlcmd",
      "unzip",
      "zip -",
      "7z ",
      "smbclient",
    ],
    pattern: new RegExp(
      `(?:mysql\\w*|mariadb\\w*|sshpass|(?:docker|podman|registry|az|oc) login|redis-cli|mongo\\w*|ldap\\w+|sqlcmd|unzip|zip|7z|smbclient)\\b[^\\n|;&]{0,200}?\\s-(?:p|P|a|w|U\\s?\\w{1,40}%)\\s?${VALUE}`,
      "y",
    ),
    isSecret: (value) => isSecretValue(value, "named"),
  },
  {
    kind: "password",
    hints: ["curl", "wget", "http ", "https ", "--user", "--auth", "-u "],
    pattern: new RegExp(
      `(?:(?:curl|wget|https?)\\b[^\\n|;&]{0,300}?\\s)?(?:-u|--user|--auth|--proxy-user|-U|-a)[ =]?["']?[^\\s:'"]{1,100}:(?<value>[^\\s"'\`]{6,${MAX_VALUE}})`,
      "y",
    ),
    isSecret: (value) => isSecretValue(value, "named"),
  },
  {
    // .pgpass, .netrc
    kind: "password",
    hints: [":5432:", ":*:", ":3306:"],
    pattern: /:(?:\d{4}|\*):[^:\s]{1,80}:[^:\s]{1,80}:(?<value>[^\s:]{6,200})/y,
    isSecret: (value) => isSecretValue(value, "named"),
  },
  {
    kind: "password",
    hints: ["login "],
    pattern: /login\s{1,4}\S{1,100}\s{1,8}password\s{1,4}(?<value>\S{5,200})/iy,
    isSecret: (value) => !isPlaceholder(value) && /[^a-z]/.test(value),
  },
  // "the password for staging is …", "Passwort lautet …", "password: …", "with the password …"
  told(
    [
      "pass",
      "pwd",
      "kennwort",
      "contrase",
      "senha",
      "wachtwoord",
      "mot de",
      "secret",
      "token",
      "api key",
      "access key",
      "secret key",
    ],
    String.raw`(?:${PASSWORD}|(?:api|access|secret|auth|bearer)[ -](?:key|token)|secret|token)\b[^\n.:=]{0,40}?(?:\b(?:is|are|was|to|lautet|ist|war|es|est|sei|now|still|auf|called|set to)|[:=])\s{1,4}(?:still |now |jetzt |noch )?`,
  ),
  told(["pass", "pwd", "kennwort", " pw "], String.raw`(?:${PASSWORD}|(?<=\s)\s?pw)[:,]?\s{1,4}`),
  {
    // "log in as admin / …", "credentials: admin:…", "user deploy, password …"
    kind: "password",
    hints: LOGIN_HINTS,
    pattern: new RegExp(
      String.raw`(?<![\w./<-])(?:log(?:ged)?[ -]?in|sign[ -]?in|credentials?|creds|zugang\w{0,10}|anmeld\w{0,6}|einloggen|account|user(?:name)?|ssh|admin)\b[^\n/]{0,60}?[\w@+-]["'${"`"}]?(?:\s{0,3}(?:\/|:|\||,|→|->)|\s(?:and|und|mit|with|plus))\s{0,3}(?:(?:the |dem |das )?(?:password|passwort|pw|pass|kennwort)\b\s{0,2}(?:is|ist|lautet)?[: ]{0,2})?["'${"`"}]?(?<value>[^\s"'${"`"}<>,;\\/]{7,100})(?![\w/])`,
      "iy",
    ),
    isSecret: (value) => isSecretValue(value, "told"),
  },
  {
    // "token …", "api key …": only what looks drawn
    kind: "password",
    hints: ["token ", "secret ", " key "],
    pattern: new RegExp(`(?:token|secret|key)\\s{1,3}${VALUE}`, "iy"),
    isSecret: (value, { before, lead }) =>
      isDrawn(value) &&
      !/^[a-f0-9-]+$/i.test(value) &&
      !/public|ssh|commit|hash/i.test(before.slice(-12) + lead),
  },
  {
    kind: "password",
    hints: ["admin", "root", "administrator"],
    pattern: /(?<![\w./@-])(?:admin(?:istrator)?|root)\s{0,2}[:/]\s{0,2}(?<value>[^\s"'`<>,;\\/]{7,100})/iy,
    isSecret: (value) => isSecretValue(value, "told"),
  },
  {
    // "use … as the password", "… is the login"
    kind: "password",
    hints: ["as the ", "is the ", "as my ", "is my ", "as password", "is our ", "ist das ", "als passwort"],
    pattern: new RegExp(
      `(?:as|is|ist|als)(?: the| my| our| das)?(?: \\w{1,12})?? (?:${PASSWORD}|login|api key|token|secret)\\b`,
      "iy",
    ),
    reach: /(?:^|[\s"'`/:])([^\s"'`<>,;\\/:]{7,50})["'`]?\s{1,3}$/,
    isBehind: true,
    isSecret: (value) => isSecretValue(value, "told"),
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
  const beginning = new RegExp(`^(?:${literal})`);
  return {
    kind,
    hints: words.flatMap(hintsOf),
    pattern: new RegExp(`${edge}(?:${literal})${rest}`, "y"),
    // The beginning is a word, and would make words of what follows it.
    isSecret: (value) => isMixed(value.replace(beginning, "")),
  };
}

/** All of them. Where two match, the one that says more about it names it. */
export const SECRET_PATTERNS: readonly SecretPattern[] = [
  ...VENDOR_SECRETS.map(vendorPattern),
  ...BY_CONTEXT,
];

function isHeaderValue(value: string, { lead }: Surroundings): boolean {
  if (isPlaceholder(value)) return false;
  if (/\bBasic\s/i.test(lead))
    return /^[\w\s!-~]{3,}:[!-~]{1,}$/.test(Buffer.from(value, "base64").toString("latin1"));
  return isDrawn(value) || isSecretValue(value, "told");
}

/** Not what stands for one, nor the plain word that lets a developer into a database of their own machine. */
function isUrlPassword(value: string, following: string): boolean {
  if (isPlaceholder(value) || /^(?:pass(?:word|wd)?|secret|token|user|pw)$/i.test(value)) return false;
  return !(
    /^[a-z_-]+$/i.test(value) &&
    /^@(?:localhost|127\.0\.0\.1|\[::1\]|db|postgres|redis|mysql|mongo)\b/.test(following)
  );
}
