import type { RelatedStatements } from "./statement-relations.ts";
import { pairs } from "./statement-relations.ts";

/** Choices ("use X, not Y"), permissions, places and members of families. 29 of 46 were right before the rules were fitted to them. */
export const CHOICES_AND_FAMILIES: readonly RelatedStatements[] = [
  ...pairs("same", [
    ["no wait, use bun instead of pnpm", "from now on use bun not pnpm"],
    ["use poetry instead of pip", "please use poetry, not pip"],
    ["never use lodash", "don't use lodash"],
  ]),
  ...pairs("other", [
    [
      "runbook for restarting the payments service: https://wiki.acme.test/runbooks/payments",
      "runbook for restarting the payments service: https://ops.acme.test/pay",
    ],
    [
      "the on-call rota of the network team is at https://rota.test/net",
      "the on-call rota of the network team is at https://duty.test/net",
    ],
    ["use tabs in Go files", "use two spaces in Go files"],
    ["use tabs", "use two spaces"],
    ["indent with tabs", "indent with spaces"],
    ["enable telemetry in tests", "disable telemetry in tests"],
    ["use pnpm not npm here", "no wait, use bun instead of pnpm"],
    ["use yarn instead of npm", "use pnpm instead of yarn"],
    ["use poetry, not pip", "actually use uv instead of poetry"],
    ["use vitest, not jest", "use jest, not vitest"],
    ["prefer zod over yup", "use valibot instead of zod"],
    ["use npm", "use bun instead of npm"],
    ["always use moment", "use dayjs rather than moment"],
    ["write tests with mocha", "stop using mocha, use vitest"],
    ["never use --no-verify when a pre-commit hook fails", "from now on you can use --no-verify"],
    ["never push to main", "you may push to main from now on"],
    ["don't edit generated files", "it's ok to edit generated files now"],
    ["never commit without tests", "you can commit without tests"],
    ["nimm nie npm", "du darfst jetzt npm nehmen"],
  ]),
  ...pairs("two", [
    [
      "runbook for restarting the payments service: https://wiki.acme.test/runbooks/payments",
      "runbook for restarting the orders service: https://wiki.acme.test/runbooks/orders",
    ],
    [
      "runbook for draining the ingest queue: https://wiki.acme.test/rb/ingest",
      "runbook for draining the mail queue: https://wiki.acme.test/rb/mail",
    ],
    [
      "checklist for onboarding a courier: https://docs.acme.test/courier",
      "checklist for onboarding a merchant: https://docs.acme.test/merchant",
    ],
    [
      "dashboard of the search cluster: https://graf.acme.test/d/search",
      "dashboard of the billing cluster: https://graf.acme.test/d/billing",
    ],
    [
      "the on-call rota of the network team is at https://rota.test/net",
      "the on-call rota of the storage team is at https://rota.test/sto",
    ],
    ["how to rotate the signing key of the iOS app", "how to rotate the signing key of the Android app"],
    [
      "Handbuch für den Neustart des Lagerdienstes: https://wiki.test/lager",
      "Handbuch für den Neustart des Kassendienstes: https://wiki.test/kasse",
    ],
    [
      "the schema of the orders topic lives in schemas/orders.avsc",
      "the schema of the refunds topic lives in schemas/refunds.avsc",
    ],
    [
      "guide to tracing the checkout service: https://docs.test/trace-checkout",
      "guide to tracing the catalog service: https://docs.test/trace-catalog",
    ],
    ["postmortem of the May outage: https://pm.test/17", "postmortem of the July outage: https://pm.test/23"],
    [
      "steps to seed the staging warehouse: https://wiki.test/seed-wh",
      "steps to seed the staging ledger: https://wiki.test/seed-led",
    ],
    [
      "release notes template for the desktop client: docs/rel-desktop.md",
      "release notes template for the web client: docs/rel-web.md",
    ],
    ["use tabs in Go files", "use two spaces in YAML files"],
    ["use single quotes in TypeScript", "use double quotes in JSON"],
    ["indent Python with four spaces", "indent Makefiles with tabs"],
    ["allow console.log in scripts", "forbid console.log in src"],
    ["wrap Markdown at 80 columns", "wrap Rust at 100 columns"],
    ["merge feature branches", "rebase hotfix branches"],
    ["use short names in loops", "use long names in exports"],
    ["enable strict mode in tests", "disable strict mode in fixtures"],
    ["use ruff instead of flake8", "use uv instead of pip"],
    ["use pnpm not npm here", "use vitest not jest here"],
    ["never push to main", "you can push to feature branches"],
    ["don't use any in TypeScript", "you can use any tool you like"],
  ]),
];

/** Written after those were fitted to, in two parts: of the first 22, 19 were right at first sight, of the last 10 all; two were mended for since. */
export const MORE_CHOICES_AND_FAMILIES: readonly RelatedStatements[] = [
  ...pairs("same", [
    ["use deno instead of node", "ok, use deno, not node"],
    ["never amend pushed commits", "no, never amend pushed commits"],
    ["use gRPC instead of REST", "use gRPC, not REST"],
  ]),
  ...pairs("other", [
    [
      "seating plan of the north hall: https://files.test/north.pdf",
      "seating plan of the north hall: https://files.test/v2/n.pdf",
    ],
    ["include drafts in the export", "exclude drafts from the export"],
    ["use black, not yapf", "use ruff instead of black"],
    ["use terraform not pulumi here", "hmm, use pulumi instead of terraform"],
    ["use axios", "use ky rather than axios"],
    ["nimm Gradle statt Maven", "nimm Bazel statt Gradle"],
    ["utilise pytest au lieu de nose", "utilise nose"],
    ["never run migrations during business hours", "you may run migrations now"],
    ["never rebase shared branches", "it is fine to rebase shared branches"],
    ["no, keep the changelog in English", "keep the changelog in Dutch"],
    ["use camelCase, not snake_case, in the frontend", "use snake_case in the frontend"],
    ["use gRPC instead of REST", "use REST, not gRPC"],
    ["never call the ledger API from tests", "you may call the ledger API from tests"],
  ]),
  ...pairs("two", [
    [
      "how to recalibrate the humidity probe: https://lab.test/humidity",
      "how to recalibrate the pressure probe: https://lab.test/pressure",
    ],
    [
      "playbook for failing over the Dublin region: https://pb.test/dub",
      "playbook for failing over the Osaka region: https://pb.test/osa",
    ],
    [
      "seating plan of the north hall: https://files.test/north.pdf",
      "seating plan of the south hall: https://files.test/south.pdf",
    ],
    ["use spaces in Kotlin sources", "use tabs in shell scripts"],
    ["include prices in quotes", "exclude taxes from receipts"],
    ["merge translations weekly", "rebase docs branches daily"],
    ["use celery instead of cron", "use redis instead of rabbitmq"],
    ["never delete customer records", "you can delete test records"],
    ["don't log request bodies in production", "you can log request bodies in development"],
    ["use pnpm, not npm, in the web app", "use npm, not pnpm, in the docs site"],
    ["manual for cleaning the extruder", "manual for cleaning the nozzle"],
    ["notes on tuning the encoder: https://n.test/enc", "notes on tuning the sampler: https://n.test/smp"],
    [
      "template for announcing a closure: docs/closure.md",
      "template for announcing a merger: docs/merger.md",
    ],
    ["use commas in CSV exports", "use semicolons in the Excel exports"],
    ["use camelCase, not snake_case, in the frontend", "use snake_case, not camelCase, in the backend"],
    ["never call the ledger API from tests", "you may call the ledger API from scripts"],
  ]),
];
