import { describe, expect, it } from "vitest";
import type { DerivableKind } from "../../src/curate/derivable.ts";
import { derivableKind, derivableMemory } from "../../src/curate/derivable.ts";

const DERIVABLE: [DerivableKind, string][] = [
  ["code-structure", "parseMemory is defined in src/memory/codec/parse-memory.ts"],
  ["code-structure", "The auth middleware lives in `src/middleware/auth.ts`"],
  ["code-structure", "`UserService` is implemented in app/services/user_service.rb."],
  ["code-structure", "The database models are in `backend/models/`"],
  ["code-structure", "Tests are located in test/unit/"],
  ["code-structure", "The src/components folder contains the React components"],
  ["code-structure", "`src/routes/index.ts` exports the router"],
  ["code-structure", "src/config/env.ts is where the environment is read"],
  ["code-structure", "`OrderController` extends `BaseController`"],
  ["code-structure", "getUser() returns a Promise of User"],
  ["code-structure", "The project uses TypeScript and vitest"],
  ["code-structure", "The repository has three packages: api, web and worker"],
  ["code-structure", "This codebase is written in Rust"],
  ["git-history", "Commit 3f2a1c9 fixed the broken migration"],
  ["git-history", "The login bug was fixed in a81bc0d"],
  ["git-history", "Rate limiting was added in PR #141"],
  ["git-history", "PR #87 was merged to main"],
  ["git-history", "The last commit added the dark theme"],
  ["git-history", "Renamed the settings page via #412"],
  ["fix-in-diff", "Added a null check in src/cart/total.ts"],
  ["fix-in-diff", "Fixed the off-by-one in `src/pager.ts`"],
  ["fix-in-diff", "I have just renamed getCwd to currentFolder in lib/paths.py"],
  ["fix-in-diff", "Fixed the crash by adding a guard to `render()`"],
  ["fix-in-diff", "Updated tsconfig.json to ES2022"],
  ["task-state", "Currently implementing the search filters"],
  ["task-state", "We are working on the checkout page"],
  ["task-state", "Right now I'm debugging the flaky upload test"],
  ["task-state", "TODO next: wire the export button"],
  ["task-state", "Next steps: write the tests, then the docs"],
  ["task-state", "Step 3 of 5 done"],
  ["task-state", "All tests are passing now"],
  ["task-state", "The branch feat/search is ready to merge"],
  ["task-state", "In progress: the new importer"],
];

const KEPT: string[] = [
  "Never use --no-verify to bypass pre-commit hooks",
  "We keep src/legacy/billing.ts untouched because the auditors signed that version",
  "Always put new migrations in migrations/ with a down step",
  "Decided on 2026-03-05 to move auth out of src/auth into its own service",
  "The staging database is at db.staging.acme.internal",
  "Bugs of the ingest pipeline are tracked in the Linear project INGEST",
  "The dashboard that on-call watches is https://grafana.acme.dev/d/api-latency",
  "Runbooks live in Notion under Platform / On-call",
  "Our TLS certificates are in /etc/ssl/acme on the jump host",
  "The release checklist lives in the wiki",
  "Merge freeze begins 2026-03-05 for the mobile release",
  "Legal requires that session tokens are not stored on disk",
  "Maria owns the billing module and reviews every change to it",
  "The user has ten years of Go and is new to React",
  "Prefers small commits with a message that says why",
  "pnpm install fails on the CI image unless corepack is enabled first",
  "Vitest hangs when the watcher sees the generated files in dist/",
  "The customer Acme runs version 2.3 and cannot upgrade before summer",
  "src/api/v1 must not change: two vendors depend on its exact responses",
  "Use the fixtures in test/data instead of writing new ones",
  "The API returns 200 with an error body when the tenant is suspended",
  "The fix of the upload bug was reverted by the vendor",
  "Commit messages are in the imperative and name the ticket",
  "The team reviews in pairs",
  "Do not merge on red, whatever the reason",
  "The quota of the maps API is 2,500 requests a day",
  "Chose Postgres over MySQL for its transactional DDL",
  "Ask before adding a dependency",
  "The e2e tests need a running Docker daemon",
  "Production is deployed from the release branch by Jenkins",
];

describe("what the repository says itself", () => {
  it.each(DERIVABLE)("%s: %s", (kind, sentence) => {
    expect(derivableKind(sentence)).toBe(kind);
  });

  it.each(KEPT)("is kept: %s", (sentence) => {
    expect(derivableKind(sentence)).toBeUndefined();
    expect(derivableMemory(sentence, `${sentence}.`)).toBeUndefined();
  });

  it("takes a list of files for code structure", () => {
    const body =
      "Main files:\n- `src/app.ts`: the app\n- `src/router.ts`: the router\n- src/db/pool.ts: the pool";
    expect(derivableMemory("overview of the main files", body)).toBe("code-structure");
  });

  it("keeps a list of files with a reason", () => {
    const body =
      "- `src/app.ts`: never touch, generated\n- `src/router.ts`: generated\n- src/db/pool.ts: generated\nThe generator is closed source.";
    expect(derivableMemory("generated files that must not be edited by hand", body)).toBeUndefined();
  });

  it("keeps a decision that says where the code is", () => {
    const body =
      "The retry logic is in src/net/retry.ts.\nWe chose a fixed delay because the vendor bans exponential backoff.";
    expect(derivableMemory("retries use a fixed delay", body)).toBeUndefined();
  });
});
