import type { RelevanceSet } from "./relevance-case.ts";

const solution = (symptom: string, answer: string): string =>
  `## Symptom\n${symptom}\n\n## Failed\nTrying again.\n\n## Solution\n${answer}\n\n## Why\nIt went so once.\n\n## How to apply\nAt once.`;

/** Struggles that were won: is relevant to a prompt, or an error, in which the symptom appears. */
export const solutionSet: RelevanceSet = {
  store: [
    {
      type: "solution",
      name: "esbuild-wrong-platform",
      description: "esbuild was installed for another platform after copying node_modules into the container",
      trigger: ["installed esbuild for another platform"],
      body: solution(
        "You installed esbuild for another platform than the one you're currently using.",
        "Delete node_modules in the image and run npm ci there.",
      ),
    },
    {
      type: "solution",
      name: "vitest-hangs-on-open-handle",
      description: "vitest does not exit when a test leaves a Redis connection open",
      trigger: ["vitest hangs", "close timed out"],
      body: solution(
        "close timed out after 10000ms; tests are done but vitest hangs.",
        "await client.quit() in afterAll.",
      ),
    },
    {
      type: "solution",
      name: "git-lock-stale",
      description: "a stale .git/index.lock after the editor crashed",
      trigger: ["index.lock"],
      body: solution(
        "fatal: Unable to create '.git/index.lock': File exists.",
        "Check that no git runs, then remove the lock.",
      ),
    },
    {
      type: "solution",
      name: "playwright-missing-libs",
      description: "Playwright's browsers miss system libraries on the CI runner",
      trigger: ["Host system is missing dependencies"],
      body: solution(
        "Host system is missing dependencies to run browsers.",
        "npx playwright install-deps chromium",
      ),
    },
    {
      type: "solution",
      name: "proxy-certificate-npm",
      description: "npm behind the company proxy fails with SELF_SIGNED_CERT_IN_CHAIN",
      trigger: ["SELF_SIGNED_CERT_IN_CHAIN"],
      body: solution(
        "npm ERR! code SELF_SIGNED_CERT_IN_CHAIN",
        "Point NODE_EXTRA_CA_CERTS at the company's certificate.",
      ),
    },
    {
      type: "project",
      name: "money-in-cents",
      description: "amounts are integers in cents; floats are not allowed in src/billing",
    },
    { type: "feedback", name: "no-force-push", description: "never force-push to a shared branch" },
  ],
  cases: [
    {
      prompt: "Error: You installed esbuild for another platform than the one you're currently using.",
      injected: ["esbuild-wrong-platform"],
    },
    {
      prompt: "the container build dies because of esbuild and the platform",
      injected: ["esbuild-wrong-platform"],
    },
    { prompt: "vitest hangs after the last test", injected: ["vitest-hangs-on-open-handle"] },
    {
      prompt: "all tests pass, then: close timed out after 10000ms",
      injected: ["vitest-hangs-on-open-handle"],
    },
    { prompt: "fatal: Unable to create '/repo/.git/index.lock': File exists.", injected: ["git-lock-stale"] },
    { prompt: "git refuses to commit, something about index.lock", injected: ["git-lock-stale"] },
    {
      prompt: "Host system is missing dependencies to run browsers. Please install them",
      injected: ["playwright-missing-libs"],
    },
    { prompt: "playwright can't start its browsers on the CI runner", injected: ["playwright-missing-libs"] },
    { prompt: "npm ERR! code SELF_SIGNED_CERT_IN_CHAIN", injected: ["proxy-certificate-npm"] },
    { prompt: "npm install fails behind the company proxy", injected: ["proxy-certificate-npm"] },
    { prompt: "npm ERR! code ERESOLVE unable to resolve dependency tree" },
    { prompt: "fatal: not a git repository (or any of the parent directories): .git" },
    { prompt: "TS2345: Argument of type 'string' is not assignable to parameter of type 'number'." },
    { prompt: "the tests are slow, make them faster" },
    { prompt: "AssertionError: expected 3 to be 4 at test/sum.test.ts:12" },
    { prompt: "Error: listen EADDRINUSE: address already in use :::3000" },
    { prompt: "write a Dockerfile for the API" },
    { prompt: "push the branch" },
    { prompt: "rename the test folder" },
    { prompt: "add a spinner while the page loads" },
    {
      prompt: "esbuild for another platform, on the new laptop as well",
      injected: ["esbuild-wrong-platform"],
    },
    {
      prompt: "Another git process seems to be running: '.git/index.lock' exists",
      injected: ["git-lock-stale"],
    },
    {
      prompt: "vitest never exits, a Redis connection stays open",
      injected: ["vitest-hangs-on-open-handle"],
    },
    {
      prompt:
        "browserType.launch: \n╔═══╗\n║ Host system is missing dependencies to run browsers. ║\n║ Please install them ║\n╚═══╝\n    at tests/login.spec.ts:9:3",
      injected: ["playwright-missing-libs"],
    },
    {
      prompt:
        "npm error code SELF_SIGNED_CERT_IN_CHAIN\nnpm error errno SELF_SIGNED_CERT_IN_CHAIN\nnpm error request to https://registry.npmjs.org/vite failed, reason: self-signed certificate in certificate chain",
      injected: ["proxy-certificate-npm"],
    },
    { prompt: "SyntaxError: Unexpected token '<', \"<!DOCTYPE \"... is not valid JSON" },
    { prompt: "error: failed to push some refs to 'origin'" },
    { prompt: "bash: jq: command not found" },
    { prompt: "close the dialog after a timeout of ten seconds" },
    { prompt: "which browsers do we support" },
    { prompt: "update Redis to 8 in docker-compose" },
  ],
};
