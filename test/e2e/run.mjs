// npm run e2e [-- [--all] WORDS…]: the scenarios with real clients. --all: those that are run at night too.
import { spawnSync } from "node:child_process";

const words = process.argv.slice(2);
const rest = words.filter((word) => word !== "--all");
const { status } = spawnSync(
  process.execPath,
  ["node_modules/vitest/vitest.mjs", "run", "--config", "vitest.e2e.config.ts", ...rest],
  {
    stdio: "inherit",
    env: { ...process.env, ...(rest.length < words.length && { HEED_E2E_ALL: "1" }) },
  },
);
process.exit(status ?? 1);
