import type { DateSentence } from "./date-sentences.ts";
import type { RelatedStatements } from "./statement-relations.ts";
import type { ValueStatement } from "./value-statements.ts";

/*
 * Written in one go after the rules were made, in other domains and words than the first tables, to be measured before
 * anything was mended (docs/measurements.md has that figure). Since then it is a table like the others.
 */

const pairs = (
  relation: RelatedStatements["relation"],
  texts: readonly (readonly [string, string])[],
): RelatedStatements[] => texts.map(([first, second]) => ({ first, second, relation }));

/** Pairs of statements. */
export const SECOND_STATEMENTS: readonly RelatedStatements[] = [
  ...pairs("same", [
    ["blood samples are kept for seven days", "samples of blood are stored for seven days"],
    ["the firmware is flashed over JTAG", "we flash the firmware via JTAG"],
    ["Priya signs off every schema change", "every schema change needs to be signed off by Priya"],
    ["never commit model checkpoints to git", "model checkpoints must not be committed to git"],
    ["training runs start from seed 1337", "we always use seed 1337 for training runs"],
    [
      "the ferry timetable is imported at 04:30 every night",
      "every night at 04:30 the ferry timetable gets imported",
    ],
    ["textures are exported as KTX2", "export textures as KTX2"],
    ["the on-call phone is handed over on Mondays at noon", "handover of the on-call phone: Mondays at noon"],
    ["log messages are written in English", "write log messages in English"],
    ["payroll runs on the 25th", "the payroll run is on the 25th"],
    [
      "prefer composition over inheritance in the combat code",
      "in the combat code, prefer composition over inheritance",
    ],
    ["the lab's label printer is at 10.4.7.21", "label printer of the lab: 10.4.7.21"],
    ["avoid floats for money", "don't use floats for money"],
    ["der Kühlraum wird auf 4 Grad gehalten", "im Kühlraum werden 4 Grad gehalten"],
    [
      "Rechnungen gehen am ersten Werktag des Monats raus",
      "am ersten Werktag des Monats gehen die Rechnungen raus",
    ],
    ["wir testen nur auf echten Geräten", "getestet wird nur auf echten Geräten"],
    ["les étiquettes sont imprimées en 300 dpi", "on imprime les étiquettes en 300 dpi"],
    ["ne jamais modifier le fichier de licence", "le fichier de licence ne doit jamais être modifié"],
    ["los informes se envían los viernes", "cada viernes se envían los informes"],
    ["las imágenes se guardan en el bucket media-eu", "guardamos las imágenes en el bucket media-eu"],
    ["the crane API is versioned by header", "versioning of the crane API is done by header"],
    ["Tomasz maintains the pathfinding module", "the pathfinding module is maintained by Tomasz"],
  ]),
  ...pairs("other", [
    ["blood samples are kept for seven days", "blood samples are kept for ten days"],
    ["the firmware is flashed over JTAG", "the firmware is flashed over USB now"],
    ["Priya signs off every schema change", "Wanda signs off every schema change"],
    ["training runs start from seed 1337", "training runs start from seed 42"],
    [
      "the ferry timetable is imported at 04:30 every night",
      "the ferry timetable is imported at 05:15 every night",
    ],
    ["textures are exported as KTX2", "textures are exported as PNG"],
    ["payroll runs on the 25th", "payroll runs on the 28th since the bank changed its cut-off"],
    ["the label printer of the lab is at 10.4.7.21", "the label printer of the lab is at 10.4.7.90"],
    ["log messages are written in English", "log messages are written in Polish"],
    ["indent shaders with tabs", "indent shaders with two spaces"],
    ["commit messages are in the imperative", "commit messages are in the past tense"],
    ["the telemetry endpoint requires a token", "the telemetry endpoint does not require a token"],
    ["the simulation runs at 60 ticks a second", "the simulation runs at 30 ticks a second"],
    ["invoices are sent by post", "invoices are no longer sent by post but by email"],
    ["we deploy to eu-west-1", "we deploy to eu-central-1 since the migration"],
    ["releases are cut by the release bot", "releases are cut by hand, the release bot is gone"],
    [
      "Jonas decided on 2026-11-20 that surcharges are billed monthly",
      "surcharges are billed weekly since 2026-11-21, not monthly",
    ],
    ["the standup is at 9:15", "the standup is at 10"],
    ["use moment for dates in the planner", "use luxon for dates in the planner"],
    ["der Kühlraum wird auf 4 Grad gehalten", "der Kühlraum wird auf 6 Grad gehalten"],
    ["Backups laufen stündlich", "Backups laufen täglich"],
    ["der Drucker steht in Raum 204", "der Drucker steht jetzt in Raum 311"],
    ["les étiquettes sont imprimées en 300 dpi", "les étiquettes sont imprimées en 600 dpi"],
    ["la réunion d'équipe a lieu le lundi", "la réunion d'équipe a lieu le mercredi"],
    ["los informes se envían los viernes", "los informes se envían los martes"],
    ["la API de pagos exige firma", "la API de pagos no exige firma"],
  ]),
  ...pairs("two", [
    ["blood samples are kept for seven days", "urine samples are kept for two days"],
    ["the firmware of the scanner is flashed over JTAG", "the firmware of the scale is flashed over USB"],
    ["Priya signs off every schema change", "Priya signs off every release"],
    ["Wanda leads the physics team", "Tomasz leads the audio team"],
    ["textures are exported as KTX2", "sounds are exported as OGG"],
    ["payroll runs on the 25th", "bonuses are paid on the 28th"],
    ["the label printer of the lab is at 10.4.7.21", "the label printer of the dock is at 10.4.7.90"],
    ["the label printer of the lab is at 10.4.7.21", "the label printer of the lab needs 300 dpi labels"],
    ["training runs start from seed 1337", "evaluation runs start from seed 42"],
    ["the crane API times out after 30 seconds", "the crane API allows 5 requests a second"],
    ["the simulation runs at 60 ticks a second", "the renderer runs at 30 frames a second"],
    [
      "board of the combat team: https://trello.example/b/aa1",
      "board of the audio team: https://trello.example/b/bb2",
    ],
    ["on-call of week 12 is Priya", "on-call of week 13 is Wanda"],
    ["Postgres listens on 5432 in the lab", "Redis listens on 6379 in the lab"],
    ["customers in Spain pay 21 percent VAT", "customers in Germany pay 19 percent VAT"],
    [
      "the staging API key is in the vault under api/staging",
      "the production API key is in the vault under api/production",
    ],
    ["release 3.2 dropped support for macOS 11", "release 3.4 dropped support for macOS 12"],
    ["migrations run before the deploy", "smoke tests run after the deploy"],
    ["Backups der Datenbank laufen stündlich", "Backups der Bilder laufen täglich"],
    ["der Drucker in Raum 204 ist für Etiketten", "der Drucker in Raum 311 ist für Rechnungen"],
    ["Lieferungen aus Kiel kommen montags", "Lieferungen aus Bremen kommen mittwochs"],
    ["les étiquettes du dépôt sont en 300 dpi", "les étiquettes du magasin sont en 600 dpi"],
    ["la réunion d'équipe a lieu le lundi", "la revue de code a lieu le mercredi"],
    ["los informes de ventas se envían los viernes", "los informes de gastos se envían los martes"],
    ["never log patient names", "never log access tokens"],
    ["the ferry to Rønne has 400 berths", "the ferry to Visby has 520 berths"],
    ["sensor A reports every 10 s", "sensor B reports every 60 s"],
    ["do not edit generated files under gen/", "do not edit files under vendor/"],
  ]),
];

