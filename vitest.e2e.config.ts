import { defineConfig } from "vitest/config";

// The scenarios against the real Claude Code client: `npm run e2e`, never a part of `npm test`.
export default defineConfig({
  test: {
    include: ["test/e2e/scenarios/**/*.scenario.ts"],
    globalSetup: ["test/e2e/install-clients.ts"],
    maxWorkers: 2,
    // For what hangs alone, as the time limit of a session (client/session.ts).
    testTimeout: 300_000,
    hookTimeout: 120_000,
    env: { NODE_EXTRA_CA_CERTS: "" },
    // What the model reads is long: the first lines of a difference tell enough.
    diff: { truncateThreshold: 30 },
  },
});
