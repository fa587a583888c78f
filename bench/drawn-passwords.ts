import type { SecretSample, SecretSampler } from "./secret-samples.ts";
import { DIGITS, LOWER, UPPER } from "./secret-samples.ts";

/** Where a name or a place says that a password stands there. */
const PLACES: readonly (readonly [kind: string, write: (value: string) => string])[] = [
  ["env", (value) => `SMTP_PASS=${value}`],
  ["export", (value) => `export NEXTAUTH_SECRET="${value}"`],
  ["any key", (value) => `FERNET_KEY=${Buffer.from(value.repeat(4)).toString("base64").slice(0, 43)}=`],
  ["ENV of an image", (value) => `FROM node:20\nENV API_KEY ${value}\n`],
  ["table", (value) => `| name | value |\n|---|---|\n| DB_PASSWORD | ${value} |\n| region | eu |`],
  ["yaml", (value) => `client_secret: ${value}`],
  ["json", (value) => `{"host":"db1","pass":"${value}"}`],
  ["json", (value) => `"accessToken" : "${value}",`],
  ["ini", (value) => `[pypi]\nusername = __token__\npassword = ${value}`],
  ["toml", (value) => `passphrase = "${value}"`],
  ["xml", (value) => `<pw>${value}</pw>`],
  ["code", (value) => `const dbPassword = '${value}'`],
  ["code", (value) => `secret := "${value}"`],
  ["code", (value) => `os.environ["AUTH_TOKEN"] = "${value}"`],
  ["code", (value) => `'refresh_token' => '${value}',`],
  ["log", (value) => `2026-01-03 INFO connect DB_PASS=${value} host=a`],
  ["url", (value) => `postgres://shop:${value}@db/app`],
  ["option", (value) => `mysql -h db -u root -p${value} shop`],
  ["option", (value) => `curl -u admin:'${value}' https://api.acme.example/x`],
  ["option", (value) => `az login --service-principal -u app -p '${value}' --tenant t`],
  ["told", (value) => `the root password is \`${value}\``],
  ["told", (value) => `le mot de passe est ${value}1`],
];

/** Passwords drawn by lot, of letters of both cases, of small letters and digits, and of eight characters of all three. */
export function drawPasswords(sampler: SecretSampler): SecretSample[] {
  const makers = [
    (): string => sampler.from(LOWER, 1) + sampler.from(LOWER + UPPER, 12),
    (): string => sampler.from(LOWER, 1) + sampler.from(LOWER + DIGITS, 14),
    (): string =>
      sampler.from(LOWER, 2) + sampler.from(UPPER, 2) + sampler.from(DIGITS, 2) + sampler.mixed(2),
  ];
  return PLACES.flatMap(([kind, write]) =>
    makers.map((make) => {
      const value = make();
      const text = write(value);
      return { kind: `drawn: ${kind}`, text, value: /KEY=(.*)=$/.exec(text)?.[1] ?? value };
    }),
  );
}
