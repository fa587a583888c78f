import type { SecretSample, SecretSampler } from "./secret-samples.ts";
import { DIGITS, inText, LOWER, UPPER } from "./secret-samples.ts";

/** One sample of each kind of secret, and torn keys, passwords made of words, and random passwords. */
export function drawSecrets(sampler: SecretSampler): SecretSample[] {
  return [
    ...sampler.secrets(),
    ...drawTornKeys(sampler),
    ...drawWordPasswords(sampler),
    ...drawPasswords(sampler),
  ];
}

/** How the bytes of private keys begin, with the number and width of their lines. */
const HEADS: readonly [kind: string, mark: string, head: string, lines: number, width: number][] = [
  ["PKCS 1", "RSA PRIVATE KEY", "MIIEpAIBAAKCAQEA", 25, 64],
  ["PKCS 8", "PRIVATE KEY", "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ", 25, 64],
  ["encrypted", "ENCRYPTED PRIVATE KEY", "MIIFHDBOBgkqhkiG9w0BBQ0wQTApBgkqhkiG9w0BBQwwHAQI", 28, 64],
  ["EC", "EC PRIVATE KEY", "MHcCAQEEI", 3, 64],
  [
    "OpenSSH",
    "OPENSSH PRIVATE KEY",
    "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAABlwAAAAdzc2gtcn",
    36,
    70,
  ],
];

/** Private keys that lost a mark, both, or both and the beginning, in what people put them into. */
function drawTornKeys({ mixed }: SecretSampler): SecretSample[] {
  return HEADS.flatMap(([kind, mark, head, count, width]) => {
    const lines = Array.from({ length: count }, (_, i) => {
      const length = i === count - 1 ? width - 19 : width;
      return i === 0 ? head + mixed(length - head.length) : mixed(length);
    });
    const body = lines.join("\n");
    const [begin, end] = [`-----BEGIN ${mark}-----`, `-----END ${mark}-----`];
    const torn: [what: string, value: string, template: string][] = [
      ["no begin", body, `Deploy with\nVALUE\n${end}\nand no other`],
      ["no end", body, `Deploy with\n${begin}\nVALUE\nand no other`],
      ["no mark", body, "Deploy with\n\nVALUE\n\nand no other"],
      ["no mark, quoted", lines.join("\n> "), "> VALUE"],
      ["no mark, of a diff", lines.join("\n+"), "@@ -0,0 +1 @@\n+VALUE"],
      ["behind words", body, "remember VALUE\nand no other"],
      ["one line", lines.join(""), "KEY VALUE in one"],
      ["middle", lines.slice(2).join("\n"), "and then\nVALUE\nwas all"],
    ];
    return torn
      .slice(0, count < 6 ? -1 : undefined)
      .map(([what, value, template]) => inText(`${kind}, ${what}`, value, template));
  });
}

/** Passwords that people make of a word and a number, where their name says what they are. */
function drawWordPasswords({ word, from }: SecretSampler): SecretSample[] {
  const year = (): string => `20${from(DIGITS, 2)}`;
  const drawn = (value: string, template: string): SecretSample => inText("word and number", value, template);
  return [
    drawn(`${word()}${year()}`, "password: VALUE"),
    drawn(`${word()}${year()}!`, "DB_PASSWORD=VALUE"),
    drawn(`${word()}${from(DIGITS, 2)}${word()}${from(DIGITS, 1)}`, '"password": "VALUE"'),
    drawn(`${word()}${from(DIGITS, 3)}`, "the password for the wiki is VALUE"),
    drawn(`${word()}${from(DIGITS, 3)}`, "Passwort: VALUE"),
  ];
}

/** Where a name or a place says that a password stands there; BASE64 is the password as a key. */
const PLACES: readonly (readonly [kind: string, template: string])[] = [
  ["env", "SMTP_PASS=VALUE"],
  ["export", 'export NEXTAUTH_SECRET="VALUE"'],
  ["any key", "FERNET_KEY=BASE64="],
  ["ENV of an image", "FROM node:20\nENV API_KEY VALUE\n"],
  ["table", "| name | value |\n|---|---|\n| DB_PASSWORD | VALUE |\n| region | eu |"],
  ["yaml", "client_secret: VALUE"],
  ["json", '{"host":"db1","pass":"VALUE"}'],
  ["json", '"accessToken" : "VALUE",'],
  ["ini", "[pypi]\nusername = __token__\npassword = VALUE"],
  ["toml", 'passphrase = "VALUE"'],
  ["xml", "<pw>VALUE</pw>"],
  ["code", "const dbPassword = 'VALUE'"],
  ["code", 'secret := "VALUE"'],
  ["code", 'os.environ["AUTH_TOKEN"] = "VALUE"'],
  ["code", "'refresh_token' => 'VALUE',"],
  ["log", "2026-01-03 INFO connect DB_PASS=VALUE host=a"],
  ["url", "postgres://shop:VALUE@db/app"],
  ["option", "mysql -h db -u root -pVALUE shop"],
  ["option", "curl -u admin:'VALUE' https://api.acme.example/x"],
  ["option", "az login --service-principal -u app -p 'VALUE' --tenant t"],
  ["told", "the root password is `VALUE`"],
  ["told", "le mot de passe est VALUE1"],
];

/** Random passwords: letters of both cases, small letters and digits, and eight characters of all three. */
function drawPasswords({ from, mixed }: SecretSampler): SecretSample[] {
  const makers = [
    (): string => from(LOWER, 1) + from(LOWER + UPPER, 12),
    (): string => from(LOWER, 1) + from(LOWER + DIGITS, 14),
    (): string => from(LOWER, 2) + from(UPPER, 2) + from(DIGITS, 2) + mixed(2),
  ];
  return PLACES.flatMap(([kind, template]) =>
    makers.map((make) => {
      const value = make();
      const key = Buffer.from(value.repeat(4)).toString("base64").slice(0, 43);
      return template.includes("BASE64")
        ? inText(`drawn: ${kind}`, key, template.replace("BASE64", "VALUE"))
        : inText(`drawn: ${kind}`, value, template);
    }),
  );
}
