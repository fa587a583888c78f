import { describe, expect, test } from "vitest";
import { findSecrets, redactSecrets } from "../../../src/memory/screening/find-secrets.ts";
import { cpuMsOf } from "../../cpu-time.ts";

/** Joined here, so that no scanner of this repository takes a made-up value for a real one. */
const SPACE = " ";
const join = (...parts: string[]): string => parts.join("");
const hex = (length: number): string => "a1b2c3d4e5f60789".repeat(20).slice(0, length);
const mixed = (length: number): string => "aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW".repeat(10).slice(0, length);

/** One of each kind: all vendors' forms are drawn in secret-samples.test.ts. */
const SECRETS: [kind: string, value: string][] = [
  ["token", join("ghp_", mixed(36))],
  ["token", join("AKIA", "2E0A8F3B244C9986")],
  ["token", join("SG.", mixed(22), ".", mixed(43))],
  ["token", join("key-", hex(32))],
  ["webhook", join("https://hooks.slack", ".com/services/T0ABCDEF1/B0ABCDEF1/", mixed(24))],
  ["jwt", join("eyJ", mixed(20), ".eyJ", mixed(30), ".", mixed(43))],
  [
    "private-key",
    join("-----BEGIN RSA PRIVATE", " KEY-----\nMII", mixed(200), "\n-----END RSA PRIVATE KEY-----"),
  ],
];

describe("a secret is found, and redacted by its kind", () => {
  test.each(SECRETS)("%s", (kind, value) => {
    const text = `the one for staging:\n${value}\nrotate it in May`;
    expect(redactSecrets(text)).toBe(`the one for staging:\n[redacted: ${kind}]\nrotate it in May`);
  });

  // Beside what says what it is: the value alone goes.
  test.each([
    ["DB_PASSWORD=Tr0ub4dor&3xyz", "DB_PASSWORD=[redacted: password]"],
    [
      "for the deploy to staging, name,user,password\nwiki,anna,qRt7#LmXz2\n",
      "for the deploy to staging, name,user,password\nwiki,anna,[redacted: password]\n",
    ],
    ['{"apiKey": "9f8Kd02LmQ7xZp41"}', '{"apiKey": "[redacted: password]"}'],
    ["client_secret: 9f8Kd02LmQ7xZp41Rt5", "client_secret: [redacted: password]"],
    ["the password for staging is Tr0ub4dor&3", "the password for staging is [redacted: password]"],
    [
      "Authorization: SSWS 00QCjAl4MlV-WPXM7ekkRmt1jZbPqOiQ3d2h5Yq1",
      "Authorization: SSWS [redacted: authorization-header]",
    ],
    [`twilio auth token ${hex(32)}`, "twilio auth token [redacted: password]"],
    [
      "openssl enc -aes-256-cbc -k kQz7vTreMPw2 -in a",
      "openssl enc -aes-256-cbc -k [redacted: password] -in a",
    ],
    ["mysql -u root -pkQz7vTreMPw2 shop", "mysql -u root -p[redacted: password] shop"],
    ["mysql -u root --password=kQz7vTreMPw2 shop", "mysql -u root --password=[redacted: password] shop"],
    // Written so by mistake: what cannot be a database's name.
    ["mysql -u root -p 'kQ#z7vTr!eMPw'", "mysql -u root -p '[redacted: password]'"],
    ["mysql db; sshpass -p kQz7vTreMPw2 ssh a", "mysql db; sshpass -p [redacted: password] ssh a"],
    ["xfreerdp /u:a /p:kQz7vTreMPw2 /v:h", "xfreerdp /u:a /p:[redacted: password] /v:h"],
    ["the staging login is bob / summer2024", "the staging login is bob / [redacted: password]"],
    [
      'variable "db_password" { default = "kQz7vTreMPw2" }',
      'variable "db_password" { default = "[redacted: password]" }',
    ],
    ["net user bob kQz7vTreMPw2 /add", "net user bob [redacted: password] /add"],
    ['echo "bob:kQz7vTreMPw2" | chpasswd', 'echo "bob:[redacted: password]" | chpasswd'],
    ['ConvertTo-SecureString "kQz7vTreMPw2"', 'ConvertTo-SecureString "[redacted: password]"'],
    ['login("admin", "kQz7vTreMPw2")', 'login("admin", "[redacted: password]")'],
    ["use kQz7vTreMPw2 to sign in", "use [redacted: password] to sign in"],
    ["la password è kQz7vTreMPw2", "la password è [redacted: password]"],
    ["пароль: kQz7vTreMPw2", "пароль: [redacted: password]"],
    ["密码是 kQz7vTreMPw2", "密码是 [redacted: password]"],
    ["パスワード: kQz7vTreMPw2", "パスワード: [redacted: password]"],
    [
      '<add key="DB_PASSWORD" value="kQz7vTreMPw2" />',
      '<add key="DB_PASSWORD" value="[redacted: password]" />',
    ],
    ["- name: DB_PASSWORD\n  value: kQz7vTreMPw2", "- name: DB_PASSWORD\n  value: [redacted: password]"],
    ["define('DB_PASSWORD', 'kQz7vTreMPw2');", "define('DB_PASSWORD', '[redacted: password]');"],
    ['val password: String = "kQz7vTreMPw2"', 'val password: String = "[redacted: password]"'],
    ["password: RiverStone42", "password: [redacted: password]"],
    ["password = river-stone-42", "password = [redacted: password]"],
    ["CREATE USER a IDENTIFIED BY 'kQz7vTreMPw2'", "CREATE USER a IDENTIFIED BY '[redacted: password]'"],
    ["echo kQz7vTreMPw2 | sudo -S apt update", "echo [redacted: password] | sudo -S apt update"],
    ["&quot;password&quot;: &quot;kQz7vTreMPw2&quot;", "&quot;password&quot;: &quot;[redacted: password]"],
    ["la clave de API es 7MLePeFZqDNBUvDxBawyOVvcdHmlZlfZ", "la clave de API es [redacted: password]"],
    // Drawn of letters that could be a word's, and no word.
    ["passwd=RxTcrUExye", "passwd=[redacted: password]"],
    [
      "curl -u admin:'meRwwbv39Drx' https://a.example",
      "curl -u admin:'[redacted: password]' https://a.example",
    ],
    [`aws_secret_access_key = ${mixed(40)}`, "aws_secret_access_key = [redacted: password]"],
    [`Authorization: Bearer ${mixed(32)}`, "Authorization: Bearer [redacted: authorization-header]"],
    [
      "postgres://app:s3cr3tPass@db.example.com:5432/app",
      "postgres://app:[redacted: url-password]@db.example.com:5432/app",
    ],
    ["https://bob:hunter2hunter2@example.com/x", "https://bob:[redacted: url-password]@example.com/x"],
    [
      `the key: -----BEGIN PRIVATE${SPACE}KEY-----\nMC4CAQAwBQYDK2VwBCIEIJ1hfBq8d9Kw`,
      "the key: [redacted: private-key]",
    ],
  ])("%s", (text, redacted) => {
    expect(redactSecrets(text)).toBe(redacted);
    expect(redactSecrets(redactSecrets(text))).toBe(redactSecrets(text));
  });

  test("several in one text, each by its own kind", () => {
    const github = join("ghp_", mixed(36));
    const stripe = join("sk_live_", mixed(24));
    expect(redactSecrets(`${github} and ${stripe}, then ${github}`)).toBe(
      "[redacted: token] and [redacted: token], then [redacted: token]",
    );
  });

  test("far into a long text, and over the seam of two pieces", () => {
    const token = join("ghp_", mixed(36));
    for (const before of [100_000, 64 * 1024 - 20, 56 * 1024 + 5]) {
      const text = `${"word ".repeat(before / 5)}${token} end`;
      expect(redactSecrets(text).endsWith("[redacted: token] end")).toBe(true);
    }
  });
});

