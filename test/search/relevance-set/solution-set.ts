import { facts, type NamedMemory, type RelevanceSet } from "./relevance-case.ts";

function solution(
  name: string,
  statement: string,
  trigger: string[],
  symptom: string,
  answer: string,
): NamedMemory {
  const rest = "## Why\nIt went so once.\n\n## How to apply\nAt once.";
  const body = `## Symptom\n${symptom}\n\n## Failed\nTrying again.\n\n## Solution\n${answer}\n\n${rest}`;
  return { type: "solution", name, statement, trigger, body };
}

/** Struggles that were won: is relevant to a prompt, or an error, in which the symptom appears. */
export const solutionSet: RelevanceSet = {
  store: [
    solution(
      "esbuild-wrong-platform",
      "esbuild was installed for another platform after copying node_modules into the container",
      ["installed esbuild for another platform"],
      "You installed esbuild for another platform than the one you're currently using.",
      "Delete node_modules in the image and run npm ci there.",
    ),
    solution(
      "vitest-hangs-on-open-handle",
      "vitest does not exit when a test leaves a Redis connection open",
      ["vitest hangs", "close timed out"],
      "close timed out after 10000ms; tests are done but vitest hangs.",
      "await client.quit() in afterAll.",
    ),
    solution(
      "git-lock-stale",
      "a stale .git/index.lock after the editor crashed",
      ["index.lock"],
      "fatal: Unable to create '.git/index.lock': File exists.",
      "Check that no git runs, then remove the lock.",
    ),
    solution(
      "playwright-missing-libs",
      "Playwright's browsers miss system libraries on the CI runner",
      ["Host system is missing dependencies"],
      "Host system is missing dependencies to run browsers.",
      "npx playwright install-deps chromium",
    ),
    solution(
      "proxy-certificate-npm",
      "npm behind the company proxy fails with SELF_SIGNED_CERT_IN_CHAIN",
      ["SELF_SIGNED_CERT_IN_CHAIN"],
      "npm ERR! code SELF_SIGNED_CERT_IN_CHAIN",
      "Point NODE_EXTRA_CA_CERTS at the company's certificate.",
    ),
    ...facts("project", {
      "money-in-cents": "amounts are integers in cents; floats are not allowed in src/billing",
    }),
    ...facts("feedback", { "no-force-push": "never force-push to a shared branch" }),
  ],
  wanted: [
    [
      "Error: You installed esbuild for another platform than the one you're currently using.",
      "esbuild-wrong-platform",
    ],
    ["the container build dies because of esbuild and the platform", "esbuild-wrong-platform"],
    ["vitest hangs after the last test", "vitest-hangs-on-open-handle"],
    ["all tests pass, then: close timed out after 10000ms", "vitest-hangs-on-open-handle"],
    ["fatal: Unable to create '/repo/.git/index.lock': File exists.", "git-lock-stale"],
    ["git refuses to commit, something about index.lock", "git-lock-stale"],
    ["Host system is missing dependencies to run browsers. Please install them", "playwright-missing-libs"],
    ["playwright can't start its browsers on the CI runner", "playwright-missing-libs"],
    ["npm ERR! code SELF_SIGNED_CERT_IN_CHAIN", "proxy-certificate-npm"],
    ["npm install fails behind the company proxy", "proxy-certificate-npm"],
    ["esbuild for another platform, on the new laptop as well", "esbuild-wrong-platform"],
    ["Another git process seems to be running: '.git/index.lock' exists", "git-lock-stale"],
    ["vitest never exits, a Redis connection stays open", "vitest-hangs-on-open-handle"],
    [
      "browserType.launch: \n╔═══╗\n║ Host system is missing dependencies to run browsers. ║\n║ Please install them ║\n╚═══╝\n    at tests/login.spec.ts:9:3",
      "playwright-missing-libs",
    ],
    [
      "npm error code SELF_SIGNED_CERT_IN_CHAIN\nnpm error errno SELF_SIGNED_CERT_IN_CHAIN\nnpm error request to https://registry.npmjs.org/vite failed, reason: self-signed certificate in certificate chain",
      "proxy-certificate-npm",
    ],
  ],
  silent: [
    "npm ERR! code ERESOLVE unable to resolve dependency tree",
    "fatal: not a git repository (or any of the parent directories): .git",
    "TS2345: Argument of type 'string' is not assignable to parameter of type 'number'.",
    "the tests are slow, make them faster",
    "AssertionError: expected 3 to be 4 at test/sum.test.ts:12",
    "Error: listen EADDRINUSE: address already in use :::3000",
    "write a Dockerfile for the API",
    "push the branch",
    "rename the test folder",
    "add a spinner while the page loads",
    "SyntaxError: Unexpected token '<', \"<!DOCTYPE \"... is not valid JSON",
    "error: failed to push some refs to 'origin'",
    "bash: jq: command not found",
    "close the dialog after a timeout of ten seconds",
    "which browsers do we support",
    "update Redis to 8 in docker-compose",
  ],
};
