import type { RelevanceSet } from "./relevance-case.ts";

/** Decisions, deadlines, who and why: is relevant to related work, by its words, paths, names. */
export const projectSet: RelevanceSet = {
  store: [
    {
      type: "project",
      name: "invoice-importer-freeze",
      description:
        "the invoice importer in src/importers/invoice is frozen until 2031-03-05 while the auditors review it",
    },
    {
      type: "project",
      name: "money-in-cents",
      description:
        "amounts are integers in cents since the rounding bug of 2030; floats are not allowed in src/billing",
    },
    {
      type: "project",
      name: "postgres-over-mysql",
      description: "Postgres was chosen over MySQL for row-level security of tenants",
    },
    {
      type: "project",
      name: "mobile-app-owner",
      description: "the mobile app belongs to the team of Priya Raman; changes to its API need her review",
    },
    {
      type: "project",
      name: "search-moves-to-typesense",
      description: "product search moves from Elasticsearch to Typesense; no new Elasticsearch queries",
    },
    {
      type: "project",
      name: "feature-flags-by-env",
      description: "feature flags are read from the environment only, since the flag service was shut down",
    },
    {
      type: "project",
      name: "eu-data-residency",
      description: "personal data of EU customers stays in eu-central-1 by contract",
    },
    {
      type: "reference",
      name: "latency-board",
      description: "request latency dashboard: https://grafana.example.com/d/api-lat",
    },
    { type: "feedback", name: "no-force-push", description: "never force-push to a shared branch" },
  ],
  cases: [
    { prompt: "add support for credit notes to the invoice importer", injected: ["invoice-importer-freeze"] },
    { prompt: "refactor src/importers/invoice/parse.ts", injected: ["invoice-importer-freeze"] },
    { prompt: "store the discount amount in src/billing as a float", injected: ["money-in-cents"] },
    { prompt: "there is a rounding bug in the amounts on the receipt", injected: ["money-in-cents"] },
    { prompt: "could we switch to MySQL for the reporting database?", injected: ["postgres-over-mysql"] },
    { prompt: "add row-level security for the new tenants table", injected: ["postgres-over-mysql"] },
    {
      prompt: "change the response of the orders API that the mobile app uses",
      injected: ["mobile-app-owner"],
    },
    {
      prompt: "write an Elasticsearch query that boosts products in stock",
      injected: ["search-moves-to-typesense"],
    },
    { prompt: "the product search should tolerate typos", injected: ["search-moves-to-typesense"] },
    { prompt: "put the new checkout behind a feature flag", injected: ["feature-flags-by-env"] },
    { prompt: "replicate the customers table to us-east-1", injected: ["eu-data-residency"] },
    { prompt: "where may we keep personal data of EU customers", injected: ["eu-data-residency"] },
    { prompt: "fix the typo in the footer" },
    { prompt: "run the tests" },
    { prompt: "upgrade eslint to the newest version" },
    { prompt: "write a script that renames the screenshots" },
    { prompt: "how do I undo the last commit" },
    { prompt: "make the sidebar narrower on small screens" },
    { prompt: "go ahead" },
    { prompt: "why is the CI slower today" },
    { prompt: "is the invoice importer still frozen?", injected: ["invoice-importer-freeze"] },
    { prompt: "move src/importers/invoice to the new folder layout", injected: ["invoice-importer-freeze"] },
    { prompt: "who has to review a change to the mobile app's API", injected: ["mobile-app-owner"] },
    { prompt: "why did we choose Postgres over MySQL", injected: ["postgres-over-mysql"] },
    { prompt: "read the feature flag from the flag service again", injected: ["feature-flags-by-env"] },
    { prompt: "sum the amounts in src/billing/total.ts", injected: ["money-in-cents"] },
    { prompt: "reindex product search in Typesense", injected: ["search-moves-to-typesense"] },
    { prompt: "search for unused imports" },
    { prompt: "review my last commit" },
    { prompt: "which team members commented on this pull request" },
    { prompt: "move the helper functions to the top of the file" },
    { prompt: "print the environment and exit" },
    { prompt: "freeze the array before returning it" },
    { prompt: "float the image to the left" },
  ],
};
