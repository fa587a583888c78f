import { SeededRandom } from "./seeded-random.ts";

/** A text with what in it is secret; of a look-alike nothing is. */
export interface SecretSample {
  /** What kind of secret, or what it only looks like. */
  kind: string;
  text: string;
  /** No piece of it may be left; undefined for a look-alike. */
  value?: string;
}

/** A sample whose template holds the value at VALUE. */
export function inText(kind: string, value: string, template: string): SecretSample {
  return { kind, text: template.replaceAll("VALUE", () => value), value };
}

export const LOWER = "abcdefghijklmnopqrstuvwxyz";
export const UPPER: string = LOWER.toUpperCase();
export const DIGITS = "0123456789";
const WORDS =
  "river stone maple lantern copper meadow signal harbour velvet thunder orchard pebble falcon willow ember canyon".split(
    " ",
  );
const NAMES = "anna deploy admin backup ci-bot root postgres jonas svc_orders readonly".split(" ");
const HOSTS =
  "db-7.internal staging.acme.dev ldap.acme.example 10.2.3.4 git.acme.example mail.acme.example".split(" ");

/** Draws values that have never been seen: what a rule knows by heart does not help it. */
export class SecretSampler {
  readonly #random: SeededRandom;

  constructor(seed: number) {
    this.#random = new SeededRandom(seed);
  }

  secrets(): SecretSample[] {
    return [
      ...this.#vendor(),
      ...this.#byClass(),
      ...this.#named(),
      ...this.#placed(),
      ...this.#stated(),
      ...this.#disguised(),
    ];
  }

