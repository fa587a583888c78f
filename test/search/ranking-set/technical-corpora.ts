import type { RankingCorpus } from "./ranking-corpus.ts";

/** Names of code: whole, in parts, in another case. */
export const identifiers: RankingCorpus = {
  notes: {
    "max-retries": "`maxRetries` in HttpClientOptions is clamped to 5.",
    "use-cart-store": "useCartStore must not be called in server components; use getCartSnapshot.",
    "parse-money": "parseMoney() returns cents and throws MoneyFormatError on a second comma.",
    "user-id-brand": "UserId and TenantId are branded strings: never pass a plain string.",
    "env-database-url": "DATABASE_URL wins over config/database.yml in every environment.",
    "feature-gate": "FEATURE_NEW_CHECKOUT turns the checkout rewrite on for staff.",
    "http-server-port": "The port comes from PORT, else from server.listen.port in app.toml.",
    "x-request-id": "X-Request-Id is passed on to every service and logged as request_id.",
    "snake-payloads": "Webhook payloads are snake_case; camelCase stays inside the app.",
    "no-verify-flag": "git commit --no-verify is for generated commits of release-please alone.",
  },
  wanted: [
    ["maxRetries", "max-retries"],
    ["max retries of the http client", "max-retries"],
    ["parse_money", "parse-money"],
    ["MoneyFormatError: second comma", "parse-money"],
    ["getCartSnapshot", "use-cart-store"],
    ["cart store in a server component", "use-cart-store"],
    ["DATABASE_URL", "env-database-url"],
    ["new checkout for staff", "feature-gate"],
    ["request id header", "x-request-id"],
    ["--no-verify", "no-verify-flag"],
    ["tenant id as a plain string", "user-id-brand"],
    ["snake case webhooks", "snake-payloads"],
    ["usecartstore", "use-cart-store"],
    ["feature new checkout", "feature-gate"],
    ["server.listen.port", "http-server-port"],
    ["databaseUrl", "env-database-url"],
  ],
};

/** Paths and files: whole, by a folder, by a name. */
export const paths: RankingCorpus = {
  notes: {
    "invoice-parser": "src/importers/invoice/parse.ts reads both CSV adapters.",
    "invoice-mailer": "src/mailers/invoice.ts renders the PDF in a worker.",
    "auth-middleware": "src/http/middleware/auth.ts must run before rate-limit.ts.",
    "terraform-state": "infra/terraform/prod holds remote state; never edit it from a laptop.",
    "github-workflows": ".github/workflows/release.yml needs the environment production.",
    "docker-compose": "docker-compose.override.yml is for local ports alone.",
    "tsconfig-paths": "tsconfig.build.json leaves out test/ and bench/.",
    "proto-files": "proto/billing/v1/invoice.proto is shared with the ledger team.",
  },
  wanted: [
    ["src/importers/invoice/parse.ts", "invoice-parser"],
    ["parse.ts", "invoice-parser"],
    ["src/mailers/invoice.ts", "invoice-mailer"],
    ["invoice.proto", "proto-files"],
    ["auth.ts", "auth-middleware"],
    ["release.yml", "github-workflows"],
    ["infra/terraform", "terraform-state"],
    ["docker-compose.override.yml", "docker-compose"],
    ["why is test/ not in the build", "tsconfig-paths"],
    ["importers/invoice", "invoice-parser"],
    ["src\\\\mailers\\\\invoice.ts", "invoice-mailer"],
    ["./src/http/middleware/auth.ts:42", "auth-middleware"],
  ],
};

/** What programs print when they fail. */
export const errorMessages: RankingCorpus = {
  notes: {
    "duplicate-key":
      "E11000 duplicate key error collection: users index: email_1 means that the seed ran twice.",
    "port-in-use": "EADDRINUSE :::3000 comes from the storybook that stays alive after Ctrl-C.",
    "out-of-memory":
      "FATAL ERROR: Reached heap limit Allocation failed: build with --max-old-space-size=4096.",
    "cert-chain": "SELF_SIGNED_CERT_IN_CHAIN: point NODE_EXTRA_CA_CERTS at the company's certificate.",
    "cors-preflight": "No 'Access-Control-Allow-Origin' header: the gateway strips it from 204 answers.",
    hydration:
      "Hydration failed because the initial UI does not match: dates are rendered in the server's zone.",
    "module-not-found":
      "Cannot find module 'sharp': the image is built for another libc, install in the container.",
    "type-2345": "TS2345 in generated clients goes away after npm run codegen.",
    "exit-137": "Exit code 137 of the tests in CI is the memory limit of the runner.",
    "lock-file": "Unable to create '.git/index.lock': File exists. The editor's git runs in the background.",
  },
  wanted: [
    [
      "MongoServerError: E11000 duplicate key error collection: shop.users index: email_1 dup key",
      "duplicate-key",
    ],
    ["Error: listen EADDRINUSE: address already in use :::3000", "port-in-use"],
    ["JavaScript heap out of memory FATAL ERROR: Reached heap limit", "out-of-memory"],
    ["npm ERR! code SELF_SIGNED_CERT_IN_CHAIN", "cert-chain"],
    ["blocked by CORS policy: No 'Access-Control-Allow-Origin' header is present", "cors-preflight"],
    ["Error: Hydration failed because the initial UI does not match what was rendered", "hydration"],
    ["Error: Cannot find module 'sharp'", "module-not-found"],
    ["error TS2345: Argument of type 'string' is not assignable", "type-2345"],
    ["Process completed with exit code 137.", "exit-137"],
    ["fatal: Unable to create '/srv/app/.git/index.lock': File exists.", "lock-file"],
  ],
};
