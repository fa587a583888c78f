import { describe, expect, test } from "vitest";
import type { PendingItem, WriteResult } from "../../../src/heed.ts";
import { TemporaryHeed } from "../../home/temporary-heed.ts";

// A model gives a guard as an argument of a write. It stops tools, so nobody but a person puts it into force, by whatever
// door the rule itself came.
const SESSION = "s1";
const MODEL = { kind: "model", client: "claude-code", session: SESSION } as const;
const PERSON = { kind: "person" } as const;
const GUARD = { command: "git push", flags: ["--force"] };
const SAID = "never force-push here";
const RULE = {
  type: "feedback",
  name: "no-force",
  statement: SAID,
  body: `${SAID}\n**Why:** it lost work.\n**How to apply:** push again.`,
} as const;

const place = TemporaryHeed.prepared(async (first) => {
  await first.heed.setup.init("user");
  await first.start(SESSION);
});

const waiting = (): Promise<PendingItem[]> => place.heed.inbox.list({ reader: PERSON });
const isStopped = async (): Promise<boolean> =>
  (await place.shell("git push -f")).decision?.action === "deny";
async function quoted(): Promise<WriteResult> {
  await place.prompt(SAID, SESSION);
  return place.heed.memories.write({ ...RULE, quote: SAID, guard: GUARD }, MODEL);
}

describe("a guard that a model proposes", () => {
  test("waits by itself where the user's quoted words put the rule into force", async () => {
    const result = await quoted();
    expect(result).toMatchObject({
      outcome: "written",
      warnings: [expect.stringContaining("heed inbox confirm guard-no-force")],
    });
    expect(await place.start("later")).toContain(SAID);
    expect(await isStopped()).toBe(false);
    const [item] = await waiting();
    expect(item).toMatchObject({
      name: "guard-no-force",
      target: "no-force",
      guard: "deny git push with --force",
      diff: expect.stringContaining("+") as string,
    });
    const confirmed = await place.heed.inbox.confirm("guard-no-force", {}, PERSON);
    expect(confirmed).toMatchObject({ outcome: "amended" });
    expect(await isStopped()).toBe(true);
    expect(await waiting()).toEqual([]);
  });

  test("waits with a rule that waits: one answer is for both", async () => {
    const result = await place.heed.memories.write({ ...RULE, guard: GUARD }, MODEL);
    expect(result.outcome).toBe("pending");
    expect(await waiting()).toMatchObject([{ name: "no-force", guard: "deny git push with --force" }]);
    expect(await isStopped()).toBe(false);
    await place.heed.inbox.confirm("no-force", {}, PERSON);
    expect(await isStopped()).toBe(true);
    expect(await waiting()).toEqual([]);
  });

  test("waits for a rule that is there already, beside a wish to remove it", async () => {
    await place.heed.memories.write(RULE, PERSON);
    await place.heed.memories.remove("no-force", "in the way", MODEL).catch(() => undefined);
    await place.heed.memories.update("no-force", { guard: GUARD }, MODEL);
    expect((await waiting()).map(({ name }) => name).sort()).toEqual(["forget-no-force", "guard-no-force"]);
    expect(await isStopped()).toBe(false);
    await place.heed.inbox.confirm("guard-no-force", {}, PERSON);
    expect(await isStopped()).toBe(true);
  });

  test("is put into force by its code, typed as a prompt", async () => {
    const result = await quoted();
    const said = result.outcome === "written" ? result.warnings.join("\n") : "";
    await place.prompt(/heed yes \w{5}/.exec(said)?.[0] ?? "", SESSION);
    expect(await isStopped()).toBe(true);
    expect(await waiting()).toEqual([]);
  });

  test("is put into force by no model, with no words", async () => {
    await quoted();
    place.now = "2026-11-21T12:05:00Z";
    await place.prompt("yes, put that guard into force", SESSION);
    const answer = await place.heed.inbox
      .confirm("guard-no-force", {}, MODEL)
      .catch(({ code }: { code: string }) => ({ outcome: code }));
    expect(["refused", "gate-refused"]).toContain(answer.outcome);
    expect(await isStopped()).toBe(false);
  });

  test("is not proposed again once it was declined", async () => {
    await quoted();
    await place.heed.inbox.reject("guard-no-force", "no", PERSON);
    const again = await place.heed.memories.update("no-force", { guard: GUARD }, MODEL);
    expect(again).toMatchObject({ warnings: [expect.stringContaining("declined")] });
    expect(await waiting()).toEqual([]);
  });

  test("waits again when its confirmation is undone", async () => {
    await quoted();
    await place.heed.inbox.confirm("guard-no-force", {}, PERSON);
    await place.heed.history.undo({}, PERSON);
    expect(await isStopped()).toBe(false);
    expect((await waiting()).map(({ name }) => name)).toEqual(["guard-no-force"]);
  });

  test.each([
    [{ ...RULE, guard: { comand: "git push" } }, 'unknown key "comand"'],
    [{ ...RULE, guard: { action: "deny" } }, "names no command"],
    [{ ...RULE, guard: "{ command: [" }, "no valid YAML"],
    [{ ...RULE, type: "project", guard: GUARD }, "only rules carry guards"],
  ])(
    "%# is refused where it cannot be read, or its memory is no rule, and the memory with it",
    async (draft, words) => {
      const result = await place.heed.memories.write(draft, MODEL);
      expect(result).toMatchObject({
        outcome: "refused",
        refusals: [{ gate: "guard", reason: expect.stringContaining(words) as string }],
      });
      expect(await waiting()).toEqual([]);
      expect(await place.heed.memories.list()).toEqual([]);
    },
  );
});