describe("what is none", () => {
  test.each([
    "never commit a token; the password is in 1Password, under staging",
    "| place | name | kind |\n|---|---|---|\n| CI | `API_KEY` | Secret |\n| CI | `FROM_EMAIL` (`noreply@acme.example`) | Variable |",
    "export KC_BOOTSTRAP_ADMIN_PASSWORD=<SECRET> before the run",
    "DB_PASSWORD=${DB_PASSWORD} and API_KEY=$API_KEY come from the environment",
    "const token = process.env.GITHUB_TOKEN",
    "userPrivateKey: Uint8Array, folderKey: CryptoKey",
    "AKIAIOSFODNN7EXAMPLE is the key of Amazon's documentation",
    "postgres://user:password@localhost:5432/app",
    "postgresql://harmony:harmony@localhost:5432/harmony_dev",
    "postgres://app:<password>@db.example.com/app",
    "https://github.com/acme/api/pull/1#discussion_r1234567890",
    "commit 3f2a1c9d8e7b6a5f4c3d2e1b0a9f8e7d6c5b4a39 broke it",
    "id: 01JD3Z8Q6T0V9W4X5Y6Z7A8B9C",
    "the session access_token is redacted on return",
    "id-token: write is per job; token: header or header-content",
    "tokens: 123456789012 in, password: see vault/staging/db",
    "task-runner-for-the-desk-and-risk-management-of-everything",
    "so says the USER, 6-11-21) EHE U,‹U+200B›‹U+200B›",
    "password: ‹U+202E›",
    "mysql -u root -p customers2024 < dump.sql",
    "mysqldump --single-transaction -h db -p 'shop-v2' | gzip",
    "mariadb -P 33060 --password billing_2024",
    "7z x -p backup2024.7z",
    "sha512-3k2Jd93jKd92kLmN8aPq7Zx6Wv5Ub4Tc3Sd2Re1Qf0Pg9Oh8Ni7Mj6Lk5 is the integrity of the package",
  ])("%s", (text) => {
    expect(findSecrets(text)).toEqual([]);
  });
});

