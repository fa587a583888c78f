import type { HandWritten } from "./memory-files.ts";

export const STAGING: HandWritten = {
  type: "reference",
  name: "staging-db",
  statement: "the staging database of the billing service runs on db-stage-2.internal, port 6432",
  body: "The staging database of the billing service runs on db-stage-2.internal, port 6432 (FACT-STAGING).",
  metadata: ["tags: [staging, database, billing]", "trigger: [staging database]"],
};
export const QUEUE: HandWritten = {
  type: "project",
  name: "queue-retry",
  statement: "the email queue retries five times with exponential backoff, decided on 2026-04-12",
  body: "The email queue retries five times with exponential backoff, decided on 2026-04-12 after the SES outage (FACT-QUEUE).",
  metadata: ["tags: [email, queue, retry]"],
};
export const FLAKY: HandWritten = {
  type: "solution",
  name: "playwright-hangs-in-docker",
  statement: "Playwright hangs in Docker when /dev/shm is too small",
  body: [
    "**Symptom:** playwright hangs in docker without an error (FACT-FLAKY).",
    "**Failed:** a longer timeout.",
    "**Solution:** run the container with --ipc=host.",
    "**Why:** /dev/shm is 64 MB.",
    "**How to apply:** add it to the compose file.",
  ].join("\n"),
  metadata: ["tags: [playwright, docker, shm]", "trigger: [playwright hangs, /dev/shm]"],
};

export const ASKS_STAGING: string =
  "Which host and port does the staging database of the billing service run on?";
export const ASKS_QUEUE: string = "How often does the email queue retry, and with which backoff?";
/** No sample fact is relevant to it. */
export const UNRELATED: string = "Rename the variable count to total in src/sum.ts";
