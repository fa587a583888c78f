import { describe, expect, test } from "vitest";
import type { StoppedMatter } from "../../src/curate/allowing-turn.ts";
import { allowanceIn, asksToPass } from "../../src/curate/allowing-turn.ts";

const HOOK: StoppedMatter = {
  rule: "no-verify never use --no-verify when a pre-commit hook fails",
  guard: "deny git commit or git push or git merge with --no-verify or -c core.hooksPath=*",
  plain: "git commit push merge",
  text: "git commit -nm wip",
};
const FORCE: StoppedMatter = {
  rule: "no-force never force-push to main",
  guard: "deny git push with --force of branch main",
  plain: "git push",
  text: "git push --force origin main",
};
const NPM: StoppedMatter = {
  rule: "use-pnpm use pnpm instead of npm",
  guard: "deny npm install or npm i",
  plain: "",
  text: "npm install left-pad",
};
const MIGRATIONS: StoppedMatter = {
  rule: "migrations do not edit files under migrations/ that are already applied",
  guard: "deny Edit/Write on existing migrations/**",
  plain: "",
  text: "/repo/migrations/003_orders.sql",
};

const turn = (text: string, time = "2026-11-21T12:01:00Z") => ({ text, time });
const isAllowed = (text: string, matter: StoppedMatter, askedAt: string[] = []): boolean =>
  allowanceIn([turn(text)], matter, { askedAt }) !== undefined;
const ASKED = ["2026-11-21T12:00:00Z"];

describe("a turn that allows what was stopped", () => {
  test.each<[StoppedMatter, string]>([
    [HOOK, "skip the hook"],
    [HOOK, "yes, this once: skip the hook"],
    [HOOK, "Skip the hook, just this once."],
    [HOOK, "please bypass the pre-commit hook this time"],
    [HOOK, "you may use --no-verify for this one"],
    [HOOK, "--no-verify is fine this once"],
    [HOOK, "ok, commit with --no-verify"],
    [HOOK, "the hook is broken. Ignore the hook this once, because CI is down"],
    [HOOK, "commit without the hook"],
    [HOOK, "it's ok to skip the broken hook"],
    [HOOK, "Überspringe den Hook, nur dieses eine Mal"],
    [HOOK, "du darfst ausnahmsweise --no-verify benutzen"],
    [HOOK, "saute le hook, juste cette fois"],
    [HOOK, "sáltate el hook por esta vez"],
    [FORCE, "you may force-push this once"],
    [FORCE, "go ahead and force push to main"],
    [FORCE, "push with --force"],
    [FORCE, "a force-push to main is ok today"],
    [NPM, "you can use npm this once"],
    [NPM, "npm install is fine for this session"],
    [MIGRATIONS, "you may edit migrations/003_orders.sql, it was never applied".replace("never", "hardly")],
    [MIGRATIONS, "as an exception, edit the applied migration"],
  ])("%#: %s", (matter, text) => expect(`${text}: ${isAllowed(text, matter)}`).toBe(`${text}: true`));

  test.each<[StoppedMatter, string]>([
    [HOOK, "commit it"],
    [HOOK, "commit the changes with git, the hook is fixed"],
    [HOOK, "go ahead and commit"],
    [HOOK, "you may commit now"],
    [HOOK, "yes"],
    [HOOK, "do it anyway"],
    [HOOK, "ignore the failing test and commit"],
    [HOOK, "skip the linter"],
    [HOOK, "don't skip the hook"],
    [HOOK, "never use --no-verify"],
    [HOOK, "can you skip the hook?"],
    [HOOK, "why did you skip the hook this once?"],
    [HOOK, "if CI is green you may skip the hook"],
    [HOOK, "if the hook fails you may skip the hook this once"],
    [HOOK, "you skipped the hook last time"],
    [HOOK, '"skip the hook, just this once"'],
    [HOOK, 'the log says "skip the hook, just this once"'],
    [HOOK, "the docs say that --no-verify is what everybody uses"],
    [HOOK, "fix what the hook complains about this once"],
    [HOOK, "no exception: the hook stays on"],
    [HOOK, "write a hook that checks the commit message"],
    [HOOK, "rename the hook this once to pre-push"],
    [FORCE, "you may force-push to staging this once"],
    [FORCE, "skip the force-push"],
    [FORCE, "push it to main"],
    [FORCE, "push to main this once without the tests"],
    [FORCE, "do not force-push, not even once"],
    [FORCE, "force-with-lease is fine"],
    [NPM, "install left-pad"],
    [NPM, "commit without npm"],
    [NPM, "skip npm this once, take pnpm"],
    [NPM, "look it up on npm"],
    [MIGRATIONS, "you may edit the migrations readme"],
    [MIGRATIONS, "you may edit migrations/004_users.sql this once"],
    [MIGRATIONS, "apply the migrations"],
  ])("%#: none in %s", (matter, text) => expect([text, isAllowed(text, matter)]).toEqual([text, false]));

  test("a yes counts in the first turn after the question, and alone", () => {
    for (const text of ["yes", "yes, go ahead", "ja", "ok, do it", "yes, skip the hook", "sure"])
      expect([text, isAllowed(text, HOOK, ASKED)]).toEqual([text, true]);
    for (const text of [
      "no",
      "yes, rename the variable",
      "run the tests",
      "yes but not with --no-verify",
      "wait",
    ])
      expect([text, isAllowed(text, HOOK, ASKED)]).toEqual([text, false]);
    const later = [turn("what does the hook check?"), turn("yes", "2026-11-21T12:05:00Z")];
    expect(allowanceIn(later, HOOK, { askedAt: ASKED })).toBeUndefined();
    expect(allowanceIn([turn("yes")], HOOK, { askedAt: [] })).toBeUndefined();
  });

  test("the newest word counts, and says for how long", () => {
    const first = turn("skip the hook this once");
    const back = turn("no, do not skip the hook", "2026-11-21T12:05:00Z");
    expect(allowanceIn([first, back], HOOK, { askedAt: [] })).toBeUndefined();
    const leave = [turn("you may force-push this once"), turn("skip the force-push", "2026-11-21T12:05:00Z")];
    expect(allowanceIn(leave, FORCE, { askedAt: [] })).toBeUndefined();
    expect(
      allowanceIn([back, { ...first, time: "2026-11-21T12:09:00Z" }], HOOK, { askedAt: [] }),
    ).toMatchObject({
      reach: "once",
    });
    expect(allowanceIn([turn("npm install is fine for this session")], NPM, { askedAt: [] })?.reach).toBe(
      "session",
    );
  });
});

test.each<[string, boolean]>([
  ["The commit was refused by heed:no-verify. Should I bypass the pre-commit hook this once?", true],
  ["It was refused [heed:no-verify]. Do you want me to commit with `--no-verify` (yes or no)?", true],
  ["Shall I skip the hook?", true],
  ["The hook failed. Shall I fix what it complains about?", false],
  ["Should I fix the hook or bypass it?", false],
  ["Should I fix the lint error instead of bypassing the hook?", false],
  ["I was not allowed to skip the hook. Shall I update the README too?", false],
  ["Should I bypass the hook? Or shall I rename the file?", false],
  ["I skipped the hook.", false],
])("asks to pass: %s", (message, expected) => expect(asksToPass(message, HOOK)).toBe(expected));
