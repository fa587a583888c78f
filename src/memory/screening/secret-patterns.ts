import type { SecretPattern, Surroundings } from "./named-secrets.ts";
import { followed, NAMED_SECRETS, MAX_VALUE_CHARS } from "./named-secrets.ts";
import { KEY_HEAD, isDrawn, isMixed, isPlaceholder, isSecretValue, isWords } from "./secret-value.ts";

/** Beginnings of credentials, divided by blanks, and how they go on; the rest must look random. */
const BEGINNINGS: readonly (readonly [beginnings: string, rest: string])[] = [
  [
    "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ glpat- gldt- glrt- glptt- glft- glsoat- gloas- glcbt- glimt- glffct- glagent- " +
      "GR1348941 npm_ pypi-Ag rubygems_ CLOJARS_ dckr_pat_ dckr_oat_ CCIPAT_ CCIPRJ_ bkua_ bkaj_ bkct_ squ_ sqp_ sqa_ sgp_ " +
      "slk_ snyk_uat. ATATT3 ATCTT3 GOCSPX- ya29. 1//0 dop_v1_ doo_v1_ dor_v1_ vcp_ vci_ vca_ vcr_ vck_ vercel_blob_rw_ nfp_ " +
      "nfc_ nfo_ fo1_ fm1a_ fm1r_ fm2_ rnd_ sbp_ sb_secret_ pscale_tkn_ pscale_pw_ pscale_oauth_ napi_ cfut_ cfat_ sha256~ " +
      "tskey- pul- hvs. hvb. hvr. dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit. ops_ey AGE-SECRET-KEY-1 pnu_ sk-ant- " +
      "sk-or-v1- gsk_ hf_ api_org_ r8_ xai- pplx- nvapi- pcsk_ lsv2_pt_ lsv2_sk_ fw_ csk- tvly- xoxa- xoxb- xoxc- xoxd- " +
      "xoxe- xoxo- xoxp- xoxr- xoxs- xoxe.xoxb- xoxe.xoxp- xapp- SG. xkeysib- xsmtpsib- re_ lin_api_ lin_oauth_ ntn_ figd_ " +
      "figo_ figu_ PMAK- tfp_ CFPAT- mlsn. fio-u- wandb_v1_ e2b_ pylf_v dnkey- whsec_ sq0csp- sq0atp- sq0idp- shppa_ shpca_ " +
      "shpat_ shpss_ shptka_ access_token$production$ access_token$sandbox$ shippo_live_ shippo_test_ FLWSECK- " +
      "FLWSECK_TEST- glsa_ glc_ sntrys_ sntryu_ NRAK- NRII- NRIQ- NRRA- NRAA- NRJS- dt0c01. dt0s01. phc_ phx_ phs_ rdme_ " +
      "aio_ ico- sk.eyJ",
    "[\\w.~+/=%$-]{20,1500}",
  ],
  // No separator divides these from what follows.
  [
    "ATBB AKCp EAAA EAAB EAAC EAAD EAAG AIza AQVN AKID EZAK EZTK dG9rO cio",
    "[\\w+/=-]{28,400}(?![A-Za-z0-9])",
  ],
  ["ABSK sl. v1.0-", "[\\w.+/=-]{80,1500}"],
  ["AKIA ASIA ABIA ACCA", "[A-Z0-9]{16}\\b(?<!EXAMPLE)"],
  ["API-", "[A-Z0-9]{26}\\b"],
  ["LTAI", "[A-Za-z0-9]{12,24}\\b"],
  ["oy2", "[a-z0-9]{43}\\b"],
  ["SK dapi live_ test_ live_pub_ test_pub_", "[a-f0-9]{32,35}\\b"],
  ["A3-", "[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}"],
  ["pat pat.", "[\\w-]{14,22}\\.[a-f0-9]{24,64}(?:\\.[A-Za-z0-9]{20})?\\b"],
  [
    "HRKU- sk-lf- waka_ pat-na1- pat-na2- pat-eu1- sdk- api- access-sandbox- access-development- access-production-",
    "[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}",
  ],
];

