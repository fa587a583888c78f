import type { SecretPattern, Surroundings } from "./named-secrets.ts";
import { ASSIGNS, NAMED_SECRETS, MAX_VALUE_CHARS } from "./named-secrets.ts";
import { KEY_HEAD } from "./key-lines.ts";
import { isDrawn, isMixed, isPlaceholder, isSecretValue, isWords } from "./secret-value.ts";

/** Documented forms of services' credentials: the kind, how it begins (divided by blanks), how it goes on. */
const VENDOR_SECRETS: readonly (readonly [kind: string, beginnings: string, rest: string])[] = [
  // Code hosting, packages, builds
  ["github-token", "ghp_ gho_ ghu_ ghs_ ghr_", "[A-Za-z0-9]{30,255}"],
  ["github-token", "github_pat_", "\\w{22,255}"],
  [
    "gitlab-token",
    "glpat- gldt- glrt- glptt- glft- glsoat- gloas- glcbt- glimt- glffct- glagent- GR1348941",
    "[\\w.-]{20,300}",
  ],
  ["bitbucket-token", "ATBB", "[A-Za-z0-9]{28,60}"],
  ["npm-token", "npm_", "[A-Za-z0-9]{30,80}"],
  ["pypi-token", "pypi-AgE pypi-AgN", "[\\w-]{50,400}"],
  ["rubygems-key", "rubygems_", "[a-f0-9]{48}"],
  ["crates-token", "cio", "[A-Za-z0-9]{32}(?![A-Za-z0-9])"],
  ["nuget-key", "oy2", "[a-z0-9]{43}(?![A-Za-z0-9])"],
  ["clojars-token", "CLOJARS_", "[a-z0-9]{60}"],
  ["docker-token", "dckr_pat_ dckr_oat_", "[\\w-]{20,120}"],
  ["artifactory-key", "AKCp", "[A-Za-z0-9]{60,120}"],
  ["circleci-token", "CCIPAT_ CCIPRJ_", "[\\w-]{30,160}"],
  ["buildkite-token", "bkua_ bkaj_ bkct_", "[A-Za-z0-9]{36,80}"],
  ["sonar-token", "squ_ sqp_ sqa_", "[a-f0-9]{40}"],
  ["sourcegraph-token", "sgp_ slk_", "[a-f0-9_]{40,80}"],
  ["snyk-token", "snyk_uat.", "[\\w.-]{30,400}"],
  ["atlassian-token", "ATATT3 ATCTT3", "[\\w=-]{60,400}"],
  // Clouds and hosting
  ["aws-access-key-id", "AKIA ASIA ABIA ACCA", "[A-Z0-9]{16}\\b(?<!EXAMPLE)"],
  ["aws-bedrock-key", "ABSK", "[A-Za-z0-9+/=]{80,300}"],
  ["alibaba-key-id", "LTAI", "[A-Za-z0-9]{12,24}(?![A-Za-z0-9])"],
  ["google-api-key", "AIza", "[\\w-]{35}"],
  ["google-oauth-secret", "GOCSPX-", "[\\w-]{20,60}"],
  ["google-access-token", "ya29.", "[\\w-]{20,400}"],
  ["google-refresh-token", "1//0", "[\\w-]{40,160}"],
  ["digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", "[a-f0-9]{64}"],
  ["heroku-key", "HRKU-", "[\\w-]{30,80}"],
  ["vercel-token", "vcp_ vci_ vca_ vcr_ vck_ vercel_blob_rw_", "\\w{20,120}"],
  ["netlify-token", "nfp_ nfc_ nfo_", "[A-Za-z0-9]{36,60}"],
  ["fly-token", "fo1_ fm1a_ fm1r_ fm2_", "[\\w+/=,-]{40,1200}"],
  ["render-key", "rnd_", "[A-Za-z0-9]{28,60}"],
  ["supabase-key", "sbp_ sb_secret_", "\\w[\\w-]{29,80}"],
  ["planetscale-token", "pscale_tkn_ pscale_pw_ pscale_oauth_", "[\\w.=-]{30,80}"],
  ["neon-key", "napi_", "[a-z0-9]{50,90}"],
  ["cloudflare-key", "v1.0-", "[a-f0-9]{24}-[a-f0-9]{100,200}"],
  ["cloudflare-token", "cfut_ cfat_", "[\\w-]{36,80}"],
  ["openshift-token", "sha256~", "[\\w-]{43}"],
  ["tailscale-key", "tskey-", "(?:[a-z]{2,12}-)?[A-Za-z0-9]{10,40}-[A-Za-z0-9]{20,60}"],
  ["pulumi-token", "pul-", "[a-f0-9]{40}"],
  ["vault-token", "hvs. hvb. hvr.", "[\\w-]{24,300}"],
  ["doppler-token", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", "[\\w.-]{40,80}"],
  ["1password-token", "ops_ey", "[A-Za-z0-9+/=_-]{80,1500}"],
  [
    "1password-key",
    "A3-",
    "[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}",
  ],
  ["age-key", "AGE-SECRET-KEY-1", "[A-Z0-9]{58}"],
  ["databricks-token", "dapi", "[a-f0-9]{32}(?:-\\d)?"],
  ["prefect-key", "pnu_", "[A-Za-z0-9]{36}"],
  ["harness-token", "pat.", "[\\w-]{22}\\.[a-f0-9]{24}\\.[A-Za-z0-9]{20}"],
  // Models
  ["anthropic-key", "sk-ant-", "[\\w-]{24,200}"],
  ["openrouter-key", "sk-or-v1-", "[a-f0-9]{48,80}"],
  ["langfuse-key", "sk-lf-", "[a-f0-9-]{36}"],
  ["openai-key", "sk-", "(?:(?:proj|svcacct|admin|None)-)?[A-Za-z0-9][\\w-]{30,250}"],
  ["groq-key", "gsk_", "[A-Za-z0-9]{40,80}"],
  ["huggingface-token", "hf_ api_org_", "[A-Za-z0-9]{30,50}"],
  ["replicate-token", "r8_", "[A-Za-z0-9]{35,45}"],
  ["xai-key", "xai-", "[A-Za-z0-9]{60,120}"],
  ["perplexity-key", "pplx-", "[A-Za-z0-9]{40,80}"],
  ["nvidia-key", "nvapi-", "[\\w-]{50,100}"],
  ["pinecone-key", "pcsk_", "\\w{40,120}"],
  ["langsmith-key", "lsv2_pt_ lsv2_sk_", "[a-f0-9]{32}_[a-f0-9]{10}"],
  ["fireworks-key", "fw_", "[A-Za-z0-9]{22,50}(?![A-Za-z0-9])"],
  ["cerebras-key", "csk-", "[a-z0-9]{40,70}"],
  ["tavily-key", "tvly-", "[\\w-]{28,60}"],
  // Chat, mail, work
  [
    "slack-token",
    "xoxa- xoxb- xoxc- xoxd- xoxe- xoxo- xoxp- xoxr- xoxs- xoxe.xoxb- xoxe.xoxp-",
    "[\\w%./+=-]{20,300}",
  ],
  ["slack-token", "xapp-", "[\\w-]{20,300}"],
  [
    "slack-token",
    "https://hooks.slack.com/services/ https://hooks.slack.com/workflows/ https://hooks.slack.com/triggers/",
    "[\\w/-]{24,120}",
  ],
  ["discord-webhook", "discord.com/api/webhooks/ discordapp.com/api/webhooks/", "\\d{15,22}/[\\w-]{50,100}"],
  ["teams-webhook", ".webhook.office.com/webhookb2/", "[\\w@/-]{80,200}"],
  ["zapier-webhook", "hooks.zapier.com/hooks/catch/", "\\d{4,12}/[a-z0-9]{5,12}"],
  ["sendgrid-key", "SG.", "[\\w-]{16,32}\\.[\\w-]{16,64}"],
  ["mailgun-key", "key-", "[a-f0-9]{32}\\b"],
  ["brevo-key", "xkeysib- xsmtpsib-", "[a-f0-9]{64}-[A-Za-z0-9]{16}"],
  ["resend-key", "re_", "[A-Za-z0-9]{8}_[A-Za-z0-9]{24}"],
  ["twilio-key", "SK", "[a-f0-9]{32}\\b"],
  ["linear-key", "lin_api_ lin_oauth_", "[A-Za-z0-9]{32,80}"],
  ["notion-token", "ntn_", "[A-Za-z0-9]{40,60}"],
  ["notion-token", "secret_", "[A-Za-z0-9]{43}(?![A-Za-z0-9])"],
  ["figma-token", "figd_ figo_ figu_", "[\\w-]{36,60}"],
  ["airtable-token", "pat", "[A-Za-z0-9]{14}\\.[a-f0-9]{64}"],
  ["postman-key", "PMAK-", "[a-f0-9]{24}-[a-f0-9]{34}"],
  ["typeform-token", "tfp_", "[\\w.-]{40,80}"],
  ["dropbox-token", "sl.", "[\\w=-]{130,1500}"],
  ["contentful-token", "CFPAT-", "[\\w-]{40,60}"],
  ["hubspot-token", "pat-na1- pat-na2- pat-eu1-", "[a-f0-9-]{36}"],
  ["intercom-token", "dG9rO", "[A-Za-z0-9+/=]{40,80}"],
  ["wakatime-key", "waka_", "[a-f0-9-]{36}"],
  ["mailersend-token", "mlsn.", "[a-f0-9]{64}"],
  ["frameio-token", "fio-u-", "[\\w-]{60,70}"],
  ["octopus-key", "API-", "[A-Z0-9]{26}(?![A-Z0-9])"],
  ["wandb-key", "wandb_v1_", "\\w{30,90}"],
  ["e2b-key", "e2b_", "[a-f0-9]{40}"],
  ["logfire-token", "pylf_v", "\\d_[a-z]{2}_[A-Za-z0-9]{40,60}"],
  ["defined-token", "dnkey-", "[\\w=-]{26}-[\\w=-]{52}"],
  ["elevenlabs-key", "sk_", "[a-f0-9]{48}(?![A-Za-z0-9])"],
  ["yandex-key", "AQVN", "[\\w-]{35,38}(?![\\w-])"],
  ["tencent-key-id", "AKID", "[A-Za-z0-9]{32}(?![A-Za-z0-9])"],
  ["settlemint-token", "sm_pat_ sm_aat_ sm_sat_", "[A-Za-z0-9]{16}(?![A-Za-z0-9])"],
  // Money
  ["stripe-key", "sk_live_ sk_test_ rk_live_ rk_test_ sk_org_", "[A-Za-z0-9_]{16,250}"],
  ["stripe-webhook-secret", "whsec_", "[A-Za-z0-9+/=]{24,250}"],
  ["square-token", "EAAA", "[\\w-]{56,70}"],
  ["square-token", "sq0csp- sq0atp- sq0idp-", "[\\w-]{20,60}"],
  ["shopify-token", "shppa_ shpca_ shpat_ shpss_ shptka_", "[a-fA-F0-9]{32}"],
  ["paypal-token", "access_token$production$ access_token$sandbox$", "[a-z0-9]{13,20}\\$[a-f0-9]{32}"],
  ["shippo-token", "shippo_live_ shippo_test_", "[a-f0-9]{40}"],
  ["easypost-key", "EZAK EZTK", "[a-zA-Z0-9]{54}"],
  ["flutterwave-key", "FLWSECK- FLWSECK_TEST-", "[a-zA-Z0-9]{12,50}-X"],
  [
    "plaid-token",
    "access-sandbox- access-development- access-production-",
    "[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}",
  ],
  ["lob-key", "live_ test_", "(?:pub_)?[a-f0-9]{35}(?![A-Za-z0-9])"],
  ["razorpay-key", "rzp_live_ rzp_test_", "[A-Za-z0-9]{14,24}"],
  // Watching and measuring
  ["grafana-token", "glsa_", "[A-Za-z0-9]{32}_[a-f0-9]{8}"],
  ["grafana-token", "glc_", "[A-Za-z0-9+/=_-]{32,400}"],
  ["sentry-token", "sntrys_ sntryu_", "[\\w+/=-]{40,400}"],
  ["new-relic-key", "NRAK- NRII- NRIQ- NRRA- NRAA- NRJS-", "[A-Za-z0-9-]{20,60}"],
  ["dynatrace-token", "dt0c01. dt0s01.", "[A-Z0-9]{24}\\.[A-Z0-9]{64}"],
  ["posthog-key", "phc_ phx_ phs_", "\\w{36,60}"],
  ["launchdarkly-key", "sdk- api-", "[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}"],
  ["readme-key", "rdme_", "[a-z0-9]{60,80}"],
  ["adafruit-key", "aio_", "[A-Za-z0-9]{28}"],
  ["infracost-key", "ico-", "[A-Za-z0-9]{32}"],
  ["mapbox-token", "sk.eyJ", "[\\w-]{40,200}\\.[\\w-]{20,30}"],
  ["facebook-token", "EAAC EAAB EAAG EAAD", "[A-Za-z0-9]{80,300}"],
  ["duffel-token", "duffel_test_ duffel_live_", "[\\w=-]{40,60}"],
];

/** Each pattern begins with a literal and is bounded, so that hostile text costs one pass. */
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

/** Neither a placeholder nor the plain word that opens a developer's local database. */
function isUrlPassword(value: string, following: string): boolean {
  if (isPlaceholder(value) || /^(?:pass(?:word|wd)?|secret|token|user|pw)$/i.test(value)) return false;
  return !(
    isWords(value) && /^@(?:localhost|127\.0\.0\.1|\[::1\]|db|postgres|redis|mysql|mongo)\b/.test(following)
  );
}
