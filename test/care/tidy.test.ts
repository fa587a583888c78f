import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { HandWritten } from "../home/temporary-heed.ts";
import { rule, TemporaryHeed } from "../home/temporary-heed.ts";

const home = TemporaryHeed.forEachTest();
beforeEach(() => {
  home.addOrigin("https://github.com/acme/api.git");
});

const fact = (name: string, statement: string, metadata: readonly string[] = []): HandWritten => ({
  type: "project",
  name,
  statement,
  metadata,
});

function episode(name: string, lines: readonly string[], decay: string): void {
  const metadata = ["status: open", `decay_after: ${decay}`, "scope: { repo: github.com/acme/api }"];
  home.remember({
    type: "episode",
    name,
    statement: "Session: add retries",
    body: `${lines.join("\n")}\n`,
    metadata,
  });
}

async function steps(isApplied = false): Promise<string[]> {
  const report = await home.heed.maintenance.tidy({ isApplied });
  return report.steps.map(
    ({ action, name, other }) => `${action} ${name}${other === undefined ? "" : ` ${other}`}`,
  );
}

describe("heed check --fix", () => {
  test("merges an exact duplicate into the older one, and can take it back", async () => {
    const same = "releases go out on the first Monday of a month";
    home.remember(
      fact("release-day", same, ["tags: [release]"]),
      fact("release-date", same, ["created: 2026-06-02T10:23:00Z", "tags: [calendar]"]),
    );
    expect(await steps()).toEqual(["merge-duplicate release-date release-day"]);
    expect(await home.heed.memories.list({ types: ["project"] })).toHaveLength(2);
    await steps(true);
    const [left, ...none] = await home.heed.memories.list({ types: ["project"] });
    expect(none).toEqual([]);
    expect(left).toMatchObject({ name: "release-day", tags: ["release", "calendar"] });
    expect(await steps()).toEqual([]);
    await home.heed.memories.restore("release-date", { kind: "person" });
    expect(await home.heed.memories.list({ types: ["project"] })).toHaveLength(2);
  });

  test("of three the names of both others find the one that stays", async () => {
    const names = ["f-0", "f-1", "f-2"];
    for (const name of names)
      home.remember(fact(name, "the gateway queue takes 10 units", [`tags: [${name}]`]));
    for (let round = 0; round < 2; round++) await steps(true);
    expect(await home.heed.memories.list({ types: ["project"] })).toHaveLength(1);
    for (const query of names) expect((await home.heed.memories.search({ query })).hits).toHaveLength(1);
  });

  test("leaves what is only alike, says the contrary, or holds elsewhere", async () => {
    home.remember(
      rule("tabs", "always indent the python code of this project with tabs"),
      rule("spaces", "never indent the python code of this project with tabs"),
      fact("x-below", "keep `x < 5` in the gateway"),
      fact("x-above", "keep `x > 5` in the gateway"),
      fact("one", "releases go out on the first Monday of a month", ["scope: { repo: github.com/acme/api }"]),
      fact("two", "releases go out on the first Monday of a month", ["scope: { repo: github.com/acme/web }"]),
    );
    expect(await steps(true)).toEqual([]);
    expect(await home.heed.inbox.list()).toEqual([]);
  });

  test("an expired episode goes whole into the history, where all that it said is found", async () => {
    home.remember(fact("queue", "the job queue runs on Valkey since the licence of Redis changed"));
    const said = [
      "The DHL sandbox rejects ZPL labels wider than 812 dots.",
      "Always send labels as PDF to the DHL sandbox.",
      "Jonas signed the DHL contract on 2026-05-01.",
      "we decided with Ines that UPS surcharges are rounded up to 5 cents",
      "always log the UPS transaction id, because support asks for it",
    ];
    episode(
      "2026-05-02-aaaaaaaa",
      ["**Goal:** labels", "", "**Decisions:**", "", ...said.map((one) => `- ${one}`)],
      "2026-08-01",
    );
    episode("2026-11-01-bbbbbbbb", ["**Goal:** something newer"], "2027-01-30");
    expect(await steps()).toEqual(["drop-episode 2026-05-02-aaaaaaaa"]);
    const report = await home.heed.maintenance.tidy({ isApplied: true });
    expect(report.steps[0]?.reason).toContain("expired on 2026-08-01; its record goes to the history");
    expect((await home.heed.memories.list({ types: ["episode"] })).map(({ name }) => name)).toEqual([
      "2026-11-01-bbbbbbbb",
    ]);
    expect((await home.heed.memories.show("queue")).body).not.toContain("From the session");
    for (const statement of said) {
      const [found] = (await home.heed.conversations.search({ text: statement })).conversations;
      expect(found?.passages[0]).toMatchObject({ kind: "record" });
      const shown = await home.heed.conversations.show({ session: found?.session });
      expect(shown.passages[0]?.text).toContain(statement);
    }
    expect(await steps()).toEqual([]);
    await home.heed.memories.restore("2026-05-02-aaaaaaaa", { kind: "person" });
    expect((await home.heed.memories.list({ types: ["episode"] })).length).toBe(2);
    // A second run after a restore keeps nothing twice.
    expect(await steps(true)).toEqual(["drop-episode 2026-05-02-aaaaaaaa"]);
    const { conversations } = await home.heed.conversations.search({ text: "ZPL labels" });
    expect(conversations).toHaveLength(1);
    expect((await home.heed.conversations.show({ session: conversations[0]?.session })).count).toBe(1);
  });

  test("without a history an expired episode stays", async () => {
    home.write(join(home.userStore, "config.yaml"), "store: user\nhistory: off\n");
    episode("2026-05-02-aaaaaaaa", ["- The job queue keeps its jobs for seven days."], "2026-08-01");
    expect(await steps(true)).toEqual([]);
  });
});
