// What a change has to pass: every check in turn, each named with its time; stops at the first that fails.
// `check NAME…` runs these alone, `check --skip NAME…` all others.
import { spawnSync } from "node:child_process";

const STEPS = [
  ["build", "node", ["scripts/build.mjs"]],
  // Built files are on the branch `release` (scripts/release-branch.mjs).
  ["no built files", "sh", ["-c", "! git ls-files -- dist plugin/dist | grep ."]],
  ["types", "tsc", ["-p", "tsconfig.json"]],
  ["types of the page", "tsc", ["-p", "src/surfaces/web/page"]],
  ["lint", "oxlint", ["--type-aware", "--deny-warnings"]],
  ["format", "oxfmt", ["--check", "."]],
  ["structure", "node", ["scripts/structure.mjs"]],
  ["picture", "node", ["scripts/draw-structure.mjs", "--check"]],
  ["bounds", "node", ["scripts/bounds.mjs"]],
  ["dead code", "knip", []],
  ["package", "publint", ["--strict"]],
  // On PGlite, and on a real server where PostgreSQL is installed (scripts/postgres.mjs).
  ["team store", "vitest", ["run", "--config", "vitest.team.config.ts"]],
  ["tests", "vitest", ["run"]],
];

const words = process.argv.slice(2);
const isSkipping = words[0] === "--skip";
const named = isSkipping ? words.slice(1) : words;
const unknown = named.filter((name) => !STEPS.some(([step]) => step === name));
if (unknown.length > 0) {
  console.error(
    `check: no step is called ${unknown.join(", ")}. There are: ${STEPS.map(([name]) => name).join(", ")}`,
  );
  process.exit(2);
}
for (const [name, command, args] of STEPS) {
  if (named.length > 0 && named.includes(name) === isSkipping) continue;
  const startedAt = Date.now();
  const { status } = spawnSync(command, args, {
    stdio: "inherit",
    env: { ...process.env, PATH: `node_modules/.bin:${process.env.PATH}` },
  });
  console.log(
    `${status === 0 ? "ok  " : "FAIL"} ${name} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`,
  );
  if (status !== 0) process.exit(1);
}