describe("a place is none", () => {
  const folders = "web/ svc/ src/OAuth2Callback/ apps/e2e-tests/ db-7f9c4d-x2k/ HTTPClient2/v2/".split(" ");
  const files = "sign-up-form.tsx user_form2.py LoginForm2.c vue-claude-stack.mdc Sign2Up.spec.ts".split(" ");
  const lines = [":64", ":12:7", ":12:in", "#L12-L20", "(64,3)"];
  const hosts = "user-api-v2:8080 api-7d9f8b6c5-x2k4q:5432 gw1.eu-central-1.internal:30443".split(" ");
  const places = ["", ...folders].flatMap((folder) => [
    ...files.flatMap((file) => lines.map((line) => folder + file + line)),
    ...hosts.map((host) => folder + host),
  ]);
  const names = "user admin root credentials login account token secret password".split(" ");
  const sentences: Record<string, (name: string, place: string) => string> = {
    "in a sentence": (name, place) => `the ${name} form is in ${place}, see there`,
    "as its value": (name, place) => (place.includes("/") ? `${name}: ${place}` : `${name} at ${place}`),
    "in a note of its source": (name, place) => `keep ${name} out (from ${place})`,
    "behind a colour": (name, place) => `\u001B[36m${name}\u001B[39m  \u001B[1m${place}\u001B[22m`,
  };
  test.each(Object.entries(sentences))("%s", (_, say) => {
    const texts = names.flatMap((name) => places.map((place) => say(name, place)));
    expect(texts.filter((text) => findSecrets(text).length > 0)).toEqual([]);
  });

  test("and a coloured secret is one, colours aside", () => {
    expect(
      redactSecrets("\u001B[1mpassword\u001B[22m: \u001B[36mTr0ub4dor\u001B[31m&3xyz\u001B[39m, so"),
    ).toBe("\u001B[1mpassword\u001B[22m: \u001B[36m[redacted: password]\u001B[39m, so");
  });
});

test("hostile text costs one pass: no pattern backtracks", () => {
  const texts = [
    "-----BEGIN PRIVATE KEY-----\n".repeat(20_000),
    `-----BEGIN RSA PRIVATE KEY-----\n${"A".repeat(500_000)}`,
    "password".repeat(60_000),
    `password: ${"a1".repeat(250_000)}`,
    "https://a:b".repeat(40_000),
    `://${"a:".repeat(200_000)}`,
    "xoxb-1-".repeat(60_000),
    "eyJaaaaaaaa.".repeat(40_000),
    `SG.${"a.".repeat(200_000)}`,
    "password for ".repeat(40_000),
    "authorization: ".repeat(30_000),
    `mongodb://${"a".repeat(500_000)}`,
    "secret_access_key = ".repeat(25_000),
    "log in as a ".repeat(40_000),
    "user a, ".repeat(60_000),
    `${"mysql ".repeat(80_000)}-p`,
    "cookie: a=b; ".repeat(40_000),
    "%41%42".repeat(80_000),
    '"a" + '.repeat(80_000),
    "TUlJRQ".repeat(80_000),
    "a1b2".repeat(120_000),
    "as the password ".repeat(30_000),
    `password: "${"a".repeat(500_000)}`,
    "curl -u ".repeat(60_000),
    "WIFI:S:a;".repeat(40_000),
    'password" {'.repeat(40_000),
    `"password": {${"a ".repeat(200_000)}`,
    "sqlplus a/".repeat(40_000),
    "a:b@tcp(".repeat(40_000),
    `user x/${"a-".repeat(190)}! `.repeat(600),
    `token ${"a.b/".repeat(95)}! `.repeat(600),
  ];
  for (const text of texts) {
    const tookMs = cpuMsOf(() => findSecrets(text.slice(0, 256 * 1024)));
    expect([text.slice(0, 40), tookMs < 1_500]).toEqual([text.slice(0, 40), true]);
  }
});

test("the name of a repository without a remote is no secret", () => {
  for (const commit of [
    "e938e76aa9f3b1c2d3e4f5061728394a5b6c7d8e",
    "edfdcb9871920e39cc903fdef7bf7d0f6255fd22",
  ])
    expect(redactSecrets(`scope root:${commit}`)).toBe(`scope root:${commit}`);
  expect(redactSecrets("root:hunter2-Kx9!vQ")).not.toContain("hunter2");
});

test.each([
  ["pword=ore}mpad =eE-me}mp", "pword=[redacted: password] =eE-me}mp"],
  [
    "Authorization: Bearer summer2024\\u003d=summer2024@hosthunter22x1",
    "Authorization: Bearer [redacted: authorization-header][redacted: authorization-header]@hosthunter22x1",
  ],
])("what stands beside a secret is the same after redacting twice: %s", (text, expected) => {
  expect(redactSecrets(text)).toBe(expected);
  expect(redactSecrets(expected)).toBe(expected);
});
