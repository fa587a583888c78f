/** Two statements of one store, the first of them the older, and a question that bears on them. */
export interface StatementPair {
  question: string;
  older: string;
  newer: string;
}

/** Facts that changed, told again in other words, as people write them. Not written for the rule that finds them. */
export const RETOLD: readonly StatementPair[] = [
  {
    question: "when can I deploy the storefront?",
    older: "deploys of the storefront go out on Tuesdays and Thursdays",
    newer: "the storefront is deployed every weekday since the release train was dropped",
  },
  {
    question: "which iOS version does the mobile client support?",
    older: "the mobile client supports iOS 14 and up",
    newer: "iOS 16 is the oldest version that the mobile client still supports",
  },
  {
    question: "what is the error budget of the checkout API?",
    older: "error budget of the checkout API is 0.5 % a month",
    newer: "the checkout API may now fail 0.1 % of its requests, by the new contract",
  },
  {
    question: "how long do we keep the logs of the audit trail?",
    older: "logs of the audit trail are kept for 90 days",
    newer: "retention of the audit trail was raised to 400 days on the regulator's demand",
  },
  {
    question: "which package holds the design system?",
    older: "the design system lives in the package @acme/ui-kit",
    newer: "import components of the design system from the package @acme/primitives; ui-kit is deprecated",
  },
  {
    question: "who is on call for the data pipeline?",
    older: "on call for the data pipeline is Hannah Brandt",
    newer: "the data pipeline's on-call duty moved to Jonas Weber",
  },
  {
    question: "where do our feature flags come from?",
    older: "feature flags are read from LaunchDarkly",
    newer: "feature flags come from Unleash now, LaunchDarkly was cancelled",
  },
  {
    question: "when does the nightly backup run?",
    older: "the nightly backup runs at 02:00 UTC",
    newer: "the nightly backup was shifted to 04:30 UTC so that it does not meet the reindex",
  },
  {
    question: "how many requests does the public API allow?",
    older: "the public API allows 100 requests a minute for each key",
    newer: "rate limit of the public API: 250 requests a minute since May",
  },
  {
    question: "in which region is the staging cluster?",
    older: "the staging cluster is in the region eu-west-1",
    newer: "we rebuilt the staging cluster in the region eu-central-1",
  },
  {
    question: "what do the end-to-end tests run with?",
    older: "end-to-end tests run with Cypress",
    newer: "end-to-end tests were ported to Playwright",
  },
  {
    question: "how are invoices numbered?",
    older: "invoices are numbered per customer",
    newer: "invoice numbers are one series for all customers now, as tax law wants",
  },
];

/** Two facts that look like versions of one and are not: the older one still holds. */
export const LOOKALIKES: readonly StatementPair[] = [
  {
    question: "what timeout and how many retries does the parcel webhook have?",
    older: "the parcel webhook has a timeout of 800 ms",
    newer: "retries of the parcel webhook were raised to 5 attempts",
  },
  {
    question: "in which region are the reporting clusters?",
    older: "the reporting cluster of staging is in eu-west-1",
    newer: "the reporting cluster of production moved to eu-central-1",
  },
  {
    question: "what limits does the mail archive have?",
    older: "messages of the mail archive are kept for 90 days",
    newer: "exports from the mail archive are now limited to 31 days",
  },
  {
    question: "who owns the journal replica and the journal exporter?",
    older: "the journal replica is owned by Hannah Brandt",
    newer: "Jonas Weber took over the journal exporter and owns its releases",
  },
  {
    question: "how many requests a minute do the partner API and the tenant API allow?",
    older: "the partner API allows 100 requests a minute",
    newer: "the tenant API now allows 500 requests a minute",
  },
  {
    question: "when do the nightly jobs run?",
    older: "the nightly vacuum runs at 02:00 UTC",
    newer: "the nightly import was moved to 04:30 UTC",
  },
  {
    question: "which versions of iOS and Android does the kiosk client need?",
    older: "the kiosk client needs iOS 16",
    newer: "the kiosk client's Android version was raised to 12",
  },
  {
    question: "where do the label printer and its database run?",
    older: "the label printer runs on the host kestrel-2",
    newer: "the label printer's database moved to osprey-7",
  },
  {
    question: "until when is the tariff engine frozen or under contract?",
    older: "the tariff engine is frozen until 2031-03-05 for the audit",
    newer: "the vendor contract for the tariff engine was extended until 2032-01-01",
  },
  {
    question: "which ports does the badge proxy listen on?",
    older: "the badge proxy listens on port 8443 for browsers",
    newer: "the badge proxy now has an admin port, 9443",
  },
  {
    question: "what do search and autocomplete run on?",
    older: "product search runs on Typesense",
    newer: "product autocomplete was moved to Elasticsearch",
  },
  {
    question: "which branch do sticker service releases and hotfixes go to?",
    older: "releases of the sticker service are cut from the branch release-next",
    newer: "hotfixes of the sticker service now go to the branch hotfix-live",
  },
];
