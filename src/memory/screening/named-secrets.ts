import { commandsIn } from "../../machine/shell-word.ts";
import type { Certainty } from "./secret-value.ts";
import {
  isDrawn,
  isNumberedPlace,
  isUuid,
  isSecretValue,
  isWordWithNumber,
  isPlaceholder,
} from "./secret-value.ts";

/** A shape of text that is a secret whatever surrounds it. The value is the group `value`, else the whole match. */
export interface SecretPattern {
  kind: string;
  /** What a match begins with, divided by `|`, in lower case. The pattern is tried only there: finding a literal is far cheaper. */
  hints: string;
  pattern: RegExp;
  /** What must precede it and belongs to it, for forms that have their literal in the middle. */
  reach?: RegExp;
  isBehind?: boolean;
  /** A last check of the value, with the text before the match and after the value. */
  isSecret?: (value: string, around: Surroundings) => boolean;
}

export interface Surroundings {
  before: string;
  after: string;
  lead: string;
}

/** Values longer than this are cut there: nothing that a person keeps as a credential is longer, keys in blocks aside. */
export const MAX_VALUE_CHARS: number = 400;

/** A value in quotes, or up to what cannot be in one. `(?=)`: V8 compiles what follows once instead of per alternative. */
const VALUE: string = `(?=)(?<quote>["'\`])?(?<value>(?<=["'\`])[^"'\`\\n\\\\]{6,${MAX_VALUE_CHARS}}(?=\\k<quote>)|[^\\s"'\`<>,;\\\\]{6,${MAX_VALUE_CHARS}})`;

/** Each of some beginnings with each of what may follow it. */
export function followed(beginnings: string, next: string): string {
  const ends = next.split("|");
  return beginnings
    .split("|")
    .flatMap((beginning) => ends.map((end) => beginning + end))
    .join("|");
}

