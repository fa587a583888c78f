import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { HeedError } from "../../../src/heed.ts";
import { TemporaryHeed } from "../temporary-heed.ts";
import { MODEL } from "../writing/write-desk.ts";

// What people type when they drop, change or keep a rule; what a model then calls takes effect in one step, or not.
const SESSION = "session-1";
const RULES: Record<string, string> = {
  pnpm: "use pnpm, not npm or yarn",
  tabs: "indent with tabs",
  "two-spaces": "indent YAML with 2 spaces",
  "no-friday": "never push on a Friday",
  "commit-style": "write commit messages in the imperative",
  "no-emoji": "no emojis in commit messages",
  "unit-tests": "write unit tests for every bug fix",
};
const ASKED = {
  supersede: () => ({ status: "superseded" as const }),
  update: (description: string) => ({ description }),
  expire: (expires: string) => ({ expires }),
  branch: (branch: string) => ({ scope: { branch } }),
  path: (path: string) => ({ scope: { paths: [path] } }),
};
type Step = ["remove" | "supersede", string] | ["update" | "expire" | "branch" | "path", string, string];

let place: TemporaryHeed;
let minute = 0;
beforeEach(async () => {
  minute = 0;
  place = new TemporaryHeed();
  await place.heed.setup.init("user");
});
afterEach(() => place.remove());

async function say(prompt: string): Promise<void> {
  minute += 2;
  place.now = `2026-11-21T12:${String(minute).padStart(2, "0")}:00Z`;
  await place.event({ kind: "prompt", prompt, session: SESSION });
  place.now = `2026-11-21T12:${String(minute + 1).padStart(2, "0")}:00Z`;
}

async function inForce(): Promise<unknown[]> {
  const cards = await place.heed.memories.list();
  return cards
    .filter(({ status }) => status !== "superseded")
    .map(({ description, expires, scope }) => [description, expires, scope]);
}

/** Whether what a model calls after a turn changes what is in force. */
async function changes(said: string, [how, name, description]: Step, quote?: string): Promise<boolean> {
  for (const [rule, statement] of Object.entries(RULES))
    place.remember({
      type: "feedback",
      name: rule,
      description: statement,
      body: `${statement}.\n\n**Why:** so.\n\n**How to apply:** always.`,
      metadata: ["source: user"],
    });
  await say("now fix the parser");
  await say(said);
  const before = await inForce();
  try {
    if (how === "remove") await place.heed.memories.remove(name, "the user said so", MODEL);
    else
      await place.heed.memories.update(
        name,
        { ...ASKED[how](description ?? ""), ...(quote !== undefined && { quote }) },
        MODEL,
      );
  } catch (error) {
    if (!(error instanceof HeedError)) throw error;
  }
  return JSON.stringify(await inForce()) !== JSON.stringify(before);
}

