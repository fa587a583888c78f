import { expect, test } from "vitest";
import { emptyDigest } from "../../../src/capture/digest/session-digest.ts";
import { openWork } from "../../../src/capture/episode/open-work.ts";
import { isTrivial } from "../../../src/capture/episode/render-episode.ts";

const sessionOf = (asks: readonly string[], lastMessage = "Done.") => ({
  ...emptyDigest(),
  asks: [...asks],
  lastMessage,
});

test.each([
  ["the retry test is still open", "the retry test is still open"],
  ["todo tomorrow: the rate limiter", "todo tomorrow: the rate limiter"],
  ["we'll continue with the parser tomorrow", "we'll continue with the parser tomorrow"],
  ["the migration isn't done yet", "the migration isn't done yet"],
  ["let's finish this on monday", "let's finish this on monday"],
  ["der Parser ist noch nicht fertig", "der Parser ist noch nicht fertig"],
  ["die Tests sind noch offen, morgen weiter", "die Tests sind noch offen, morgen weiter"],
  ["i gotta go, leave KRW for tomorrow", "i gotta go, leave KRW for tomorrow"],
  ["on continue demain", "on continue demain"],
  ["los tests quedan pendientes, seguimos mañana", "los tests quedan pendientes, seguimos mañana"],
])("%j leaves something open", (ask, open) => {
  expect(openWork(sessionOf(["add retries to the client", ask]))).toEqual([open]);
  // Who takes leave then has said it before.
  expect(openWork(sessionOf([ask, "thanks, bye"], "Bye."))).toEqual([open]);
});

test.each([
  ["add retries to the client"],
  ["is the retry test still open?"],
  ["nothing is left to do, thanks"],
  ["alles erledigt, nichts mehr offen"],
  ["what does this do tomorrow when the cache is cold"],
  ["thanks"],
])("%j leaves nothing open", (ask) => {
  expect(openWork(sessionOf([ask], "All tests pass. Let me know if you want anything else."))).toEqual([]);
});

test("the agent's last words count, what was open in the middle of the session does not", () => {
  const message = "The client retries three times. The test is still to be written.";
  expect(openWork(sessionOf(["add retries"], message))).toEqual(["The test is still to be written."]);
  expect(openWork(sessionOf(["the test is still missing", "and the docs please"]))).toEqual([]);
});

test("a plan with open steps, a command that failed last, a call that was cut off", () => {
  const plan = [
    { text: "write the test", isDone: false },
    { text: "read the code", isDone: true },
  ];
  const commands = [
    { command: "npm run lint", outcome: "failed", times: 1 },
    { command: "npm test", outcome: "failed", times: 3 },
    { command: "cat log.txt", outcome: "ok", times: 1 },
  ] as const;
  const open = { ...sessionOf(["add retries"]), plan, commands: [...commands] };
  expect(openWork(open)).toEqual(["write the test", "failed last: `npm test`"]);
  const passed = [...commands, { command: "npm test", outcome: "ok" as const, times: 1 }];
  expect(openWork({ ...open, plan: [], commands: passed })).toEqual([]);
  const call = { tool: "Bash", what: "npm run build", programs: ["npm"], isLook: false };
  expect(openWork({ ...sessionOf(["build it"], ""), pending: { one: call } })).toEqual([
    "was under way: npm run build",
  ]);
});

test("a talk without work is trivial unless something was decided or is open", () => {
  const talk = {
    ...sessionOf(["what is a monad?", "and a functor?", "ok"]),
    counts: { ...emptyDigest().counts, turns: 3 },
  };
  expect(isTrivial(talk)).toBe(true);
  expect(isTrivial({ ...talk, asks: [...talk.asks, "we continue with this tomorrow"] })).toBe(false);
  expect(isTrivial({ ...talk, decisions: ["we decided on functors"] })).toBe(false);
});
