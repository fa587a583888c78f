import type { RelatedStatements } from "./statement-relations.ts";
import type { ValueStatement } from "./value-statements.ts";

const pairs = (
  relation: RelatedStatements["relation"],
  texts: readonly (readonly [string, string])[],
): RelatedStatements[] => texts.map(([first, second]) => ({ first, second, relation }));

/** Written after the second table was fitted to, and measured before anything was mended by it: 41 of its 46 pairs were right then. The rules were fitted to the rest since; its norms were not. */
export const THIRD_STATEMENTS: readonly RelatedStatements[] = [
  ...pairs("same", [
    ["tickets are triaged by Olga every morning", "every morning Olga triages the tickets"],
    ["the greenhouse controller speaks Modbus", "the controller of the greenhouse uses Modbus"],
    ["cache keys carry the tenant id", "the tenant id is part of every cache key"],
    ["screenshots go into docs/img", "put screenshots into docs/img"],
    ["only Hamid may rotate the signing keys", "the signing keys may only be rotated by Hamid"],
    ["feature flags are removed after two releases", "after two releases a feature flag is removed"],
    ["der Import läuft nachts um drei", "nachts um drei läuft der Import"],
    ["Fehler werden an Sentry gemeldet", "wir melden Fehler an Sentry"],
    ["on n'utilise pas jQuery dans ce projet", "dans ce projet, pas de jQuery"],
    ["las copias se hacen cada noche", "cada noche se hacen las copias"],
    ["search results are capped at 200", "we cap search results at 200"],
    ["write migrations by hand, never generate them", "migrations are written by hand and not generated"],
  ]),
  ...pairs("other", [
    ["tickets are triaged by Olga every morning", "tickets are triaged by Sven every morning"],
    ["the greenhouse controller speaks Modbus", "the greenhouse controller speaks MQTT"],
    ["screenshots go into docs/img", "screenshots go into assets/shots"],
    ["feature flags are removed after two releases", "feature flags are removed after four releases"],
    ["search results are capped at 200", "search results are capped at 500"],
    ["the nightly job runs on Jenkins", "the nightly job runs on GitHub Actions now"],
    ["uploads larger than 20 MB are rejected", "uploads larger than 50 MB are rejected"],
    ["the design file is at https://figma.example/f/11", "the design file is at https://figma.example/f/27"],
    ["we squash commits when merging", "we do not squash commits when merging"],
    ["der Import läuft nachts um drei", "der Import läuft nachts um fünf"],
    ["Fehler werden an Sentry gemeldet", "Fehler werden an Datadog gemeldet"],
    ["on utilise jQuery dans ce projet", "on n'utilise pas jQuery dans ce projet"],
    ["las copias se hacen cada noche", "las copias se hacen cada semana"],
    ["passwords expire after 90 days", "passwords never expire"],
    ["the API answers in XML", "the API answers in JSON since version 3"],
    ["Olga owns the billing code", "the billing code belongs to Sven now"],
  ]),
  ...pairs("two", [
    ["Olga triages the tickets", "Olga orders the hardware"],
    ["the greenhouse controller speaks Modbus", "the weather station speaks MQTT"],
    ["screenshots go into docs/img", "diagrams go into docs/svg"],
    ["uploads larger than 20 MB are rejected", "downloads larger than 50 MB are throttled"],
    ["the nightly job runs on Jenkins", "the nightly job takes two hours"],
    ["cache keys carry the tenant id", "log lines carry the request id"],
    ["the Oslo office opens at 8", "the Turin office opens at 9"],
    ["Fehler werden an Sentry gemeldet", "Messwerte werden an Grafana gemeldet"],
    ["das Lager in Kiel hat 12 Tore", "das Lager in Ulm hat 8 Tore"],
    ["las copias se hacen cada noche", "las facturas se hacen cada mes"],
    ["unit tests run on every push", "load tests run on every release"],
    ["Hamid reviews the firmware", "Hamid reviews the schematics"],
    ["the admin API needs a client certificate", "the public API needs an API key"],
    ["version 4 of the SDK supports Python 3.9", "version 5 of the SDK supports Python 3.11"],
    ["use ruff for linting", "use mypy for type checks"],
    ["the demo account is demo@acme.example", "the test account is test@acme.example"],
    ["never mock the database", "never mock the clock"],
    ["the red queue is for refunds", "the blue queue is for chargebacks"],
  ]),
];

const norm = (text: string, name: string, value: string): ValueStatement => ({
  text,
  name,
  value,
  isNorm: true,
});
const fact = (text: string, name: string, value: string): ValueStatement => ({
  text,
  name,
  value,
  isNorm: false,
});

/** Values of `src/limits.ts`, written with the pairs above. */
export const THIRD_VALUES: readonly ValueStatement[] = [
  norm("the vendor bills extra beyond `SEATS = 40` (`src/limits.ts`)", "SEATS", "40"),
  norm("`PIXELS = 1080` in `src/limits.ts` is what the broadcaster accepts, nothing else", "PIXELS", "1080"),
  norm("we agreed with Hamid on `WATER_ML = 250` in `src/limits.ts`", "WATER_ML", "250"),
  norm("nobody raises `HEAT = 65` in `src/limits.ts` without asking Olga", "HEAT", "65"),
  norm("`SHARDS = 12` in `src/limits.ts` is not to be changed before the migration", "SHARDS", "12"),
  norm("the fire code allows `PEOPLE = 120` (`src/limits.ts`)", "PEOPLE", "120"),
  norm("mehr als `KISTEN = 30` (`src/limits.ts`) trägt das Regal nicht", "KISTEN", "30"),
  norm("`VITESSE = 50` (`src/limits.ts`) ne se change pas sans l'accord du client", "VITESSE", "50"),
  norm("no se toca `PRESION = 8` de `src/limits.ts`", "PRESION", "8"),
  norm("`PORT = 7070` in `src/limits.ts` is hard-wired in the customer's firewall", "PORT", "7070"),
  fact("the importer opens `CONNS = 6` connections (`src/limits.ts`)", "CONNS", "6"),
  fact("`DELAY = 200` in `src/limits.ts` felt right in the demo", "DELAY", "200"),
  fact("Olga set `ROWS = 80` in `src/limits.ts` in April 2025 while tuning", "ROWS", "80"),
  fact("der Puffer hat `SLOTS = 64` Plätze (`src/limits.ts`)", "SLOTS", "64"),
  fact("le tampon fait `TAILLE = 128` octets (`src/limits.ts`)", "TAILLE", "128"),
  fact("la lista enseña `ITEMS = 20` filas (`src/limits.ts`)", "ITEMS", "20"),
];
