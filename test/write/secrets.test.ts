import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { accepted, logTrouble } from "../../src/heed.ts";
import { memoryFile, TemporaryHeed } from "../home/temporary-heed.ts";
import { MODEL, PERSON, RULE } from "./write-desk.ts";

const TOKEN = `ghp_${"aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW".repeat(2).slice(0, 36)}`;
const REDACTED = "[redacted: token]";

const there = TemporaryHeed.forEachTest();

/** Every file under the home, git's objects unpacked by git itself. */
function allText(): string {
  const files = readdirSync(there.home, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const texts = files.map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));
  return texts.join("\n");
}

describe("no path of heed's stores a secret", () => {
  test("write, update, edit and rename refuse it", async () => {
    const { heed } = there;
    await heed.setup.init("user");
    const refused = await heed.memories.write({ ...RULE, body: `${RULE.body}\nUse ${TOKEN}.` }, PERSON);
    expect(refused).toMatchObject({ outcome: "refused", refusals: [{ gate: "secret" }] });
    expect(() => accepted(refused)).toThrow(/^secret: .*vault/s);
    const written = await heed.memories.write(RULE, PERSON);
    expect(accepted(written).outcome).toBe("written");
    expect(await heed.memories.update("no-verify", { statement: `never use ${TOKEN}` }, MODEL)).toMatchObject(
      { outcome: "refused", refusals: [{ gate: "secret" }] },
    );
    const { metadata, path } = await heed.memories.show("no-verify");
    const text = readFileSync(path, "utf8").replace("metadata:", `metadata:\n  note: ${TOKEN}`);
    expect(
      await heed.memories.edit("no-verify", { text, ifHash: metadata.contentHash }, PERSON),
    ).toMatchObject({ outcome: "refused", refusals: [{ gate: "secret" }] });
    await heed.close();
    expect(allText()).not.toContain(TOKEN);
  });

  test("a change carries on no secret that stood there before", async () => {
    const [path = ""] = there.remember({ type: "reference", name: "vault", statement: `it is ${TOKEN}` });
    expect(path).not.toBe("");
    expect(await there.heed.memories.update("vault", { tags: ["vault", "token"] }, PERSON)).toMatchObject({
      outcome: "refused",
      refusals: [{ gate: "secret" }],
    });
  });

  test("reasons, session turns, receipts and the log are redacted", async () => {
    const { heed } = there;
    await heed.setup.init("user");
    await heed.memories.write(RULE, PERSON);
    there.remember({
      type: "project",
      name: "release-branch",
      statement: "releases of the mobile app are cut from the branch mobile-release",
    });
    await there.start();
    await there.prompt(`cut a release of the mobile app from mobile-release with ${TOKEN}`);
    await heed.memories.remove("no-verify", `it named ${TOKEN}`, PERSON);
    logTrouble("test", new Error(`git said ${TOKEN}`), there.env);
    await heed.close();
    const log = there.git("-C", there.userStore, "log", "--format=%B");
    expect(log).toContain(`it named ${REDACTED}`);
    expect(allText()).not.toContain(TOKEN);
    const state = allText();
    expect(state).toContain(`mobile-release with ${REDACTED}`);
    expect(state).toContain(`git said ${REDACTED}`);
  });
});

describe("a secret that was put into a file by hand", () => {
  beforeEach(() => {
    there.write(
      join(there.userStore, "feedback", "deploy.md"),
      memoryFile({
        type: "feedback",
        name: "deploy",
        statement: `deploy with ${TOKEN} from the main branch`,
        body: `Deploy with ${TOKEN} from main.\n\n**Why:** it is the only one.\n**How to apply:** always.`,
      }),
    );
  });

  test("is shown nowhere", async () => {
    const { heed } = there;
    const shown = await heed.memories.show("deploy");
    expect(`${shown.metadata.statement}\n${shown.body}`.split(REDACTED)).toHaveLength(3);
    const [listed] = await heed.memories.list();
    expect(listed?.statement).toContain(REDACTED);
    const { hits } = await heed.memories.search({ query: "deploy from main" });
    expect(hits).toHaveLength(1);
    expect(JSON.stringify(hits)).not.toContain(TOKEN);
    const context = await there.start();
    expect(context).toContain(`deploy with ${REDACTED}`);
    expect(context).not.toContain(TOKEN);
    const [receipt] = await heed.session.receipts();
    expect((await heed.session.why({ receipt: receipt?.id ?? "" })).context).toContain(REDACTED);
    expect(JSON.stringify(await heed.history.list())).not.toContain(TOKEN);
    expect(await heed.history.diff("deploy")).not.toContain(TOKEN);
    const view = (name: string): Promise<string> =>
      heed.memoryTool.run({ command: "view", path: `/memories/feedback/${name}.md` }, MODEL);
    expect(await view("deploy")).toContain(`deploy with ${REDACTED}`);
    expect((await view("deploy")) + (await view(TOKEN))).not.toContain(TOKEN);
  });

  test("is not carried into the overview for other tools, nor into what a person is to approve", async () => {
    await there.heed.memories.write({ ...RULE, name: "another" }, PERSON);
    await there.heed.close();
    const overview = readFileSync(join(there.userStore, "MEMORY.md"), "utf8");
    expect(overview).toContain(`deploy with ${REDACTED}`);
    expect(overview).not.toContain(TOKEN);
    // Nobody has looked yet: everything counts as it lies there, and nothing is gone.
    expect((await there.heed.setup.reviewTrust({ store: "user" })).entries).toEqual([]);
    await there.start();
    there.write(
      join(there.userStore, "feedback", "later.md"),
      memoryFile({ type: "feedback", name: "later", statement: `deploy later with ${TOKEN}`, body: "x" }),
    );
    const { entries } = await there.heed.setup.reviewTrust({ store: "user" });
    expect(entries.map(({ name }) => name)).toContain("later");
    expect(JSON.stringify(entries)).not.toContain(TOKEN);
  });

  test("is reported by check with its line, not its value", async () => {
    const report = await there.heed.maintenance.check();
    const found = report.stores.flatMap(({ problems }) => problems).filter(({ code }) => code === "secret");
    expect(found).toMatchObject([
      { file: "feedback/deploy.md", line: 3, severity: "error" },
      { file: "feedback/deploy.md", line: 8, severity: "error" },
    ]);
    expect(JSON.stringify(report)).not.toContain(TOKEN);
  });
});
