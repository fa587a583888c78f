import { facts, type RelevanceSet } from "./relevance-case.ts";

/** Decisions, deadlines, who and why: is relevant to related work, by its words, paths, names. */
export const projectSet: RelevanceSet = {
  store: [
    ...facts("project", {
      "invoice-importer-freeze":
        "the invoice importer in src/importers/invoice is frozen until 2031-03-05 while the auditors review it",
      "money-in-cents":
        "amounts are integers in cents since the rounding bug of 2030; floats are not allowed in src/billing",
      "postgres-over-mysql": "Postgres was chosen over MySQL for row-level security of tenants",
      "mobile-app-owner":
        "the mobile app belongs to the team of Priya Raman; changes to its API need her review",
      "search-moves-to-typesense":
        "product search moves from Elasticsearch to Typesense; no new Elasticsearch queries",
      "feature-flags-by-env":
        "feature flags are read from the environment only, since the flag service was shut down",
      "eu-data-residency": "personal data of EU customers stays in eu-central-1 by contract",
    }),
    ...facts("reference", {
      "latency-board": "request latency dashboard: https://grafana.example.com/d/api-lat",
    }),
    ...facts("feedback", { "no-force-push": "never force-push to a shared branch" }),
  ],
  wanted: [
    ["add support for credit notes to the invoice importer", "invoice-importer-freeze"],
    ["refactor src/importers/invoice/parse.ts", "invoice-importer-freeze"],
    ["store the discount amount in src/billing as a float", "money-in-cents"],
    ["there is a rounding bug in the amounts on the receipt", "money-in-cents"],
    ["could we switch to MySQL for the reporting database?", "postgres-over-mysql"],
    ["add row-level security for the new tenants table", "postgres-over-mysql"],
    ["change the response of the orders API that the mobile app uses", "mobile-app-owner"],
    ["write an Elasticsearch query that boosts products in stock", "search-moves-to-typesense"],
    ["the product search should tolerate typos", "search-moves-to-typesense"],
    ["put the new checkout behind a feature flag", "feature-flags-by-env"],
    ["replicate the customers table to us-east-1", "eu-data-residency"],
    ["where may we keep personal data of EU customers", "eu-data-residency"],
    ["is the invoice importer still frozen?", "invoice-importer-freeze"],
    ["move src/importers/invoice to the new folder layout", "invoice-importer-freeze"],
    ["who has to review a change to the mobile app's API", "mobile-app-owner"],
    ["why did we choose Postgres over MySQL", "postgres-over-mysql"],
    ["read the feature flag from the flag service again", "feature-flags-by-env"],
    ["sum the amounts in src/billing/total.ts", "money-in-cents"],
    ["reindex product search in Typesense", "search-moves-to-typesense"],
  ],
  silent: [
    "fix the typo in the footer",
    "run the tests",
    "upgrade eslint to the newest version",
    "write a script that renames the screenshots",
    "how do I undo the last commit",
    "make the sidebar narrower on small screens",
    "go ahead",
    "why is the CI slower today",
    "search for unused imports",
    "review my last commit",
    "which team members commented on this pull request",
    "move the helper functions to the top of the file",
    "print the environment and exit",
    "freeze the array before returning it",
    "float the image to the left",
  ],
};
