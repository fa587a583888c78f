import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Tests use real files, git and processes: on two cores more workers only add noise.
    maxWorkers: 2,
    testTimeout: 20_000,
    env: { NODE_EXTRA_CA_CERTS: "" },
  },
});