/** Each pattern begins with a literal and is bounded, so that hostile text costs one pass. */
const PLACED_SECRETS: readonly SecretPattern[] = [
  {
    // In whatever it is quoted, indented or marked with, torn ones too.
    kind: "private-key",
    hints: "-----begin",
    pattern:
      /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:(?:\s|\\[nr]|[|>#*"',:]|[+-](?!-)){0,60}(?:[A-Z][\w-]{2,20}: [^\n\\]{1,100}|[A-Za-z0-9+/=]{16,80}|[A-Za-z0-9+/]{0,14}={1,2}|[A-Za-z0-9+/=]{1,15}(?=\\|"|\s{1,20}-----END))){1,400}(?:(?:\s|\\[nr]|[|>#*"',:]|[+-](?!-)){0,60}-----END[A-Z ]{0,60}-----)?/y,
  },
  {
    // In one line, or with breaks that are written out.
    kind: "private-key",
    hints: "mii|mig|mih|mhc|mc4|mec|b3blbnnzac1rzxktdje",
    pattern: new RegExp(
      `(?<![A-Za-z0-9+/])${KEY_HEAD}[A-Za-z0-9+/=]{8,8000}(?:\\\\{1,2}[nr][A-Za-z0-9+/=]{1,80}){0,400}`,
      "y",
    ),
  },
  {
    kind: "private-key",
    hints: "private-lines:|private-mac:",
    pattern: /Private-(?:Lines: \d{1,3}\s{1,3}|MAC: )(?<value>(?:[A-Za-z0-9+/=]{8,80}\s{0,3}){1,100})/y,
  },
  {
    kind: "telegram-token",
    hints: ":aa",
    pattern: /(?<=(?:\b|bot)\d{8,10}):(?<value>AA[\w-]{33})(?![\w-])/y,
  },
  {
    // An address that takes what anybody posts to it.
    kind: "webhook",
    hints: "hook",
    pattern: /hooks?\w{0,12}(?:\.[\w.-]{1,60})?\/[\w@/.-]{12,400}/iy,
    reach: /https?:\/\/(?:[^\s"'<>]{0,50}(?:web|[^a-z\s"'<>]))?$/i,
    isSecret: (value) =>
      value.split(/[/@]/).some((part) => isDrawn(part) || (/^[a-z\d]{6,8}$/.test(part) && !isWords(part))),
  },
  {
    kind: "azure-key",
    hints: followed("0|1|2|3|4|5|6|7|8|9", "q~"),
    pattern: /\dQ~[\w~.-]{31,34}/y,
    reach: /[\w~.-]{3}$/,
  },
  {
    kind: "discord-token",
    // An id of digits in base64.
    hints: followed("md|mt|mj|mz|nd|nt|nj|nz|od|ot", "a|e|i|m|q|u|y|c|g|k"),
    pattern: /(?<![\w-])[MNO][A-Za-z\d]{22,27}\.[\w-]{6}\.[\w-]{25,40}/y,
  },
  {
    kind: "jwt",
    hints: "eyj",
    pattern: /\beyJ[\w-]{8,4000}\.eyJ[\w-]{8,4000}\.[\w-]{8,1000}/y,
  },
  {
    kind: "terraform-token",
    hints: ".atlasv1.",
    pattern: /\.atlasv1\.[\w=-]{60,80}/y,
    reach: /[A-Za-z0-9]{10,20}$/,
  },
  {
    kind: "mailchimp-key",
    hints: "-us1|-us2|-us3|-us4|-us5|-us6|-us7|-us8|-us9",
    pattern: /-us\d{1,2}\b/y,
    reach: /\b[a-f0-9]{32}$/,
  },
  {
    kind: "authorization-header",
    hints: "authorization",
    pattern: new RegExp(
      String.raw`authorization["'\]]{0,2}\s{0,4}[:=,]\s{0,4}["'${"`"}]?(?:[A-Za-z][\w-]{1,20}\s{1,4})?(?:[\w-]{1,20}=)?["']?(?<value>[\w.~+/=:-]{8,${MAX_VALUE_CHARS}})`,
      "iy",
    ),
    isSecret: isHeaderValue,
  },
  {
    kind: "authorization-header",
    hints: "bearer ",
    pattern: new RegExp(String.raw`\bBearer\s{1,4}(?<value>[\w.~+/=-]{16,${MAX_VALUE_CHARS}})`, "iy"),
    isSecret: isDrawn,
  },
  {
    kind: "cookie",
    hints: "cookie:",
    pattern:
      /Cookie:\s{1,4}(?:[^\s;=][^\n;=]{0,79}=[^\n;]{0,15};\s{0,3}){0,8}[^\s;=][^\n;=]{0,79}=(?<value>[\w.%+/=:~-]{16,400})/iy,
    isSecret: isDrawn,
  },
  {
    kind: "url-password",
    hints: "://",
    pattern: /:\/\/[^\s/:@"'`<>]{0,100}:(?<value>[^\s/@"'`<>]{3,200}(?=@[\w.[-]))/iy,
    isSecret: (value, { after }) => isUrlPassword(value, after),
  },
  {
    kind: "url-password",
    hints: "://",
    pattern: /:\/\/(?<value>[\w~-]{20,200})@[\w.-]{3}/iy,
    isSecret: isDrawn,
  },
  {
    // `app:PASSWORD@tcp(host:3306)/db`
    kind: "url-password",
    hints: "@tcp|@unix(|@udp(|@cloudsql",
    pattern: /@(?:tcp[46]?|unix|udp|cloudsql\w{0,10})\(/iy,
    reach: /(?<![\w.-])[\w.+-]{0,60}:([^\s"'`]{3,60})$/,
    isBehind: true,
    isSecret: (value) => isUrlPassword(value, ""),
  },
  {
    // `jdbc:oracle:thin:app/PASSWORD@//host`
    kind: "url-password",
    hints: "jdbc:oracle:|sqlplus |sqlldr |expdp |impdp |rman target ",
    pattern:
      /(?:jdbc:oracle:\w{2,10}:|[a-z]{4,7} (?:-\w{1,3} |target ){0,4})["']?[\w.$#-]{1,60}\/(?<value>[^\s/@"'`<>]{3,200})(?=@)/iy,
    isSecret: (value, { after }) => isUrlPassword(value, after),
  },
  {
    // What a phone reads of a network: `WIFI:S:name;T:WPA;P:PASSWORD;;`
    kind: "password",
    hints: "wifi:",
    pattern: /WIFI:(?:[A-OQ-Z]:(?:[^;\\\n]|\\.){0,100};){0,5}P:(?<value>(?:[^;\\\n]|\\.){4,100})(?=;)/iy,
    isSecret: (value) => isUrlPassword(value, ""),
  },
  {
    kind: "seed-phrase",
    hints: "mnemonic|seed phrase|recovery phrase|seed:",
    pattern:
      /(?:mnemonic|seed phrase|recovery phrase|seed)\b[^\n]{0,20}?[:=]\s{0,3}["']?(?<value>(?:[a-z]{3,8} ){11,23}[a-z]{3,8})/iy,
  },
];

/** A hint has three characters. */
function hintsOf(beginning: string): string {
  const lower = beginning.toLowerCase();
  return lower.length >= 3 ? lower : followed(lower, "0|1|2|3|4|5|6|7|8|9|a|b|c|d|e|f");
}

function tokenPattern([beginnings, rest]: (typeof BEGINNINGS)[number]): SecretPattern {
  const words = beginnings.split(" ");
  let pattern: RegExp | undefined;
  return {
    kind: "token",
    hints: words.map(hintsOf).join("|"),
    // Compiled when a hint of it is there.
    get pattern() {
      const literals = beginnings.replace(/[.$+*?()|/]/g, "\\$&").replaceAll(" ", "|");
      return (pattern ??= new RegExp(`(?<![A-Za-z0-9])(?:${literals})(?=)${rest}`, "y"));
    },
    // The beginning is a word, and would make words of what follows it.
    isSecret: (value) => {
      const begun = words.reduce(
        (most, word) => (value.startsWith(word) ? Math.max(most, word.length) : most),
        0,
      );
      const drawn = value.slice(begun, begun + 200).replace(/^[-_.]+/, "");
      return isMixed(drawn) && (drawn.length < 20 || !isWords(drawn));
    },
  };
}

/** All that begin with a literal. Where two match, the one that says more about it names it. */
export const SECRET_PATTERNS: readonly SecretPattern[] = [
  ...BEGINNINGS.map(tokenPattern),
  ...PLACED_SECRETS,
  ...NAMED_SECRETS,
];

/** Prefixes that say of what follows that it opens something. */
const KEY_PREFIX = /(?:^|[_-])(?:[sr]k|key|pat|token|tkn|tok|secret|sec|live|test|prod|auth|oauth)$/i;
/** They come before the hash of a build too. */
const ENVIRONMENT = /(?:live|test|prod|auth)$/i;
/** Prefixes of what opens nothing: hashes, and keys of other things. */
const OTHER_PREFIX =
  /(?:^|[_-])(?:sha\d*|md5|blake\d\w?|integrity|nonce|cache|public|pub|commit|primary|partition|foreign)(?:$|[_-])/i;

/** Whether a word is prefix, separator and random run, as keys are. Without a telling prefix the run must be long and of both cases. */
function isPrefixed(word: string): boolean {
  let index = -1;
  for (const part of word.split(/[_-]/, 5).slice(0, -1)) {
    index += part.length + 1;
    const [prefix, run] = [word.slice(0, index), word.slice(index + 1)];
    if (prefix.length > 24 || run.length < 16) return false;
    const isKey = KEY_PREFIX.test(prefix);
    if (run.length < (isKey ? 16 : 30) || /[a-z].*[A-Z]|[A-Z].*[a-z]/.test(prefix) || !isDrawn(run)) continue;
    if (/[a-z]/.test(run) && /[A-Z]/.test(run)) {
      const jumps = run.match(/(?<=[a-z])[A-Z\d]|(?<=[A-Z])[a-z\d]|(?<=\d)[A-Za-z]/g)?.length ?? 0;
      // Words in camel case jump once in five characters or less.
      const isLong = isKey ? run.length >= 16 : run.length >= 30 && /[A-Za-z\d]{20}/.test(run);
      if (isLong && jumps * (isKey ? 4 : 3) >= run.length) return !OTHER_PREFIX.test(prefix);
    } else if (isKey && run.length >= 30 && !ENVIRONMENT.test(prefix)) return !OTHER_PREFIX.test(prefix);
  }
  return false;
}

const PREFIX = /(?<![\w-])[A-Za-z][A-Za-z\d]{0,23}$/;

/** What is known by its form alone, without a literal: looked for in the whole text. */
export const SCANNED_SECRETS: readonly Omit<SecretPattern, "hints">[] = [
  {
    kind: "token",
    pattern: /[_-][\w-]{16,400}/g,
    reach: PREFIX,
    isSecret: (value, { before }) => isPrefixed(`${PREFIX.exec(before)?.[0] ?? ""}${value}`),
  },
  {
    // A private key of a coin: base58 that begins by its version (WIF, of 51 or 52 characters), or extended (xprv).
    kind: "private-key",
    pattern:
      /\b(?:5|[KL][1-9A-HJ-NP-Za-km-z]|[a-zA-Z]prv[1-9A-HJ-NP-Za-km-z]{57})[1-9A-HJ-NP-Za-km-z]{50}(?![\w+/=-])/g,
    isSecret: isDrawn,
  },
  {
    // `qa@x.test (PASSWORD)`
    kind: "password",
    pattern:
      /@[\w-]{1,60}(?:\.[\w-]{1,60}){0,4}\.[a-z]{2,12}\s{0,2}[(|/]\s{0,2}(?<value>[^\s()|/]{7,60})[\s)|]/gi,
    isSecret: (value) => isSecretValue(value, "stated"),
  },
];

function isHeaderValue(value: string, { lead }: Surroundings): boolean {
  if (isPlaceholder(value)) return false;
  if (/\bBasic\s/i.test(lead))
    return /^[ -9;-~]{1,}:[!-~]{1,}$/.test(Buffer.from(value, "base64").toString("latin1"));
  return isDrawn(value) || isSecretValue(value, "stated");
}

/** Neither a placeholder nor the plain word that opens a developer's local database. */
function isUrlPassword(value: string, following: string): boolean {
  if (isPlaceholder(value) || /^(?:pass(?:word|wd)?|secret|token|user|pw)$/i.test(value)) return false;
  return !(
    isWords(value) && /^@(?:localhost|127\.0\.0\.1|\[::1\]|db|postgres|redis|mysql|mongo)\b/.test(following)
  );
}
