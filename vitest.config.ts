import { defineConfig } from "vitest/config";
import manifest from "./package.json" with { type: "json" };

export default defineConfig({
  // As scripts/build.mjs has it.
  define: { __HEED_VERSION__: JSON.stringify(manifest.version) },
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/run-folder.ts"],
    // Loading the sources once a worker, not once a file, saves a quarter of the whole time.
    isolate: false,
    // Tests use real files, git and processes: on two cores more workers only add noise.
    maxWorkers: 2,
    // For what hangs alone: a busy machine takes many times as long as a quiet one.
    testTimeout: 90_000,
    hookTimeout: 90_000,
    env: { NODE_EXTRA_CA_CERTS: "" },
  },
});
