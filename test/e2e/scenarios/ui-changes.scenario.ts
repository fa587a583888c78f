import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CHROMIUM, OpenedPage, SHOTS } from "../browser/opened-page.ts";
import type { PageHome } from "../browser/page-home.ts";

describe.skipIf(CHROMIUM === undefined)("what is changed on the page of heed ui", () => {
  let opened: OpenedPage;
  let page: Page;
  let home: PageHome;

  beforeAll(async () => {
    opened = await OpenedPage.open();
    ({ page, home } = opened);
    home.lay("reference", "quokka-board", "quokka board: https://quokka.example/b", "Look there.");
  }, 180_000);

  afterAll(() => opened.close());

  test("a proposal is kept, dropped, and each taken back", async () => {
    await opened.goTo("review");
    const card = page.locator(".pending").first();
    const statement = (await card.locator(".statement").textContent()) ?? "";
    const heed = home.open();
    const waiting = async (): Promise<string[]> =>
      (await heed.inbox.list()).map(({ statement }) => statement);
    for (const decision of ["Keep", "Drop"]) {
      const own = page.locator(".pending", { hasText: statement });
      await own.getByRole("button", { name: decision, exact: true }).click();
      await own.waitFor({ state: "detached" });
      const said = page.getByRole("status").getByText(decision === "Keep" ? statement : /^dropped/);
      await said.waitFor();
      await page.getByRole("button", { name: "Undo" }).click();
      await own.waitFor();
      expect(await waiting()).toContain(statement);
    }
    await heed.close();
  });

  test("rules that a pull changed are shown as differences, and approved as they are shown", async () => {
    const heed = home.open();
    await heed.setup.init("project");
    const body = (when: string): string =>
      `Run the linter ${when}.\n**Why:** the gate is slow.\n**How to apply:** npm run lint.`;
    const rule = { type: "feedback", name: "run-linter", statement: "run the linter before each commit" };
    await heed.memories.write(
      { ...rule, body: body("before each commit"), store: "project" },
      { kind: "person" },
    );
    const { metadata, store } = await heed.memories.show("run-linter");
    expect(store.kind).toBe("project");
    const file = join(store.root, metadata.file);
    // As git does: a new file in the place of the old one.
    const pulled = readFileSync(file, "utf8").replaceAll(
      "before each commit",
      "before each push, never earlier",
    );
    rmSync(file);
    writeFileSync(file, pulled);
    home.commit({}, "what a colleague thinks");
    await opened.goTo("review");
    const changed = page.getByRole("region", { name: "Changed rules" });
    await changed.waitFor({ timeout: 30_000 });
    const text = await changed.locator(".diff").textContent();
    expect(text).toMatch(/^-.*before each commit/m);
    expect(text).toMatch(/^\+.*never earlier/m);
    await page.screenshot({ path: join(SHOTS, "review-changed-rules.png"), fullPage: true });
    await changed.getByRole("button", { name: /^Approve 1 rule as shown/ }).click();
    await page.getByRole("status").getByText("approved").waitFor();
    await changed.waitFor({ state: "detached" });
    expect((await heed.setup.reviewTrust()).entries).toEqual([]);
    await heed.close();
  });

  test("an edit goes through the gates, and overwrites nothing that changed meanwhile", async () => {
    await opened.goTo("memories?open=quokka-board&do=Edit");
    const editor = page.getByRole("textbox", { name: /The whole file/ });
    await editor.fill((await editor.inputValue()).replace("quokka.example/b", "quokka.example/mine"));
    const heed = home.open();
    const text = await editor.inputValue();
    await editor.fill(text.replace("quokka.example/mine", "quokka.example/next, next week"));
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").getByText(/^gate/).waitFor();
    expect(await page.getByRole("alert").textContent()).toContain("→");
    expect(await opened.axe()).toEqual([]);
    await editor.fill(text);
    await heed.memories.update(
      "quokka-board",
      { statement: "quokka board: https://quokka.example/theirs" },
      { kind: "person" },
    );
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").getByText("changed-outside").waitFor();
    expect((await heed.memories.show("quokka-board")).metadata.statement).toContain("theirs");
    expect(await editor.inputValue()).toContain("mine");
    await heed.close();
  });

  test("a memory is renamed, removed and brought back", async () => {
    const heed = home.open();
    const draft = { type: "reference", statement: "wombat wiki: https://wombat.example/wiki" };
    const written = await heed.memories.write(draft, { kind: "person" });
    await heed.close();
    await opened.goTo(`memories?open=${"metadata" in written ? written.metadata.id : ""}`);
    await page.getByRole("button", { name: "Rename" }).click();
    await page.getByLabel("New name").fill("wombat-pages");
    await page.getByLabel("New name").press("Enter");
    await page.getByText("heed:wombat-pages", { exact: true }).waitFor();
    // Its answer closes the form.
    await page
      .getByRole("status")
      .getByText(/rename/)
      .waitFor();
    await page.getByRole("button", { name: "Remove" }).click();
    await page.getByLabel("Why is it removed?").fill("the wiki is gone");
    await page.getByLabel("Why is it removed?").press("Enter");
    await page.getByRole("status").getByText("the wiki is gone").waitFor();
    // Long after the note is gone, too.
    await page.getByText("Recent changes").click();
    const removal = page.locator("details details", { hasText: "the wiki is gone" });
    await removal.locator("summary").click();
    await removal.getByRole("button", { name: "Take this change back" }).click();
    await expect
      .poll(
        async () => {
          const heed = home.open();
          const found = await heed.memories.list({ types: ["reference"] });
          await heed.close();
          return found.some(({ name }) => name === "wombat-pages");
        },
        { timeout: 20_000 },
      )
      .toBe(true);
  });
});
