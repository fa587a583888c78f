import { expect, test } from "vitest";
import { asksForThePerson } from "../../src/inject/personal-cue.ts";

test.each([
  "Explain how the scheduler picks a job",
  "can you explain why this deadlocks?",
  "Walk me through the auth flow",
  "what is a monad, in plain english",
  "Draft an email to the vendor about the outage",
  "write a blog post on our migration",
  "which library should we use? recommend one",
  "which one should I pick",
  "rewrite it in my coding style",
  "name it the way I like to",
])("asks for the person: %j", (prompt) => {
  expect(asksForThePerson(prompt)).toBe(true);
});

test.each([
  "fix the failing test in src/sum.ts",
  "no need for explanations",
  "please write a commit message for these changes",
  "address the suggestions of the reviewer",
  "what do you think of this patch?",
  "read the message queue",
  `${"log line\n".repeat(100)}explain why`,
])("does not: %j", (prompt) => {
  expect(asksForThePerson(prompt)).toBe(false);
});
