/** Two statements of one store, the second the newer, and how they stand to each other. */
export interface RelatedStatements {
  first: string;
  second: string;
  /**
   * - `same`: the second says what the first says.
   * - `other`: they cannot both hold: one subject, another value, or one denies what the other says.
   * - `two`: both hold.
   */
  relation: "same" | "other" | "two";
}

/** Pairs of statements that stand to each other in one way. */
export const pairs = (
  relation: RelatedStatements["relation"],
  texts: readonly (readonly [string, string])[],
): RelatedStatements[] => texts.map(([first, second]) => ({ first, second, relation }));

/** What was looked at while the rules were made. */
export const STATEMENTS: readonly RelatedStatements[] = [
  ...pairs("same", [
    ["deploys go out on Tuesdays only", "we only deploy on Tuesdays"],
    [
      "the staging database is reset every Monday at 6am",
      "every Monday at 6am the staging database gets reset",
    ],
    [
      "Jonas owns the warehouse schema, ask him before any DDL",
      "ask Jonas before any DDL: he owns the warehouse schema",
    ],
    [
      "runbook of the auth service: https://wiki.acme.example/rb/auth",
      "the auth service's runbook is at https://wiki.acme.example/rb/auth",
    ],
    ["invoices are rounded half up to the cent", "invoices get rounded to the cent, half up"],
    ["never force-push to main", "do not force-push to main"],
    ["use pnpm instead of npm in this repository", "in this repository use pnpm, not npm"],
    ["the mobile app supports iOS 16 and later", "iOS 16 and later is what the mobile app supports"],
    [
      "the rate limit of the carrier API is 10 requests a second",
      "the carrier API allows 10 requests a second, that is its rate limit",
    ],
    ["surcharges are billed monthly", "billing of surcharges is monthly"],
    ["Mara leads the backend team", "the backend team is led by Mara"],
    [
      "RETRY_LIMIT must stay 3 because the bank blocks us at four",
      "keep RETRY_LIMIT at 3: the bank blocks us at four",
    ],
    ["die Abrechnung der Zuschläge erfolgt monatlich", "Zuschläge werden monatlich abgerechnet"],
    ["le gel du code concerne la branche mobile", "la branche mobile est concernée par le gel du code"],
    [
      "errors of the parcel API are in the Sentry project parcel-api-prod",
      "Sentry project parcel-api-prod holds the errors of the parcel API",
    ],
  ]),
  ...pairs("other", [
    [
      "surcharges are billed monthly, Jonas decided on 2026-11-20",
      "surcharges are billed weekly since 2026-11-21, not monthly",
    ],
    ["deploys of the storefront go out on Tuesdays", "deploys of the storefront go out on Thursdays"],
    [
      "the rate limit of the carrier API is 10 requests a second",
      "the rate limit of the carrier API is 25 requests a second",
    ],
    ["Mara leads the backend team", "Jonas leads the backend team now"],
    ["use tabs for indentation", "use spaces for indentation"],
    ["never squash commits when merging to main", "always squash commits when merging to main"],
    ["the job queue runs on Redis", "the job queue runs on Valkey now"],
    ["logs are kept for 30 days", "logs are kept for 90 days"],
    ["the office in Kiel closes at 18:00", "the office in Kiel closes at 17:00"],
    ["ask before running migrations", "run migrations without asking"],
    ["the staging cluster is in eu-west-1", "the staging cluster is in eu-central-1"],
    ["the API returns prices including tax", "the API returns prices excluding tax"],
    ["feature flags live in LaunchDarkly", "feature flags live in Unleash since the licence ran out"],
    [
      "the deadline for the tax export is 2026-12-01",
      "the deadline for the tax export was moved to 2026-12-15",
    ],
    ["die Zuschläge werden monatlich abgerechnet", "die Zuschläge werden wöchentlich abgerechnet"],
    ["le serveur de test est à Lyon", "le serveur de test est à Paris"],
    ["mock the clock in tests of the scheduler", "do not mock the clock in tests of the scheduler"],
    [
      "runbook of the auth service: https://wiki.acme.example/rb/auth",
      "runbook of the auth service: https://docs.acme.example/auth-runbook",
    ],
  ]),
  ...pairs("two", [
    [
      "runbook of the auth service: https://wiki.acme.example/rb/auth",
      "runbook of the billing service: https://wiki.acme.example/rb/billing",
    ],
    [
      "runbook of the auth service: https://wiki.acme.example/rb/auth",
      "carrier wiki: https://wiki.acme.example/carriers",
    ],
    [
      "https://z.example.com/1 is the billing console",
      "https://grafana.example.com/d/1 is the carrier board",
    ],
    ["Postgres listens on port 5433 here", "Redis listens on port 6380 here"],
    ["the DHL tariff table is sheet 4", "the UPS tariff table is sheet 9"],
    ["code freeze until 2026-10-01 for the Q3 audit", "the audit takes place on 2026-11-23"],
    ["Mara owns the billing service", "Jonas owns the carrier service"],
    ["the staging database is reset every Monday", "the production database is backed up every Monday"],
    ["errors of the parcel API are in Sentry", "errors of the quote API are in Sentry"],
    ["the web client supports Safari 16 and later", "the mobile app supports iOS 16 and later"],
    ["retry uploads three times", "retry downloads five times"],
    ["never commit to main without a review", "never commit secrets"],
    ["use pnpm instead of npm in this repository", "use polars instead of pandas in this repository"],
    ["the bank blocks us after four retries", "the carrier blocks us after ten retries"],
    [
      "timeouts of the carrier API are 30 seconds",
      "the rate limit of the carrier API is 10 requests a second",
    ],
    ["deploys go out on Tuesdays only", "deploys need the approval of two reviewers"],
    ["Ana reviews changes of the schema", "Ana reviews changes of the design system"],
    ["tests of the scheduler mock the clock", "tests of the importer use recorded files"],
    ["der Notfallplan für Köln liegt im Wiki", "der Notfallplan für Bonn liegt im Wiki"],
    ["invoices are rounded to the cent", "quotes are rounded to the euro"],
  ]),
];

