import { expect, test } from "vitest";
import { personalCuesIn, speaksTo } from "../../src/inject/personal-cue.ts";

test.each([
  ["Explain how the scheduler picks a job", ["depth"]],
  ["can you explain why this deadlocks?", ["depth"]],
  ["Walk me through the auth flow", ["depth"]],
  ["what is a monad, in plain english", ["depth"]],
  ["Draft an email to the vendor about the outage", ["framing"]],
  ["write a blog post on our migration", ["framing"]],
  ["which library should we use? recommend one", ["taste"]],
  ["which one should I pick", ["taste"]],
  ["rewrite it in my coding style", ["taste"]],
  ["name it the way I like to", ["taste"]],
  ["draft a reply to them, then explain why", ["depth", "framing"]],
])("asks for the person: %j", (prompt, cues) => {
  expect(personalCuesIn(prompt)).toEqual(cues);
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
  expect(personalCuesIn(prompt)).toEqual([]);
});

test.each([
  ["ten years of Go, new to React", "depth"],
  ["writes emails without greetings", "framing"],
  ["prefers small pull requests", "taste"],
] as const)("%j speaks to %s alone", (memory, cue) => {
  const all = ["depth", "framing", "taste"] as const;
  expect(all.filter((other) => speaksTo(memory, [other]))).toEqual([cue]);
});