describe("a rule", () => {
  test.each<[string, Step]>([
    ["drop the pnpm rule", ["remove", "pnpm"]],
    ["we use yarn now, not pnpm", ["update", "pnpm", "use yarn, not npm or pnpm"]],
    ["forget what I said about tabs", ["remove", "tabs"]],
    [
      "actually, tabs are fine, but use spaces for python",
      ["update", "tabs", "indent with tabs, but Python with spaces"],
    ],
    ["nimm die Tabs-Regel raus", ["remove", "tabs"]],
    ["change that yaml thing: 4 spaces instead of 2", ["update", "two-spaces", "indent YAML with 4 spaces"]],
    ["the friday rule is no longer needed", ["remove", "no-friday"]],
    ["the friday rule is outdated", ["supersede", "no-friday"]],
    ["pushing on fridays is fine now", ["remove", "no-friday"]],
    ["you can push on fridays again", ["remove", "no-friday"]],
    ["emojis are ok in commit messages", ["remove", "no-emoji"]],
    ["emojis in commits are fine from now on", ["remove", "no-emoji"]],
    ["no more imperative commit messages please", ["remove", "commit-style"]],
    ["stop using pnpm", ["remove", "pnpm"]],
    ["switch from pnpm to bun", ["update", "pnpm", "use bun, not npm or yarn"]],
    ["use bun instead of pnpm", ["update", "pnpm", "use bun instead of pnpm"]],
    ["we moved to npm, so no pnpm", ["update", "pnpm", "use npm, not pnpm or yarn"]],
    ["spaces, not tabs", ["update", "tabs", "indent with spaces, not tabs"]],
    ["pls delete the unit test rule", ["remove", "unit-tests"]],
    ["unit tests aren't needed for every bug fix any more", ["remove", "unit-tests"]],
    ["I no longer want unit tests for every bug fix", ["remove", "unit-tests"]],
    ["you needn't write unit tests for every bugfix anymore", ["remove", "unit-tests"]],
    ["scratch the thing about emojis", ["remove", "no-emoji"]],
    ["get rid of the emoji rule", ["remove", "no-emoji"]],
    ["ditch the tab rule", ["remove", "tabs"]],
    ["wir nutzen jetzt yarn statt pnpm", ["update", "pnpm", "use yarn instead of pnpm"]],
    ["vergiss das mit den Tabs", ["remove", "tabs"]],
    ["oublie la règle pnpm", ["remove", "pnpm"]],
    ["on utilise yarn maintenant, plus pnpm", ["update", "pnpm", "use yarn, not pnpm"]],
    ["olvida lo de pnpm", ["remove", "pnpm"]],
    ["ya no usamos pnpm", ["remove", "pnpm"]],
    ["please remove your memory about pnpm", ["remove", "pnpm"]],
    ["delete heed:pnpm", ["remove", "pnpm"]],
    ["remove no-friday", ["remove", "no-friday"]],
    ["the pnpm memory is wrong, delete it", ["remove", "pnpm"]],
    ["unlearn the tabs thing", ["remove", "tabs"]],
    ["can you take the emoji rule out", ["remove", "no-emoji"]],
    ["the rule about commit messages can go", ["remove", "commit-style"]],
    ["I changed my mind about tabs", ["remove", "tabs"]],
    ["tabs rule: kill it", ["remove", "tabs"]],
    ["indent yaml with 4 spaces", ["update", "two-spaces", "indent YAML with 4 spaces"]],
    ["lets use npm again, forget pnpm", ["remove", "pnpm"]],
    [
      "replace the yaml rule by: indent YAML with 4 spaces",
      ["update", "two-spaces", "indent YAML with 4 spaces"],
    ],
    ["ok forget the pnpm rule", ["remove", "pnpm"]],
    ["rm the emoji rule", ["remove", "no-emoji"]],
    ["please stop enforcing the imperative commit messages", ["remove", "commit-style"]],
    ["get rid of that rule about fridays", ["remove", "no-friday"]],
    ["the tabs rule is nonsense, drop it", ["remove", "tabs"]],
    ["we're on yarn since monday, drop pnpm from your memory", ["remove", "pnpm"]],
    ["it's 4 spaces for yaml now", ["update", "two-spaces", "indent YAML with 4 spaces"]],
    ["make it 4 spaces in YAML", ["update", "two-spaces", "indent YAML with 4 spaces"]],
    ["friday deploy pushes are allowed again", ["remove", "no-friday"]],
    ["you may push on fridays from now on", ["remove", "no-friday"]],
    ["the unit test rule doesn't apply anymore", ["remove", "unit-tests"]],
    ["lösch die Regel mit den Emojis", ["remove", "no-emoji"]],
    ["die pnpm-Regel kann weg", ["remove", "pnpm"]],
    ["supprime la règle sur pnpm", ["remove", "pnpm"]],
    ["quita la regla de pnpm", ["remove", "pnpm"]],
    ["I don't care about imperative commit messages any more", ["remove", "commit-style"]],
    ["delete the memory no-emoji", ["remove", "no-emoji"]],
    ["we're not using pnpm any more", ["remove", "pnpm"]],
    ["the pnpm rule only holds until december", ["expire", "pnpm", "2026-12-31"]],
    ["the pnpm rule ends on 2026-12-01", ["expire", "pnpm", "2026-12-01"]],
    ["the friday rule is only for the api folder", ["path", "no-friday", "src/api/**"]],
    ["the tabs rule holds only on release-2", ["branch", "tabs", "release-2"]],
    ["go back to npm", ["remove", "pnpm"]],
    ["no more pnpm", ["remove", "pnpm"]],
    ["pnpm is no longer needed", ["remove", "pnpm"]],
    ["use npm from now on", ["update", "pnpm", "use npm, not pnpm or yarn"]],
  ])("goes or changes in one step by %j", async (said, step) => {
    expect(await changes(said, step)).toBe(true);
  });

  test.each<[string, Step]>([
    ["delete the pnpm lockfile", ["remove", "pnpm"]],
    ["remove tabs from this file", ["remove", "tabs"]],
    ["drop the yaml file", ["remove", "two-spaces"]],
    ["what does the pnpm rule say?", ["remove", "pnpm"]],
    ["should we drop the pnpm rule", ["remove", "pnpm"]],
    ["don't drop the pnpm rule", ["remove", "pnpm"]],
    ["bob wants us to drop the pnpm rule", ["remove", "pnpm"]],
    ["keep the tabs rule", ["remove", "tabs"]],
    ["push today, just this once", ["remove", "no-friday"]],
    ["remove the emojis from the commit messages", ["remove", "no-emoji"]],
    ["delete the unit tests for the old bug fix", ["remove", "unit-tests"]],
    ["the unit tests are wrong", ["remove", "unit-tests"]],
    ["the commit message was wrong", ["remove", "commit-style"]],
    ["update pnpm", ["remove", "pnpm"]],
    ["pnpm is gone from the image, install it", ["remove", "pnpm"]],
    ["remove pnpm from package.json's engines", ["remove", "pnpm"]],
    ["fix the indent of the yaml", ["update", "two-spaces", "indent YAML with 4 spaces"]],
    ["undo the last commit", ["remove", "commit-style"]],
    ["revert the push from friday", ["remove", "no-friday"]],
    ["stop the unit tests, they hang", ["remove", "unit-tests"]],
    ["forget the emoji test for now", ["remove", "no-emoji"]],
    ["if yarn is faster we drop the pnpm rule", ["remove", "pnpm"]],
    ["pnpm doesn't work anymore", ["remove", "pnpm"]],
    ["the unit tests no longer pass", ["remove", "unit-tests"]],
    ["we stopped the push on friday", ["remove", "no-friday"]],
    ["I pushed on a friday by mistake", ["remove", "no-friday"]],
    ["can you push the friday branch", ["remove", "no-friday"]],
    ["we didn't use pnpm there", ["remove", "pnpm"]],
    ["kill the pnpm process", ["remove", "pnpm"]],
    ["take the emoji out of the commit message", ["remove", "no-emoji"]],
    ["stop pushing on fridays", ["remove", "no-friday"]],
    ["the tabs can go to the left side", ["remove", "tabs"]],
    ["drop tabs", ["remove", "tabs"]],
    ["I can't run pnpm anymore", ["remove", "pnpm"]],
    ["nimm die Tabs aus der Datei raus", ["remove", "tabs"]],
    ["add a friday to the calendar again", ["remove", "no-friday"]],
    ["is the pnpm rule still needed?", ["remove", "pnpm"]],
    ["only the pnpm tests", ["expire", "pnpm", "2026-11-20"]],
    ["this ticket ends on monday, only fix pnpm until then", ["expire", "pnpm", "2026-11-23"]],
    ["the pnpm rule only holds until december", ["expire", "pnpm", "2026-11-20"]],
    ["the tabs rule holds only on release-2", ["branch", "tabs", "zzz"]],
    ["the friday rule is only for src/api", ["path", "no-friday", "src/web/**"]],
    ["just use pnpm", ["branch", "pnpm", "zzz"]],
    ["only use pnpm, not npm or yarn", ["path", "pnpm", "zzz/**"]],
    ["use npm instead of pnpm for that one", ["update", "pnpm", "use npm, not pnpm or yarn"]],
    ["use yarn instead of pnpm in the example", ["update", "pnpm", "use yarn instead of pnpm"]],
    ["use yarn in the example", ["update", "pnpm", "use yarn, not pnpm or npm"]],
    ["use yarn here, not pnpm", ["update", "pnpm", "use yarn, not pnpm or npm"]],
    ["drop the pnpm rule from the Makefile", ["remove", "pnpm"]],
    ["the instruction about pnpm in the README is obsolete, remove it", ["remove", "pnpm"]],
    ["use npm in the docker image", ["update", "pnpm", "use npm, not pnpm or yarn"]],
  ])("stays by %j", async (said, step) => {
    expect(await changes(said, step)).toBe(false);
  });
});