/** Written in the same hour and not looked at while the rules were made. */
export const HELD_OUT_STATEMENTS: readonly RelatedStatements[] = [
  ...pairs("same", [
    [
      "feature flags are toggled only by the release manager",
      "only the release manager toggles feature flags",
    ],
    ["customer ids start with C- and have eight digits", "a customer id has eight digits and starts with C-"],
    [
      "board of the warehouse team: https://linear.app/acme/team/WH",
      "the warehouse team's board is https://linear.app/acme/team/WH",
    ],
    [
      "do not edit files under migrations/ that are already applied",
      "never edit already applied files under migrations/",
    ],
    ["Ines signs every contract with a carrier", "contracts with carriers are signed by Ines"],
    ["all timestamps in the warehouse are UTC", "the warehouse holds all timestamps in UTC"],
    ["the label printer speaks ZPL at 203 dpi", "labels are printed in ZPL, the printer has 203 dpi"],
    ["PDF is the only format that the customs office accepts", "the customs office accepts nothing but PDF"],
    ["the nightly import starts at 02:30", "at 02:30 the nightly import starts"],
    ["please write commit messages in English", "commit messages are to be written in English"],
    [
      "credentials for DHL are in 1Password, vault Carriers, item DHL-SBX",
      "1Password vault Carriers, item DHL-SBX has the credentials for DHL",
    ],
    ["prefers short answers without a summary at the end", "likes short answers, with no summary at the end"],
    ["der nächtliche Import beginnt um 02:30", "um 02:30 beginnt der nächtliche Import"],
    ["los pedidos se cierran a las 18:00", "a las 18:00 se cierran los pedidos"],
    ["coverage below 80 percent fails the build", "the build fails when coverage is below 80 percent"],
  ]),
  ...pairs("other", [
    ["the nightly import starts at 02:30", "the nightly import starts at 04:00"],
    ["Ines signs every contract with a carrier", "Tom signs every contract with a carrier since Ines left"],
    ["customer ids have eight digits", "customer ids have ten digits"],
    ["all timestamps in the warehouse are UTC", "all timestamps in the warehouse are local time"],
    ["the customs office accepts only PDF", "the customs office accepts only XML"],
    ["write commit messages in English", "write commit messages in German"],
    ["the price feed is pulled every 15 minutes", "the price feed is pulled every 5 minutes"],
    [
      "log levels are set in config/log.yaml",
      "log levels are set by the variable LOG_LEVEL, not in config/log.yaml",
    ],
    ["releases of the SDK need no changelog entry", "releases of the SDK need a changelog entry"],
    ["the ticket board is in Jira", "the ticket board moved to Linear"],
    ["coverage below 80 percent fails the build", "coverage below 70 percent fails the build"],
    ["answers in German are fine", "answer only in English, never in German"],
    ["integration tests may call the sandbox", "integration tests must not call the sandbox"],
    ["der nächtliche Import beginnt um 02:30", "der nächtliche Import beginnt um 04:00"],
    ["los pedidos se cierran a las 18:00", "los pedidos se cierran a las 20:00"],
    ["orders are archived after two years", "orders are archived after five years"],
  ]),
  ...pairs("two", [
    [
      "board of the warehouse team: https://linear.app/acme/team/WH",
      "board of the web team: https://linear.app/acme/team/WEB",
    ],
    ["error budget of checkout is 0.1 percent", "error budget of search is 0.5 percent"],
    ["Ines signs contracts with carriers", "Ines signs contracts with landlords"],
    ["the nightly import starts at 02:30", "the nightly export starts at 04:00"],
    [
      "the API key of DHL is in vault Carriers, item DHL-SBX",
      "the API key of UPS is in vault Carriers, item UPS-SBX",
    ],
    ["write commit messages in English", "write user documentation in German"],
    ["the label printer in Kiel has 203 dpi", "the label printer in Lyon has 300 dpi"],
    ["orders are archived after two years", "orders are exported to the warehouse every night"],
    ["mock the clock in tests", "freeze the random seed in tests"],
    [
      "Slack channel of the carriers team: #team-carriers",
      "Slack channel of the customers team: #team-customers",
    ],
    ["ask Jonas before any DDL", "ask Mara before any change of the public API"],
    ["the EU cluster runs in Frankfurt", "the US cluster runs in Ohio"],
    ["never deploy on Fridays", "never deploy without a rollback plan"],
    ["version 2 of the API ends on 2027-01-31", "version 1 of the API ended on 2026-01-31"],
    ["the gateway times out after 30 seconds", "the gateway retries three times"],
    ["Kühlware geht mit DPD", "Gefahrgut geht mit DHL"],
  ]),
];