const kept = (...texts: readonly string[]): DateSentence[] => texts.map((text) => ({ text }));
const becomes = (text: string, becomes: string): DateSentence => ({ text, becomes });
const asks = (text: string, asks: string): DateSentence => ({ text, asks });

/** Sentences with and without dates, written on a Monday, 2026-03-02. */
export const SECOND_DATE_SENTENCES: readonly DateSentence[] = [
  ...kept(
    "Ruby Tuesday is the client with the custom menu export",
    "the Wednesday build is the one that QA takes",
    "Man Friday is the code name of the assistant service",
    "cron fires on the last Sunday of each quarter",
    "the ‘tomorrow’ button postpones a task by a day",
    "`yesterday()` returns UTC midnight",
    "Good Friday is a bank holiday in the UK calendar",
    "the Freaky Friday sale doubles traffic",
    "today's date is injected by the clock fixture",
    "the newsletter module is called Tomorrowland",
    "the widget shows today, yesterday and the last seven days",
    "the ETL loads yesterday's files every morning",
    "Sunday opening hours differ from weekday ones",
    "the error says “try again tomorrow”",
    "the field `due_next_week` is a boolean",
    "Mrs. Sunday from accounting approves credit notes",
    "der Montagsbericht enthält nur Umsätze",
    "jeden zweiten Freitag ist Inventur",
    "Frau Sonntag gibt Gutschriften frei",
    "guten Morgen ist die Begrüßung im Bot",
    "le bouton « demain » reporte la tâche",
    "chaque lundi le stock est recompté",
    "el Domingo es el nombre del barco",
    "cada lunes se revisa el inventario",
    "the retention is 30 days, so last month's logs are gone",
    "Next.js is used for the storefront",
    "a weekly digest covers the last week",
  ),
  becomes("the kiln is serviced tomorrow", "the kiln is serviced on 2026-03-03"),
  becomes("since yesterday the scanner firmware is 4.1", "since 2026-03-01 the scanner firmware is 4.1"),
  becomes("Until tomorrow the dock API is read-only", "Until 2026-03-03 the dock API is read-only"),
  becomes("der Server zieht übermorgen um", "der Server zieht am 2026-03-04 um"),
  becomes("ab morgen gilt der neue Tarif", "ab 2026-03-03 gilt der neue Tarif"),
  becomes("la livraison part demain", "la livraison part le 2026-03-03"),
  becomes("ayer se cambió el certificado", "el 2026-03-01 se cambió el certificado"),
  asks("the pen test is on Thursday", "2026-03-05"),
  asks("the vendor answers by end of week", ""),
  asks("the tender closes in two weeks", "2026-03-16"),
  asks("the outage three days ago was a DNS fault", "2026-02-27"),
  asks("the new lab opens next month", ""),
  asks("we freeze on Friday for the fair", "2026-03-06"),
  asks("contract renewal was last week", ""),
  asks("die Abnahme ist am Donnerstag", "2026-03-05"),
  asks("nächste Woche kommt die neue Waage", ""),
  asks("l'audit commence jeudi", "2026-03-05"),
  asks("la entrega es el jueves", "2026-03-05"),
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

/** Values of `src/limits.ts`. */
export const SECOND_VALUES: readonly ValueStatement[] = [
  norm(
    "do not touch `DOSE_MAX_MG = 40` in `src/limits.ts`, the regulator approved exactly that",
    "DOSE_MAX_MG",
    "40",
  ),
  norm("`TICK_RATE = 60` in `src/limits.ts` is required by the physics certification", "TICK_RATE", "60"),
  norm("legal insists on `RETENTION_DAYS = 90` (`src/limits.ts`)", "RETENTION_DAYS", "90"),
  norm("the port authority caps us: `MAX_CRANES = 6`, see `src/limits.ts`", "MAX_CRANES", "6"),
  norm("keep `BATCH = 32` in `src/limits.ts`, otherwise the GPU runs out of memory", "BATCH", "32"),
  norm(
    "`MIN_AGE = 16` in `src/limits.ts` comes from the youth protection act and may not change",
    "MIN_AGE",
    "16",
  ),
  norm(
    "at most 5 logins per minute are allowed by the bank (`LOGIN_RATE = 5`, `src/limits.ts`)",
    "LOGIN_RATE",
    "5",
  ),
  norm(
    "`COLD_C = 4` in `src/limits.ts` darf nicht geändert werden, die Charge verdirbt sonst",
    "COLD_C",
    "4",
  ),
  norm("`TAUX = 20` dans `src/limits.ts` est imposé par la loi", "TAUX", "20"),
  norm("`PLAZO = 14` en `src/limits.ts` es obligatorio por contrato", "PLAZO", "14"),
  norm("Vorgabe vom Kunden: `MAX_PAKETE = 250` (`src/limits.ts`)", "MAX_PAKETE", "250"),
  norm("il faut garder `DELAI = 30` (`src/limits.ts`)", "DELAI", "30"),
  norm("the SLA with Hapag says `PICKUP_HOURS = 12` (`src/limits.ts`)", "PICKUP_HOURS", "12"),
  norm("`SEED = 1337` in `src/limits.ts` has to stay, the published results depend on it", "SEED", "1337"),
  norm("leave `PAGE_SIZE = 25` in `src/limits.ts` alone", "PAGE_SIZE", "25"),
  norm("`CHANNELS = 8` in `src/limits.ts` is fixed by the hardware", "CHANNELS", "8"),
  fact("the scanner retries with `RETRIES = 4` (`src/limits.ts`)", "RETRIES", "4"),
  fact("`PAGE = 50` in `src/limits.ts` was picked by gut feeling", "PAGE", "50"),
  fact("the loader reads `CHUNK = 512` rows at once (`src/limits.ts`)", "CHUNK", "512"),
  fact("die Anzeige nutzt `FPS = 24` (`src/limits.ts`)", "FPS", "24"),
  fact("la file utilise `WORKERS = 3` (`src/limits.ts`)", "WORKERS", "3"),
  fact("el panel muestra `FILAS = 15` (`src/limits.ts`)", "FILAS", "15"),
  fact("we currently cache for `TTL = 300` seconds (`src/limits.ts`)", "TTL", "300"),
  fact("the maximum zoom is `ZOOM = 18`, as set in `src/limits.ts`", "ZOOM", "18"),
];