  readonly from = (alphabet: string, length: number): string =>
    Array.from({ length }, () => alphabet[this.#random.below(alphabet.length)]).join("");
  readonly hex = (length: number): string => this.from(`${DIGITS}abcdef`, length);
  readonly mixed = (length: number): string => this.from(LOWER + UPPER + DIGITS, length);
  readonly #dashed = (length: number): string =>
    this.mixed(1) + this.from(`${LOWER}${UPPER}${DIGITS}-_`, length - 2) + this.mixed(1);
  readonly word = (): string => this.#random.pick(WORDS) ?? "river";
  readonly #pick = (list: readonly string[]): string => this.#random.pick(list) ?? "";
  readonly uuid = (): string => [8, 4, 4, 4, 12].map((length) => this.hex(length)).join("-");

  /** A password as a person or a generator makes one: letters of both cases, digits, a symbol inside. */
  #password(): string {
    const symbol = this.from("!#%*+?=^~", 1);
    return this.from(LOWER, 3) + this.from(DIGITS, 2) + symbol + this.from(UPPER, 2) + this.mixed(5);
  }

  #vendor(): SecretSample[] {
    const { hex, mixed, uuid } = this;
    const dashed = this.#dashed;
    const upper = (length: number): string => this.from(UPPER + DIGITS, length);
    const lower = (length: number): string => this.from(LOWER + DIGITS, length);
    const forms: [string, string][] = [
      ["GitHub", `ghp_${mixed(36)}`],
      ["GitHub", `github_pat_${mixed(22)}_${mixed(59)}`],
      ["GitHub app", `ghs_${mixed(36)}`],
      ["GitLab", `glpat-${dashed(20)}`],
      ["GitLab runner", `glrt-${dashed(20)}`],
      ["GitLab deploy", `gldt-${dashed(20)}`],
      ["GitLab trigger", `glptt-${hex(40)}`],
      ["npm", `npm_${mixed(36)}`],
      ["PyPI", `pypi-AgEIcHlwaS5vcmc${dashed(120)}`],
      ["RubyGems", `rubygems_${hex(48)}`],
      ["Docker", `dckr_pat_${dashed(27)}`],
      ["Slack bot", `xoxb-${this.from(DIGITS, 12)}-${this.from(DIGITS, 13)}-${mixed(24)}`],
      ["Slack app", `xapp-1-${upper(11)}-${this.from(DIGITS, 13)}-${hex(64)}`],
      ["Slack webhook", `https://hooks.slack.com/services/T${upper(10)}/B${upper(10)}/${mixed(24)}`],
      ["Discord webhook", `https://discord.com/api/webhooks/${this.from(DIGITS, 19)}/${dashed(68)}`],
      [
        "Discord bot",
        `${Buffer.from(this.from("123456789", 18)).toString("base64")}.${dashed(6)}.${dashed(38)}`,
      ],
      ["Telegram", `${this.from("123456789", 9)}:AA${dashed(33)}`],
      ["SendGrid", `SG.${dashed(22)}.${dashed(43)}`],
      ["Mailgun", `key-${hex(32)}`],
      ["Mailchimp", `${hex(32)}-us${this.from("123456789", 1)}`],
      ["Brevo", `xkeysib-${hex(64)}-${mixed(16)}`],
      ["Twilio", `SK${hex(32)}`],
      ["Stripe", `sk_live_${mixed(24)}`],
      ["Stripe restricted", `rk_live_${mixed(40)}`],
      ["Stripe webhook", `whsec_${mixed(32)}`],
      ["Square", `EAAA${dashed(60)}`],
      ["Square secret", `sq0csp-${dashed(43)}`],
      ["Shopify", `shpat_${hex(32)}`],
      ["AWS", `AKIA${this.from(`${UPPER}234567`, 16)}`],
      ["Google", `AIza${dashed(35)}`],
      ["Google OAuth", `GOCSPX-${dashed(28)}`],
      ["Google access", `ya29.${dashed(80)}`],
      ["Google refresh", `1//0${dashed(60)}`],
      ["Azure storage", `AccountKey=${mixed(86)}==`],
      ["Azure SAS", `https://acme.blob.core.windows.net/x?sv=2024-11-04&sig=${mixed(43)}%3D`],
      ["Azure client", `${mixed(3)}8Q~${dashed(34)}`],
      ["DigitalOcean", `dop_v1_${hex(64)}`],
      ["Heroku", `HRKU-${uuid()}`],
      ["Vercel", `vcp_${mixed(24)}`],
      ["Netlify", `nfp_${mixed(40)}`],
      ["Fly", `fo1_${dashed(43)}`],
      ["Supabase", `sbp_${hex(40)}`],
      ["PlanetScale", `pscale_tkn_${dashed(43)}`],
      ["PlanetScale password", `pscale_pw_${dashed(43)}`],
      ["Pulumi", `pul-${hex(40)}`],
      ["Terraform", `${mixed(14)}.atlasv1.${dashed(67)}`],
      ["Tailscale", `tskey-auth-${mixed(17)}-${mixed(32)}`],
      ["Vault", `hvs.${dashed(90)}`],
      ["Doppler", `dp.pt.${mixed(43)}`],
      ["1Password", `ops_eyJ${mixed(240)}`],
      ["age", `AGE-SECRET-KEY-1${upper(58)}`],
      ["Databricks", `dapi${hex(32)}`],
      ["Anthropic", `sk-ant-api03-${dashed(93)}AA`],
      ["OpenAI", `sk-proj-${dashed(74)}T3BlbkFJ${dashed(74)}`],
      ["OpenAI old", `sk-${mixed(48)}`],
      ["OpenRouter", `sk-or-v1-${hex(64)}`],
      ["Groq", `gsk_${mixed(52)}`],
      ["Hugging Face", `hf_${this.from(LOWER + UPPER, 34)}`],
      ["Replicate", `r8_${mixed(37)}`],
      ["xAI", `xai-${mixed(80)}`],
      ["Perplexity", `pplx-${mixed(48)}`],
      ["NVIDIA", `nvapi-${dashed(64)}`],
      ["Linear", `lin_api_${mixed(40)}`],
      ["Notion", `ntn_${this.from(DIGITS, 11)}${mixed(35)}`],
      ["Figma", `figd_${dashed(40)}`],
      ["Airtable", `pat${mixed(14)}.${hex(64)}`],
      ["Atlassian", `ATATT3xFfGF0${dashed(170)}=${upper(8)}`],
      ["Sentry", `sntryu_${hex(64)}`],
      ["New Relic", `NRAK-${upper(27)}`],
      ["Grafana", `glsa_${mixed(32)}_${hex(8)}`],
      ["Dynatrace", `dt0c01.${upper(24)}.${upper(64)}`],
      ["PostHog", `phx_${mixed(43)}`],
      ["LaunchDarkly", `sdk-${uuid()}`],
      ["Postman", `PMAK-${hex(24)}-${hex(34)}`],
      ["Resend", `re_${mixed(8)}_${mixed(24)}`],
      ["HubSpot", `pat-na1-${uuid()}`],
      ["Buildkite", `bkua_${lower(40)}`],
      ["Sonar", `squ_${hex(40)}`],
      ["OpenShift", `sha256~${dashed(43)}`],
      ["JWT", `eyJhbGciOiJIUzI1NiJ9.eyJ${mixed(60)}.${dashed(43)}`],
    ];
    const frames = [
      (value: string): string => `the one for staging: ${value}`,
      (value: string): string => `use \`${value}\` in CI, rotate it in May`,
      (value: string): string => `export X=${value}\n`,
      (value: string): string => `{"value":"${value}"}`,
    ];
    return forms.map(([kind, value]) => ({
      kind: `vendor: ${kind}`,
      text: frames[this.#random.below(frames.length)]!(value),
      value:
        /sig=(.*)$|^AccountKey=(.*)$|^\d+:(AA.*)$|(?:webhooks\/\d+|services)\/(.*)$|^rubygems_(.*)$/
          .exec(value)
          ?.slice(1)
          .find(Boolean) ?? value,
    }));
  }

  /** Forms of no service that is known by name. */
  #byClass(): SecretSample[] {
    const { hex, mixed } = this;
    const base32 = (length: number): string => this.from(`${UPPER}234567`, length);
    const base58 = (length: number): string =>
      this.from(`${UPPER}${LOWER}${DIGITS}`.replace(/[IOl0]/g, ""), length);
    const [user, host] = [this.#pick(NAMES), this.#pick(HOSTS)];
    const sample = (kind: string, value: string, template: string): SecretSample =>
      inText(`class: ${kind}`, value, template);
    return [
      sample("prefix", mixed(40), `use ${this.from(LOWER, 3)}_VALUE in CI`),
      sample("prefix of a key", mixed(32), `${this.from(LOWER, 4)}_sk_VALUE`),
      sample("prefix of a key", hex(40), `${this.from(LOWER, 4)}_token_VALUE`),
      sample("bot", `AA${this.#dashed(33)}`, "https://api.telegram.org/bot123456789:VALUE/getMe"),
      sample("webhook", mixed(32), `https://ci.acme.example/webhooks/git/VALUE`),
      sample("hexadecimal", hex(64), "the deployer has private key 0xVALUE"),
      sample("coin", `5${base58(50)}`, "the wallet is VALUE on testnet"),
      sample("coin", `${this.from("KL", 1)}${base58(51)}`, "import VALUE"),
      sample("coin", `${this.from("xyz", 1)}prv${base58(107)}`, "restore it from VALUE"),
      sample("one-time codes", base32(32), "TOTP seed: VALUE"),
      sample("key file", hex(32), "config/master.key: VALUE"),
      sample("column", this.#password(), `| user | password |\n|---|---|\n| ${user} | VALUE |`),
      sample("column", this.#password(), `name,user,password\nwiki,${user},VALUE\n`),
      sample("net use", this.#password(), `net use Z: \\\\nas\\share VALUE /user:${user}`),
      sample("from to", this.#password(), `changed the ${user} login from old to VALUE`),
      sample("beside an address", this.#password(), `${user}@${host.replace(/^[\d.]+$/, "x.test")} (VALUE)`),
    ];
  }

  #named(): SecretSample[] {
    const { hex, mixed, uuid } = this;
    const named = (kind: string, value: string, template: string): SecretSample =>
      inText(`named: ${kind}`, value, template);
    const keys = "SECRET_KEY APP_KEY ENCRYPTION_KEY SIGNING_KEY MASTER_KEY HMAC_KEY API_KEY JWT_SECRET".split(
      " ",
    );
    return [
      ...keys.map((name) => named(name, hex(64), `${name}=VALUE`)),
      ...keys.slice(0, 4).map((name) => named(name, mixed(40), `${name}="VALUE"`)),
      ...["DB_PASSWORD", "SMTP_PASS", "MYSQL_PWD", "REDIS_PASSWD", "PGPASSWORD"].map((name) =>
        named(name, this.#password(), `${name}=VALUE`),
      ),
      named("yaml", this.#password(), "database:\n  user: app\n  password: VALUE\n"),
      named("yaml", this.#password(), 'smtp:\n  pass: "VALUE"\n'),
      named("json", this.#password(), '{"user": "app", "pass": "VALUE"}'),
      named("json", mixed(32), '{"apiKey": "VALUE", "region": "eu"}'),
      named("json", uuid(), '{"clientSecret":"VALUE"}'),
      named("short", this.#password(), "pw: VALUE"),
      named("xml", this.#password(), "<server><username>ci</username><password>VALUE</password></server>"),
      named("toml", mixed(40), '[registry]\ntoken = "VALUE"\n'),
      named("properties", this.#password(), "spring.datasource.password=VALUE"),
      named("code", this.#password(), 'const password = "VALUE";'),
      named("code", mixed(36), "client = Client(api_key='VALUE')"),
      named("connection", this.#password(), "Server=db;Database=app;User Id=sa;Password=VALUE;Encrypt=true"),
      named("npmrc", mixed(36), "//registry.npmjs.org/:_authToken=VALUE"),
      named(
        "npmrc",
        Buffer.from(`ci:${this.#password()}`).toString("base64"),
        "//npm.acme.example/:_auth=VALUE",
      ),
      named(
        "docker",
        Buffer.from(`ci:${this.#password()}`).toString("base64"),
        '{"auths":{"ghcr.io":{"auth":"VALUE"}}}',
      ),
      named("aws", this.from(`${LOWER}${UPPER}${DIGITS}+/`, 40), "aws_secret_access_key = VALUE"),
    ];
  }

  #placed(): SecretSample[] {
    const { hex, mixed } = this;
    const [host, user] = [this.#pick(HOSTS), this.#pick(NAMES)];
    const placed = (kind: string, value: string, template: string): SecretSample =>
      inText(`placed: ${kind}`, value, template);
    const url = (): string => this.mixed(4) + this.from("!*.-_", 1) + this.mixed(8);
    const body = (): string => Array.from({ length: 12 }, () => mixed(64)).join("\n");
    const key = body();
    const indented = body();
    return [
      placed("url", url(), `postgres://${user}:VALUE@${host}:5432/app`),
      placed("url", url(), `https://${user}:VALUE@${host}/x.git`),
      placed("url", url(), `redis://:VALUE@${host}:6379`),
      placed("url", url(), `amqps://${user}:VALUE@${host}/vhost`),
      placed("dsn", url(), `dsn := "${user}:VALUE@tcp(${host}:3306)/orders"`),
      placed("dsn", url(), `${user}:VALUE@unix(/tmp/mysql.sock)/orders`),
      placed("oracle", url(), `jdbc:oracle:thin:${user}/VALUE@//${host}:1521/ORCL`),
      placed("oracle", url(), `sqlplus -s ${user}/VALUE@ORCL @report.sql`),
      placed("wifi", this.#password(), "WIFI:T:WPA;S:office;P:VALUE;;"),
      placed("hcl", this.#password(), 'variable "db_password" {\n  type    = string\n  default = "VALUE"\n}'),
      placed("url query", mixed(40), `https://${host}/hook?id=7&token=VALUE`),
      placed("header", mixed(40), "Authorization: Bearer VALUE"),
      placed(
        "header",
        Buffer.from(`${user}:${this.#password()}`).toString("base64"),
        "authorization: Basic VALUE",
      ),
      placed("header", hex(40), `curl -H "Authorization: ApiKey VALUE" https://${host}`),
      placed("header", hex(32), "X-Api-Key: VALUE"),
      placed("header", mixed(20), `curl --header "PRIVATE-TOKEN: VALUE" https://${host}`),
      placed("cookie", mixed(48), "Cookie: theme=dark; session=VALUE"),
      placed("option", this.#password(), `heroku login --user ${user} --password VALUE`),
      placed("option", mixed(32), "gh auth --token VALUE"),
      placed("option", this.#password(), "mysql -u root -pVALUE app"),
      placed("option", this.#password(), `docker login -u ${user} -p VALUE ghcr.io`),
      placed("option", this.#password(), `sshpass -p 'VALUE' ssh ${user}@${host}`),
      placed("option", this.#password(), `curl -u ${user}:VALUE https://${host}/api`),
      placed("option", this.#password(), `redis-cli -h ${host} -a VALUE ping`),
      placed("option", this.#password(), "ldapsearch -x -D cn=admin -w VALUE -b dc=acme"),
      placed("option", mixed(30), "deploy --api-key=VALUE --env prod"),
      placed("netrc", this.#password(), `machine ${host} login ${user} password VALUE`),
      placed("pgpass", this.#password(), `${host}:5432:app:${user}:VALUE`),
      placed("key", key, "-----BEGIN RSA PRIVATE KEY-----\nVALUE\n-----END RSA PRIVATE KEY-----"),
      placed(
        "key in yaml",
        indented.replaceAll("\n", "\n    "),
        "tls:\n  key: |\n    -----BEGIN PRIVATE KEY-----\n    VALUE\n    -----END PRIVATE KEY-----\n",
      ),
      placed(
        "key in json",
        body().replaceAll("\n", "\\n"),
        '{"private_key":"-----BEGIN PRIVATE KEY-----\\nVALUE\\n-----END PRIVATE KEY-----\\n"}',
      ),
      placed(
        "key quoted",
        body().replaceAll("\n", "\n> "),
        "> -----BEGIN OPENSSH PRIVATE KEY-----\n> VALUE\n> -----END OPENSSH PRIVATE KEY-----",
      ),
    ];
  }

  #stated(): SecretSample[] {
    const [host, user] = [this.#pick(HOSTS), this.#pick(NAMES)];
    const stated = (template: string): SecretSample => inText("stated", this.#password(), template);
    return [
      stated("the password for staging is VALUE"),
      stated("password: VALUE"),
      stated("the staging password is now VALUE, was changed on Monday"),
      stated("das Passwort lautet VALUE"),
      stated("Kennwort für den Test ist VALUE"),
      stated(`log in as ${user} / VALUE`),
      stated(`login with ${user}:VALUE on ${host}`),
      stated(`log into ${host} with user ${user} and password VALUE`),
      stated(`credentials: ${user} / VALUE`),
      stated(`the staging login is ${user} / VALUE`),
      stated(`the account is ${user} with VALUE`),
      stated(`ssh ${user}@${host}, pw VALUE`),
      stated("for the build box: admin pw VALUE"),
      stated("the pw is VALUE"),
      stated(`user ${user}, pass VALUE`),
      stated(`sign in as ${user}@acme.example, VALUE`),
      stated("the passphrase was VALUE"),
      stated('use the password "VALUE" for the demo'),
    ];
  }

  #disguised(): SecretSample[] {
    const { mixed } = this;
    const token = (): string => `ghp_${mixed(36)}`;
    const disguised = (kind: string, value: string, text: string): SecretSample => ({
      kind: `disguised: ${kind}`,
      text,
      value,
    });
    const tokens = Array.from({ length: 8 }, token);
    const [
      percent = "",
      entity = "",
      joined = "",
      wide = "",
      blank = "",
      base = "",
      hexed = "",
      escaped = "",
    ] = tokens;
    const inner = Buffer.from(`DB_PASSWORD=${this.#password()}`).toString("base64");
    return [
      disguised("percent", percent.replace("_", "%5F"), `x=${percent.replace("_", "%5F")}`),
      disguised("entity", entity.replace("_", "&#95;"), `<b>${entity.replace("_", "&#95;")}</b>`),
      disguised("joined", joined.slice(20), `t = "${joined.slice(0, 20)}" + "${joined.slice(20)}"`),
      disguised("full-width", wide.slice(5), wide.replace("ghp", "ｇｈｐ")),
      disguised("zero-width", blank.slice(10), `${blank.slice(0, 6)}\u200b${blank.slice(6)}`),
      disguised("escape", escaped.slice(5), escaped.replace("_", "\\u005f")),
      disguised("base64 of an assignment", inner, `echo ${inner} | base64 -d`),
      disguised(
        "base64",
        Buffer.from(base).toString("base64"),
        `data: ${Buffer.from(base).toString("base64")}`,
      ),
      disguised(
        "hexadecimal",
        Buffer.from(hexed).toString("hex"),
        `blob ${Buffer.from(hexed).toString("hex")}`,
      ),
    ];
  }
}

/** Of a value no more than so many characters in a row may be left. */
const LEFT_CHARS = 7;

/** Whether a piece of a value is still there. */
export function isLeft(answer: string, value: string): boolean {
  const text = answer.replace(/\[redacted: [\w-]+\]/g, "[]");
  for (let at = 0; at + LEFT_CHARS < value.length; at++) {
    if (text.includes(value.slice(at, at + LEFT_CHARS + 1))) return true;
  }
  return value.length <= LEFT_CHARS && text.includes(value);
}