test.each([
  ["use npm instead of pnpm for that one", false],
  ["use npm instead of pnpm in the example", false],
  ["use npm instead of pnpm", true],
])("a rule is worded anew by a quote of %j: %s", async (said, isWorded) => {
  const description = "use npm instead of pnpm";
  const step: Step = ["update", "pnpm", description];
  expect(await changes(said, step, description)).toBe(isWorded);
});

test.each<[string, string[], string, string, boolean]>([
  [
    "two turns spliced",
    ["always use pnpm", "for the frontend code only run lint"],
    "always use pnpm for the frontend",
    "always use pnpm for the frontend",
    false,
  ],
  [
    "ellipsis hides negation",
    ["do not ever deploy on fridays unless I say so"],
    "do … deploy on fridays",
    "deploy on Fridays",
    false,
  ],
  [
    "ellipsis dots",
    ["never, under any circumstances, run the migrations by hand"],
    "never ... run the migrations by hand",
    "never run the migrations by hand",
    false,
  ],
  [
    "ellipsis 2",
    ["never run the migrations without a backup"],
    "never run the migrations...",
    "never run the migrations",
    false,
  ],
  [
    "cut tail without",
    ["never run the migrations without a backup"],
    "never run the migrations",
    "never run the migrations",
    false,
  ],
  [
    "cut tail unless",
    ["always push to main unless it is friday"],
    "always push to main",
    "always push to main",
    false,
  ],
  ["changed negation", ["don't squash commits"], "squash commits", "squash commits", false],
  ["changed negation 2", ["squash commits"], "don't squash commits", "don't squash commits", false],
  ["question", ["should we always squash commits?"], "always squash commits", "always squash commits", false],
  [
    "tool output",
    ["here is the output:\n```\nalways squash commits before a merge\n```"],
    "always squash commits before a merge",
    "always squash commits before a merge",
    false,
  ],
  [
    "blockquote",
    ["> always squash commits before a merge\nwhat do you think"],
    "always squash commits before a merge",
    "always squash commits before a merge",
    false,
  ],
  [
    "reported",
    ["bob said to always squash commits before a merge"],
    "always squash commits before a merge",
    "always squash commits before a merge",
    false,
  ],
  [
    "reported tail",
    ["always squash commits before a merge, says bob"],
    "always squash commits before a merge",
    "always squash commits before a merge",
    false,
  ],
  [
    "conditional",
    ["if we were google I would say always squash commits"],
    "always squash commits",
    "always squash commits",
    false,
  ],
  [
    "agents words",
    ["ok"],
    "always squash commits before a merge",
    "always squash commits before a merge",
    false,
  ],
  [
    "ok plain",
    ["always squash commits before a merge"],
    "always squash commits before a merge",
    "always squash commits before a merge",
    true,
  ],
  [
    "ok older turn same session",
    ["always squash commits before a merge", "now fix the parser", "and the docs"],
    "always squash commits before a merge",
    "always squash commits before a merge",
    true,
  ],
  [
    "taken back later",
    ["always squash commits before a merge", "no wait, forget that, never squash"],
    "always squash commits before a merge",
    "always squash commits before a merge",
    false,
  ],
  [
    "ok negative",
    ["never squash commits, I need the history"],
    "never squash commits",
    "never squash commits",
    true,
  ],
  [
    "ok case",
    ["Please ALWAYS squash commits."],
    "please always squash commits",
    "always squash commits",
    true,
  ],
])("a quote, %s", async (_what, turns, quote, description, isKept) => {
  for (const turn of turns) await say(turn);
  const { outcome } = await place.heed.memories.write(
    { type: "feedback", name: "x", description, quote },
    MODEL,
  );
  expect(outcome === "written").toBe(isKept);
});
