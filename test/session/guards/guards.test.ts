import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { EventAnswer } from "../../../src/heed.ts";
import { TemporaryHeed, rule } from "../../home/temporary-heed.ts";

const PERSON = { kind: "person" } as const;
const MODEL = { kind: "model", client: "test" } as const;
const GUARD =
  'guard: { command: git commit, flags: [--no-verify], unless: { flags: [--dry-run] }, say: "use git-safe-commit" }';
const BYPASS = "git commit -nm wip";

const place = TemporaryHeed.forEachTest();
beforeEach(() => place.opened());

const run = (command: string, session = "s1"): Promise<EventAnswer> => place.shell(command, { session });

describe("a guard in force", () => {
  it("refuses, and tells the rule, its why, what to do instead, the exception and the handle", async () => {
    place.remember(rule("keep-hooks", "Never bypass the hooks", [GUARD]));
    const { decision, context, receipt } = await run(BYPASS);
    expect(decision?.action).toBe("deny");
    for (const part of [
      "Never bypass the hooks",
      "Why: it went wrong once",
      "Instead: use git-safe-commit",
      "Allowed: with --dry-run",
      "It fired on: git commit -nm wip",
      "[heed:keep-hooks]",
    ])
      expect(decision?.reason).toContain(part);
    expect(context).toBeUndefined();
    await place.heed.close();
    const explained = await place.heed.session.why({ receipt: receipt ?? "" });
    expect(explained.receipt.decisions).toMatchObject([
      { handle: "heed:keep-hooks", form: "guard", guard: { index: 0, action: "deny" } },
    ]);
    expect(explained.context).toBe(decision?.reason);
  });

  it("lets everything else pass without a word", async () => {
    place.remember(rule("keep-hooks", "Never bypass the hooks", [GUARD]));
    for (const command of ["git commit -m x", "echo --no-verify", "git commit -n --dry-run", "ls"])
      expect(await run(command)).toEqual({});
  });

  it("warns in the context", async () => {
    const guard = "guard: { command: git commit, flags: [--amend], action: warn }";
    place.remember(rule("mind-amend", "Mind the amend", [guard]));
    const warned = await run("git commit --amend");
    expect(warned.decision).toBeUndefined();
    expect(warned.context).toContain("Mind the amend");
  });

  it("holds in the modes that push no facts, and not in off", async () => {
    place.remember(rule("keep-hooks", "Never bypass the hooks", [GUARD]));
    for (const mode of ["pull", "rules"] as const) {
      await place.heed.setup.setMode(mode, { session: mode });
      expect((await run(BYPASS, mode)).decision?.action).toBe("deny");
    }
    await place.heed.setup.setMode("off", { session: "off" });
    expect(await run(BYPASS, "off")).toEqual({});
  });
});

describe("a guard that counts for nothing", () => {
  it.each([
    ["of a draft", ["status: provisional"]],
    ["of a superseded rule", ["status: superseded"]],
    ["of another repository", ["scope: { repo: github.com/acme/other }"]],
    ["of another branch", ["scope: { branch: release }"]],
    ["of an expired rule", ['expires: "2026-01-01"']],
  ])("%s", async (_, metadata) => {
    place.remember(rule("keep-hooks", "Never bypass the hooks", [GUARD, ...metadata]));
    expect((await run(BYPASS)).decision).toBeUndefined();
    const { guards } = await place.heed.guards.list();
    expect(guards).toMatchObject([{ isInForce: false, whyNot: expect.any(String) as string }]);
  });

  it("that cannot be read: the call passes, and check tells file, line and remedy", async () => {
    place.remember(
      rule("keep-hooks", "Never bypass the hooks", ["guard: { command: git commit, flag: no-verify }"]),
    );
    expect((await run(BYPASS)).decision).toBeUndefined();
    const { stores, errors } = await place.heed.maintenance.check();
    expect(errors).toBe(1);
    const ofFiles = stores.flatMap(({ problems }) => problems).filter(({ code }) => code !== "permissions");
    expect(ofFiles).toMatchObject([
      { file: "feedback/keep-hooks.md", line: 7, code: "bad-flag", severity: "error" },
    ]);
    expect((await place.heed.guards.list()).problems).toMatchObject([{ handle: "heed:keep-hooks" }]);
  });
});