/** Clients that take a password only in the option's own word: apart from it, they ask for one, and a database is named. */
const ASKS = /\b(?:mysql|mariadb|7z)[^\n|;&]*\s-(?:p|P|-password\d?)\s["'`]?$/;

const OPTION_SECRETS: readonly Omit<SecretPattern, "kind">[] = [
  {
    // `--password x`, `--token=x`, `-p x` of programs that take one there
    hints: "--pass|--pwd|--pw|--token|--secret|--api|--auth|--access|--cred|--private|-passin |-passout ",
    pattern: new RegExp(
      `-{1,2}(?:[a-z]{1,20}-){0,3}(?:pass(?:word|wd|phrase|code|in|out)?|pwd?|token|secret|(?:api-?|access-|secret-|auth-|private-)?key|auth|credentials?)[ =]{1,2}(?:pass:)?${VALUE}`,
      "iy",
    ),
    isSecret: (value, { before, lead }) =>
      isSecretValue(value, /pass|pwd?/i.test(lead) && !ASKS.test(before + lead) ? "named" : "possible"),
  },
  {
    hints:
      "mysql|mariadb|sshpass|docker login|podman login|registry login|redis-cli|mongo|ldap|" +
      "az login|oc login|sqlcmd|unzip|zip -|7z |smbclient|openssl|xfreerdp|bcp |cqlsh|twine |" +
      "mosquitto",
    pattern: new RegExp(
      `(?:openssl\\b[^\\n|;&]{0,200}?\\s-k\\s|(?:mysql\\w*|mariadb\\w*|sshpass|(?:docker|podman|registry|az|oc) login|redis-cli|mongo\\w*|ldap\\w+|sqlcmd|unzip|zip|7z|smbclient|xfreerdp|bcp|cqlsh|twine|mosquitto_\\w{3})\\b[^\\n|;&]{0,200}?\\s(?:-(?:p|P|a|w|U\\s?\\w{1,40}%)|/p:))\\s?${VALUE}`,
      "y",
    ),
    isSecret: (value, { lead }) =>
      isSecretValue(value, ASKS.test(lead) ? "possible" : "named") || (MIXED.test(value) && !ASKS.test(lead)),
  },
  {
    hints: "curl|wget|http |https |--user|--auth|-u ",
    pattern: new RegExp(
      `(?:(?:curl|wget|https?)\\b[^\\n|;&]{0,300}?\\s)?(?:-u|--user|--auth|--proxy-user|-U|-a)[ =]?["']?[^\\s:'"]{1,100}:["']?(?<value>[^\\s"'\`]{6,${MAX_VALUE_CHARS}})`,
      "y",
    ),
    isSecret: (value) => isSecretValue(value, "named"),
  },
  {
    // `net user anna PASSWORD /add`, `echo "anna:PASSWORD" | chpasswd`, `ConvertTo-SecureString "PASSWORD"`, `ssws TOKEN`
    hints:
      "net user |net use |chpasswd|convertto-securestring|ssws |identified |rabbitmqctl |lftp -u|htpasswd -|" +
      "geniekey |_authtoken |secret_access_key |wpa_passphrase |private_key_id|lösenord|hasło|send ",
    pattern: new RegExp(
      `(?:net user \\S{1,60}|net use (?:\\S{1,3} )?\\\\\\\\\\S{1,100}|ConvertTo-SecureString(?: -String)?|ssws|IDENTIFIED (?:WITH \\S{1,40} )?BY|rabbitmqctl (?:add_user|change_password) \\S{1,60}|lftp -u ?[\\w.-]{1,40},|htpasswd -\\w{0,4}b\\w{0,4} \\S{1,100} \\S{1,60}|GenieKey|_authToken|secret_access_key|wpa_passphrase \\S{1,60}|private_key_id":|l[öo]senord:|hasło:|(?<=password:?[^\\n]{0,10}\\n\\s{0,8})send|chpasswd <<< ["']?[\\w.-]{1,40}:)\\s{0,3}${VALUE}`,
      "iy",
    ),
    isSecret: (value) => !value.startsWith("/") && isSecretValue(value, "named"),
  },
  {
    hints: "chpasswd|sudo -s|passwd --stdin|vncpasswd",
    pattern: /(?:chpasswd|sudo -S|(?:vnc)?passwd (?:--stdin|-f))/y,
    reach: /echo (?:-n )?["']?(?:[\w.-]{1,40}:)?([^\s"'|]{6,60})["']?\s{0,3}\|\s{0,3}(?:sudo )?$/,
    isBehind: true,
    isSecret: (value) => isSecretValue(value, "named"),
  },
  {
    // Words of other scripts: in Russian, Chinese, Japanese, Korean.
    hints: `пар|Пар|パスワ|비밀번|${followed("密码|密碼", ":|：|是|为|為| ")}`,
    pattern: new RegExp(
      `(?:[Пп]арол[^\\s\\d]{1,2}|密[码碼]|パスワード|비밀번호)[\\s:：=是为為は는]{1,4}${VALUE}`,
      "y",
    ),
    isSecret: (value) => isSecretValue(value, "stated"),
  },
  {
    // .pgpass, .netrc
    hints: ":5432:|:*:|:3306:",
    pattern: /:(?:\d{4}|\*):[^:\s]{1,80}:[^:\s]{1,80}:(?<value>[^\s:]{6,200})/y,
    isSecret: (value) => isSecretValue(value, "named"),
  },
  {
    hints: "login ",
    pattern: /login\s{1,4}\S{1,100}\s{1,8}password\s{1,4}(?<value>\S{5,200})/iy,
    isSecret: (value) => !isPlaceholder(value) && /[^a-z]/.test(value),
  },
];

/** Between a name and its value: `=`, `: `, `=>`, `", "`, ` value="`, a table border. Looks ahead first, for speed. */
export const ASSIGNS: string = String.raw`(?=)(?:["']?\s{1,20}value\s?[=:]\s{0,4}|["']\s{0,3},\s{0,3}(?=["'])|\s?:\s?[A-Z]\w{2,15}\s?=\s{0,4}(?=["'])|\\?["'\`\])]{0,3}\s{0,4}(?:=>|:=|={1,3}|:(?!:)|→)\s{0,6}|(?=["'\`*]{0,3}\s)(?<=\|\s{1,4}["'\`*]{0,3}[\w. -]{1,60})["'\`*]{0,3}\s{1,4}\|\s{1,6}|(?=\s)(?<=(?:^|\n)\s{0,8}(?:ENV|ARG|setx|setenv|set -g?x)\s{1,4}\w{1,60})\s{1,4})(?=)(?:[bruf](?=["'])|Bearer\s)?\\?`;

const LOGIN_HINTS =
  "log in|login|log-in|logged in|sign in|sign-in|credential|creds|zugang|anmeld|einlogg|account|user|ssh |admin";

const PASSWORD =
  "pass(?:word|wd|wort|phrase|code|w)?s?|passwd|pwd|pword|kennwort|contrase(?:ñ|n)a|senha|wachtwoord|mot[_ -]?de[_ -]?passe";
/** Those that name nothing else (unlike "the first pass"): beside one of them a word with a number is a password too. */
const ONLY_PASSWORD =
  "pass(?:word|wd|wort|phrase|code)|[a-z]_pass|pwd|pword|(?<![a-z])pw|kennwort|contrase(?:ñ|n)a|senha|wachtwoord|mot[_ -]?de[_ -]?passe";
const NAMES_PASSWORD = new RegExp(`(?:${ONLY_PASSWORD})$`, "i");
const STATES_PASSWORD = new RegExp(
  `^(?:${ONLY_PASSWORD})(?:\\s(?:for|of|to|on|für|von|zu|de|para)\\s[^\\n.]{1,30}?)?\\s?(?:\\s(?:is|lautet|ist|est|es)|[:=])\\s`,
  "i",
);
/** Names of what may be secret, and may be the number of something. */
const TOKEN =
  "secrets?|(?<![a-z\\d])(?:t?otp|2fa|mfa)(?:[ _-]?(?:seed|secret|key|code))?|(?<![a-z])pepper|(?<![a-z\\d])(?:wifi_?)?psk|token|credentials?|creds|bearer|jwt|cookie|sessionid|(?<![a-z])(?:signature|sig|salt|dsn|sid)(?![a-z])";
/** Before `key`: without one of these a key is of a table, a cache or a keyboard. */
const KEY_OF =
  "api|functions|access|private|secret|auth|app|application|encryption|encrypt|signing|sign|master|hmac|admin|client|service|account|storage|license|ssh|aes|session|webhook|deploy|publish|write|root|shared|jwt|consumer|sas|crypto|cipher|data|subscription|integration|ingest|project|server|team|live|test|prod|rest";
const OPEN_KEY = /PUBLIC|CACHE|PRIMARY|FOREIGN|PARTITION|SORT|IDEMPOTENCY/;
/** Behind a name: it is then about the secret, or its address. */
const ABOUT =
  "(?:file|path|url|uri|endpoint|name|id|ids|type|length|len|min|max|count|limit|size|hash|digest|env|var|field|policy|ttl|expir\\w*|expires|header|hint|label|prefix|suffix|usage|format|required|version|algorithm|rotation|manager|store|provider|ref|reference|arn|column|input|regex|pattern|strength|reset|age|days|attempts|changed?|updated|created|at|by|in|for|budget|window|s|ized?|izer|ization|less|ing|ed|er)";

const IS_ABOUT = new RegExp(`[_-]${ABOUT}$`, "i");
const IS_PASSWORD = new RegExp(`(?:${PASSWORD})(?:[_-]\\w{1,20})?$`, "i");

const NAMES_SECRET = new RegExp(`(?:${PASSWORD}|${ONLY_PASSWORD}|${TOKEN}|key)$`, "i");

/** Letters and a digit: too many names are so to hide each, and too many passwords to tell one in a command again. */
const MIXED = /^(?=.*\d)(?=.*\p{L})[^\s/=.,:]{6,}$/u;

/** Whether a command may hold a secret that another does not: by the name of a variable or option, or behind a letter. */
export function mayHoldSecret(command: string, known: string): boolean {
  const words = commandsIn(command).flat();
  const told = new Set(commandsIn(known).flat());
  return words.some((word, i) => {
    if (told.has(word)) return false;
    const [, option, name = ""] = /^(-{0,2})([\w-]{1,60})(?==|$)/.exec(word) ?? [];
    if (NAMES_SECRET.test(name) && (word.includes("=") || (option !== "" && words[i + 1] !== undefined)))
      return true;
    // `--env=NAME=value`, `sh -c "cd app && NAME=value make"`
    const inside = word.matchAll(/(?<![\w-])(\w{1,60})=[^\s=]/g);
    if ([...inside].some(([, variable = ""]) => NAMES_SECRET.test(variable))) return true;
    // `-phunter2`, `-p hunter2`, `-u bob:hunter2`
    const [, letter = "", glued] = /^-([A-Za-z])(.*)$/s.exec(word) ?? [];
    const value = (glued || (words[i + 1] ?? "")).replace(/^=/, "");
    return letter !== "" && (MIXED.test(value) || /^[^:/]+:[^:/]*[A-Za-z]/.test(value));
  });
}

function certaintyOf(name: string): Certainty | undefined {
  if (
    /(?:hash|digest|checksum|fingerprint|public|sha\d*|md5|etag|integrity)[_-]?(?:key|token|pass\w*)?$/i.test(
      name,
    )
  )
    return undefined;
  if (IS_ABOUT.test(name)) return undefined;
  if (/(?:^|[_-])(?:old)?pwd$/i.test(name) && /^(?:OLD)?PWD$|^pwd$/.test(name)) return "possible";
  if (IS_PASSWORD.test(name)) return "named";
  if (/(?:^|[_-])pw$/i.test(name)) return "named";
  return "possible";
}

function isAssigned(value: string, around: Surroundings): boolean {
  const name = nameBefore(around).trim();
  const certainty = certaintyOf(name);
  // Sessions, requests and traces are told by such numbers, which open nothing.
  if (/session|sid$|cookie/i.test(name) && isUuid(value)) return false;
  // What `arn:aws:secretsmanager:…` names is where a secret lies.
  if (certainty === undefined || /\barn:\S{0,60}$/.test(around.before)) return false;
  if (/otp|2fa|mfa/i.test(name) && /^[A-Z2-7]{16,64}$/.test(value)) return true;
  return isSecretValue(value, certainty) || (NAMES_PASSWORD.test(name) && isWordWithNumber(value));
}

/** The name that ends before a value; it may begin before the match. */
function nameBefore({ before, lead }: Surroundings): string {
  return `${/[\w$.-]*$/.exec(before)?.[0] ?? ""}${/^[\p{L}\d_$ -]*/u.exec(lead)?.[0] ?? ""}`;
}

const named = (hints: string, source: string): Omit<SecretPattern, "kind"> => ({
  hints,
  pattern: new RegExp(source + VALUE, "iy"),
  isSecret: isAssigned,
});
const stated = (hints: string, source: string): Omit<SecretPattern, "kind"> => ({
  hints,
  pattern: new RegExp(source + VALUE, "iy"),
  isSecret: (value, { lead }) =>
    isSecretValue(value, "stated") || (STATES_PASSWORD.test(lead) && isWordWithNumber(value)),
});

/** Beside the name of somebody: a hash is of a commit, `root:3f2a…` a name of a repository. */
function isStated(value: string, { after }: Surroundings): boolean {
  const word = value + (/^[^\s"'`<>,;]*/.exec(after)?.[0] ?? "");
  return !/^[a-f0-9]+$/i.test(value) && !isNumberedPlace(word) && isSecretValue(value, "stated");
}

/** What a name, an option of a command or a word beside it says of a value. */
const NAMED: readonly Omit<SecretPattern, "kind">[] = [
  {
    // `DB_PASSWORD=…`, `"pass": "…"`, `pw: …`, `<password>…</password>`
    ...named(
      "pass|pwd|pword|kennwort|contrase|senha|wachtwoord|mot de|mot_de|pw=|pw:|pw\"|pw'|pw ",
      `(?:${PASSWORD}|(?<![a-z])pw(?![\\w-]))(?=)(?:[_-]?\\w{1,20})?${ASSIGNS}`,
    ),
  },
  {
    hints: "pass|pwd|pw>|kennwort|contrase|mot_de|secret|token|apikey|api-key|api_key",
    pattern: new RegExp(
      `(?<=<[\\w:-]{0,40})(?:${PASSWORD}|pw|${TOKEN}|api[_-]?key)>\\s{0,4}(?<value>[^\\s<]{6,400})(?=\\s{0,4}</)`,
      "iy",
    ),
    isSecret: (value, { lead }) =>
      isSecretValue(value, new RegExp(`^(?:${PASSWORD}|pw>)`, "i").test(lead) ? "named" : "possible"),
  },
  // `variable "db_password" { type = string, default = "…" }`
  named(
    "pass|pwd|kennwort|secret|token|cred",
    `(?:${PASSWORD}|${TOKEN})(?:[_-]?\\w{1,20})?["']\\s{0,3}:?\\s{0,3}\\{[^{}]{0,300}?\\bdefault["']?\\s{0,6}[=:]\\s{0,4}`,
  ),
  named(
    "secret|token|cred|bearer|jwt|pepper|psk|sig|salt|dsn|cookie|sid|session|otp|totp|2fa|mfa",
    `(?:${TOKEN})(?=)(?:[_-]?\\w{1,20})?${ASSIGNS}`,
  ),
  named(
    `_auth|"auth"|'auth'|${followed(KEY_OF, "key|_key|-key| key|.key")}`,
    `(?:(?:${KEY_OF})(?=)[_ .-]?keys?(?:[_-]\\w{1,20})?|_auth|["']auth(?=["']))${ASSIGNS}`,
  ),
  {
    // `FERNET_KEY=…`: whatever a variable of the environment is the key of, where its value is drawn
    ...named("_key", `_KEY${ASSIGNS}`),
    isSecret: (value, around) => {
      const name = nameBefore(around).trim();
      return /^[A-Z\d_]+$/.test(name) && !OPEN_KEY.test(name) && isDrawn(value.replace(/=+$/, ""));
    },
  },
  ...OPTION_SECRETS,
  // "the password for staging is …", "Passwort lautet …", "password: …", "with the password …"
  stated(
    `pass|pwd|kennwort|contrase|senha|wachtwoord|mot de|pw |secret|token|vault code|${followed("api|access|private|encryption|signing|master|webhook", "key|_key| key|-key")}`,
    String.raw`(?:${PASSWORD}|(?<![\w.-])pw|(?:api|access|secret|auth|bearer|private|encryption|signing|master|webhook)[ _-]?(?:key|token)|secret|token|vault code)(?=)\b[^\n.:=]{0,40}?(?:\b(?:is|are|was|to|lautet|ist|war|es|est|sei|now|still|auf|called|set to)|(?<=\s)[èé]|[:=])\s{1,4}(?:still |now |jetzt |noch )?`,
  ),
  stated(
    "pass|pwd|kennwort|pw |contrase|mot de|clave ",
    // A line of a key may end by such a word.
    String.raw`(?<![\w+/]{30})(?:${PASSWORD}|clave|(?<![\w.-])pw)(?:[:,]|\s-)?\s{1,4}`,
  ),
  {
    // "log in as admin / …", "credentials: admin:…", "user deploy, password …"
    hints: LOGIN_HINTS,
    pattern: new RegExp(
      String.raw`(?<![\w./<-])(?:log(?:ged)?[ -]?in|sign[ -]?in|credentials?|creds|zugang\w{0,10}|anmeld\w{0,6}|einloggen|account|user(?:name)?|ssh|admin)(?=)\b[^\n/]{0,60}?[\w@+-]["'${"`"}]?(?:\s{0,3}(?:\/|:|\||,|→|->)|\s(?:and|und|mit|with|plus))(?=)\s{0,3}(?=)(?:(?:the |dem |das )?(?:password|passwort|pw|pass|kennwort)(?=)\b\s{0,2}(?:is|ist|lautet)?[: ]{0,2})?(?=)["'${"`"}]?(?<value>[^\s"'${"`"}<>,;\\/]{7,100})(?![\w/])`,
      "iy",
    ),
    // "the login is bob / summer2024": a pair that is named so is a name and its password.
    isSecret: (value, around) =>
      isStated(value, around) ||
      (/^(?:login|cred)\w*\b[^\n/]*(?:\s(?:is|are)|:)\s*\S+\s?\/\s?$/i.test(around.lead) &&
        isWordWithNumber(value)),
  },
  // "changed the root login from old to …"
  stated(
    "login|credential|creds",
    String.raw`(?:login|credentials?|creds)\b[^\n]{0,40}?\sfrom\s\S{1,60}\sto\s{1,3}`,
  ),
  {
    // "token …", "api key …": only what looks drawn
    hints: "token |secret |key |clave |clé api|api-schlüssel|schlüssel ",
    pattern: new RegExp(
      `(?:token|secret|key|clave(?: de)?(?: API)?|clé API|schlüssel)(?:\\s(?:is|est|es|lautet|ist))?\\s{1,3}${VALUE}`,
      "iy",
    ),
    isSecret: (value, { before, lead }) =>
      isDrawn(value) &&
      (!/^(?:0x)?[a-f0-9-]+$/i.test(value) ||
        /(?:auth|access|api|bearer|license|private|secret|master) (?:token|key)\s|API|schlüssel/i.test(
          before.slice(-12) + lead,
        )) &&
      !/public|ssh|commit|hash/i.test(before.slice(-12) + lead),
  },
  {
    hints: "admin|root|administrator",
    pattern:
      /(?<![\w./@-])(?:admin(?:istrator)?|root)(?:\s{0,2}[:/]\s{0,2}|["']\s?,\s?["'])(?<value>[^\s"'`<>,;\\/]{7,100})/iy,
    isSecret: isStated,
  },
  {
    // "use … as the password", "… is the login"
    hints:
      "as the |is the |as my |is my |as password|is our |ist das |als passwort|to sign in|" +
      "to log in|to login",
    pattern: new RegExp(
      `(?:(?:as|is|ist|als)(?: the| my| our| das)?(?: \\w{1,12})??(?=) (?:${PASSWORD}|login|api key|token|secret)(?=)|to (?:sign|log) ?in)\\b`,
      "iy",
    ),
    reach: /(?:^|[\s"'`/:])([^\s"'`<>,;\\/:]{7,50})["'`]?\s{1,3}$/,
    isBehind: true,
    isSecret: (value) => isSecretValue(value, "stated"),
  },
];

export const NAMED_SECRETS: readonly SecretPattern[] = NAMED.map((one) => ({ kind: "password", ...one }));