/** Families, one member each line, and a question that singles one out: the place of that one. */
export const FAMILIES: readonly { members: readonly string[]; question: string; meant: number }[] = [
  {
    members: ["auth", "billing", "payments", "search", "quotes", "labels"].map(
      (service) => `runbook of the ${service} service: https://wiki.acme.example/rb/${service}`,
    ),
    question: "payments is down, where's the runbook?",
    meant: 2,
  },
  {
    members: ["DHL", "UPS", "DPD", "GLS", "Hermes"].map(
      (carrier, index) => `the tariff table of ${carrier} is sheet ${index + 4} of the carrier workbook`,
    ),
    question: "which sheet has the tariff table of UPS?",
    meant: 1,
  },
  {
    members: [
      "Postgres listens on port 5433 on the build host",
      "Redis listens on port 6380 on the build host",
      "Kafka listens on port 9094 on the build host",
      "Minio listens on port 9001 on the build host",
    ],
    question: "on which port does Kafka listen on the build host?",
    meant: 2,
  },
  {
    members: ["Kiel", "Lyon", "Porto", "Gent"].map(
      (town) => `the label printer in ${town} is printer-${town.toLowerCase()}.acme.example`,
    ),
    question: "what is the address of the label printer in Lyon?",
    meant: 1,
  },
  {
    members: [
      "Ana reviews changes of the schema",
      "Tom reviews changes of the importer",
      "Mia reviews changes of the label service",
    ],
    question: "who reviews changes of the importer?",
    meant: 1,
  },
];