describe("who may add a guard", () => {
  it("a person, and further ones; undone like any change", async () => {
    place.remember(rule("no-force", "never run git push --force"));
    const change = await place.heed.guards.add(
      "no-force",
      { guard: "{ command: git push, flags: [--force] }" },
      PERSON,
    );
    expect(change.summary).toContain("deny git push with --force");
    expect((await run("git push -f")).decision?.action).toBe("deny");
    await place.heed.guards.add("no-force", { guard: { command: "git push", args: ["v*"] } }, PERSON);
    expect((await run("git push origin v1")).decision?.action).toBe("deny");
    expect((await run("git push -f")).decision?.action).toBe("deny");
    await place.heed.history.undo({}, PERSON);
    expect((await run("git push origin v1")).decision).toBeUndefined();
  });

  it("nobody: one that cannot be read, or one for what is no rule", async () => {
    place.remember(rule("tone", "answer in German"), {
      type: "project",
      name: "fact",
      statement: "a fact",
    });
    await expect(place.heed.guards.add("fact", { guard: { command: "x" } }, PERSON)).rejects.toMatchObject({
      message: expect.stringContaining("only rules carry guards") as string,
    });
    for (const [guard, words] of [
      ["{ comand: x }", 'unknown key "comand"'],
      ["git push", "for example"],
    ] as const)
      await expect(place.heed.guards.add("tone", { guard }, PERSON)).rejects.toMatchObject({
        code: "gate-refused",
        message: expect.stringContaining(words) as string,
      });
  });
});

describe("the guards of a rule change", () => {
  const guard = { destroys: "data/**", stops: ["rm -rf data"] };
  beforeEach(() => place.remember(rule("keep-data", "Never delete the data folder")));
  const summaries = async (): Promise<string[]> =>
    (await place.heed.guards.list()).guards.map(({ summary }) => summary);

  it("the same one twice is one, however it is spelled; a person takes it out again", async () => {
    await place.heed.guards.add("keep-data", { guard }, PERSON);
    const again = "{ stops: rm -rf data, action: deny, destroys: [data/**] }";
    await expect(place.heed.guards.add("keep-data", { guard: again }, PERSON)).rejects.toThrow("already");
    await place.heed.guards.add("keep-data", { guard: { command: "npm publish" } }, PERSON);
    expect(await summaries()).toEqual(["deny destroying data/**", "deny npm publish"]);
    await expect(place.heed.guards.remove("keep-data", { number: 1 }, MODEL)).rejects.toThrow(
      "only a person",
    );
    await expect(place.heed.guards.remove("keep-data", {}, PERSON)).rejects.toThrow("2: deny npm publish");
    await place.heed.guards.remove("keep-data", { number: 1 }, PERSON);
    expect(await summaries()).toEqual(["deny npm publish"]);
    await place.heed.guards.remove("keep-data", {}, PERSON);
    expect(await summaries()).toEqual([]);
    expect((await run("rm -rf data")).decision).toBeUndefined();
  });

  it("one whose example fails is refused, and an edit that makes one fail leaves the last good one in force", async () => {
    const bad = { destroys: "date/**", stops: ["rm -rf data"] };
    await expect(place.heed.guards.add("keep-data", { guard: bad }, PERSON)).rejects.toThrow(
      '"rm -rf data" under stops is not stopped',
    );
    await place.heed.guards.add("keep-data", { guard }, PERSON);
    await place.start();
    const file = join(place.env["HEED_DIR"] ?? "", "feedback/keep-data.md");
    writeFileSync(file, readFileSync(file, "utf8").replace("destroys: data/**", "destroys: date/**"));
    expect((await place.begin("s2")).notice).toContain(
      "under stops is not stopped; the guard stays in force as it was approved",
    );
    expect((await run("rm -rf data", "s2")).decision?.action).toBe("deny");
    expect(JSON.stringify(await place.heed.maintenance.check())).toContain('"failed-example"');
    await place.heed.setup.trust({ store: "user" });
    expect((await run("rm -rf data", "s2")).decision?.action).toBe("deny");
  });
});
