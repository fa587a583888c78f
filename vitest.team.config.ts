import { defineConfig } from "vitest/config";

// Team stores on PGlite, which starts for seconds and takes 800 MB, and on a real server where one is installed: a step of
// `npm run check`, not a part of `npm test`.
export default defineConfig({
  test: {
    include: ["test/team/**/*.team.ts"],
    globalSetup: ["test/run-folder.ts"],
    maxWorkers: 1,
    isolate: false,
    testTimeout: 90_000,
    hookTimeout: 90_000,
    expect: { poll: { timeout: 60_000 } },
    env: { NODE_EXTRA_CA_CERTS: "" },
  },
});
