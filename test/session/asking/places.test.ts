import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { memoryFile, rule, TemporaryHeed } from "../../home/temporary-heed.ts";
import { propose } from "./propose.ts";

const there = TemporaryHeed.forEachTest();

const start = (session: string, cwd = there.project) => there.begin(session, { cwd });
const codeIn = (text = ""): string => /heed yes ([a-z0-9]{5})/.exec(text)?.[1] ?? "";

describe("rules of a colleague", () => {
  beforeEach(() => {
    there.write(".heed/config.yaml", "store: 01JD3Z8Q6T0V9W4X5Y6Z7A8B9C\n");
    there.write(".heed/feedback/squash.md", memoryFile(rule("squash", "squash before merging")));
    there.write(".heed/feedback/sign.md", memoryFile(rule("sign", "sign each commit")));
  });

  test("are told to user and model in a sentence, and a typed code puts them into force", async () => {
    const { notice, context } = await start("s1");
    expect(notice).toMatch(
      /^This repository has 2 rules that were not approved on this machine: .*"sign each commit".*"squash before merging".* They are not in force\. Approve: type heed yes \w{5}, or run heed inbox trust\.$/,
    );
    expect(context).toContain(`typing heed yes ${codeIn(notice)}`);
    const { notice: answer } = await there.event({ kind: "prompt", prompt: `heed yes ${codeIn(notice)}` });
    expect(answer).toContain("Approved: 2 rules of this repository");
    expect(await there.start("s2")).toContain("squash before merging");
  });

  test("are told once a day", async () => {
    await start("s1");
    expect((await start("s2")).notice).toBeUndefined();
    there.now = "2026-11-22T12:00:00Z";
    expect((await start("s3")).notice).toContain("2 rules");
  });

  test("that changed since their code was shown stay out of force", async () => {
    const code = codeIn((await start("s1")).notice);
    there.write(".heed/feedback/sign.md", memoryFile(rule("sign", "never sign a commit")));
    const { notice } = await there.event({ kind: "prompt", prompt: `heed yes ${code}` });
    expect(notice).toContain("Nothing was changed");
    expect(await there.start("s2")).not.toContain("squash before merging");
  });

  test("are not asked about again after a no, until they change", async () => {
    const code = codeIn((await start("s1")).notice);
    await there.event({ kind: "prompt", prompt: `heed no ${code}` });
    there.now = "2026-11-22T12:00:00Z";
    expect((await start("s2")).notice).toBeUndefined();
    there.write(".heed/feedback/sign.md", memoryFile(rule("sign", "never sign a commit")));
    expect((await start("s3")).notice).toContain("never sign a commit");
  });

  test("that are too many to be shown are looked at in a terminal", async () => {
    for (let i = 0; i < 12; i++)
      there.write(`.heed/feedback/r${i}.md`, memoryFile(rule(`r${i}`, `rule number ${i} ${"x".repeat(90)}`)));
    const { notice, context } = await start("s1");
    expect(notice).toMatch(
      /has 14 rules .*and 11 more\. They are not in force\. Look at them and approve: heed inbox trust$/,
    );
    expect(codeIn(notice) + codeIn(context)).toBe("");
  });
});

describe("a session's start names what waits here", () => {
  beforeEach(() => there.heed.setup.init("user"));

  test("with the code of the answer, once a day, and not in another repository", async () => {
    const code = await propose(there);
    const { notice } = await start("s2");
    expect(notice).toBe(
      `Needs your approval, not in force: Keep "run the linter before each commit" as a rule in this repository? Type heed yes ${code} or heed no ${code}.`,
    );
    expect((await start("s3")).notice).toBeUndefined();
    const elsewhere = join(there.folder, "elsewhere");
    mkdirSync(elsewhere);
    there.now = "2026-11-22T12:00:00Z";
    expect((await start("s4", elsewhere)).notice).toBeUndefined();
  });

  test("for two weeks; then it waits in the inbox, where it is found", async () => {
    const code = await propose(there);
    there.now = "2026-12-04T12:00:00Z";
    expect((await start("s2")).notice).toContain(code);
    there.now = "2026-12-06T12:00:00Z";
    expect((await start("s3")).notice).toBeUndefined();
    expect(await there.heed.consent.questions()).toMatchObject([{ code }]);
  });

  test("and tells the model, where a client shows the user nothing", async () => {
    const code = await propose(there);
    const about = (client: string) => there.begin(client, { client });
    expect((await about("codex")).context).toContain(`(heed yes ${code}, heed no ${code})`);
    expect((await about("claude-code")).context ?? "").not.toContain(code);
  });
});
