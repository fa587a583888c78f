import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CHROMIUM, OpenedPage } from "../browser/opened-page.ts";
import type { PageHome } from "../browser/page-home.ts";

/** What is changed in the file of a memory where its remedy is to edit it. */
const EDITS: Readonly<Record<string, (text: string) => string>> = {
  "the largest page is MAX_LIMIT in src/pagination.ts": (text) =>
    text.replaceAll("src/pagination.ts", "src/paging.ts"),
  "the gateway is in src/gone.ts": (text) => text.replace(/ *claims:.*\n/, ""),
  "an odd claim": (text) => text.replace(/ *claims:.*\n/, ""),
  "the freeze ends": (text) => text.replace("2026-01-01", `${new Date().getFullYear() + 1}-01-01`),
  "never skip the tests": (text) => text.replace(/x{100,}/, "it is quick"),
};
const withAliases = (text: string): string => text.replace(/^( *)type: .*$/m, "$&\n$1aliases: [other words]");
/** They lead to what is known; what is done there is up to the reader. */
const LEADS = ["Look at it", "Look at them"];

describe.skipIf(CHROMIUM === undefined)("what is wrong, and its fixes, on the page of heed ui", () => {
  let opened: OpenedPage;
  let page: Page;
  let home: PageHome;

  beforeAll(async () => {
    opened = await OpenedPage.open(0);
    ({ page, home } = opened);
    const now = `created: ${new Date().toISOString()}`;
    home.lay("project", "gone", "the gateway is in src/gone.ts", "It is.", [
      now,
      'claims: ["path:src/gone.ts"]',
    ]);
    home.lay("project", "odd", "an odd claim", "It is odd.", [now, "claims: [nonsense]"]);
    home.lay("project", "late", "the freeze ends", "It ends.", [now, "expires: 2026-01-01"]);
    home.lay("project", "elsewhere", "limits of pages", "They are.", [now, "scope: { branch: feature/x }"]);
    const why = `**Why:** ${"x".repeat(8000)}`;
    home.lay(
      "feedback",
      "long-rule",
      "never skip the tests",
      `Never skip the tests.\n${why}\n**How to apply:** always.`,
      [now],
    );
  }, 180_000);

  afterAll(() => opened.close());

  async function findings(): Promise<[subject: string, remedies: string[]][]> {
    await opened.goTo("setup");
    await page.reload();
    await page.getByRole("heading", { name: "Health" }).waitFor();
    // Their statements come with an answer of its own.
    const links = page.locator(".health .findings > li > div:first-child a");
    const names = async (): Promise<string[]> =>
      (await links.allTextContents()).filter((text) => ["gone", "odd"].includes(text.trim()));
    await expect.poll(names).toEqual([]);
    const found: [string, string[]][] = [];
    for (const one of await page.locator(".health .findings > li").all()) {
      // A finding about several says how many.
      const [name = await one.locator("div").first().innerText()] = await one
        .locator("div:first-child a")
        .allTextContents();
      found.push([name.trim(), await one.locator(".buttons :is(button, .button)").allTextContents()]);
      for (const command of await one.locator(".buttons > code").allTextContents())
        expect(command).toMatch(/^heed (?:why|guard test|guard add|edit|config map) /);
    }
    return found;
  }

  async function apply(subject: string, remedy: string): Promise<void> {
    const finding = page.locator(".health .findings > li", { hasText: subject }).filter({ hasText: remedy });
    await finding.locator(".buttons > *", { hasText: remedy }).first().click();
    if (remedy === "Repair") await page.getByRole("button", { name: "Make exactly this change" }).click();
    else if (remedy === "Remove") {
      const field = page.getByLabel(/Why is it removed/);
      await field.fill("looked at it");
      await field.press("Enter");
    } else if (remedy === "Edit" || remedy === "Give it a later date") {
      const editor = page.getByRole("textbox", { name: /The whole file/ });
      const text = await editor.inputValue();
      await editor.fill((EDITS[subject] ?? withAliases)(text));
      await page.getByRole("button", { name: "Save" }).click();
    }
  }

  test(
    "every remedy mends what it is offered for, and taken back, the finding is there again",
    { timeout: 300_000 },
    async () => {
      const offered = (await findings()).flatMap(([subject, remedies]) =>
        remedies.filter((remedy) => !LEADS.includes(remedy)).map((remedy) => [subject, remedy] as const),
      );
      const titles = new Set(offered.map(([, remedy]) => remedy));
      expect([...titles].sort()).toEqual(["Edit", "Give it a later date", "Remove", "Repair"]);
      for (const [subject, remedy] of offered) {
        const has = async (): Promise<boolean> =>
          (await findings()).some(([name, remedies]) => name === subject && remedies.includes(remedy));
        // The statement that was taken back comes with the next answer.
        await expect.poll(has, { timeout: 30_000, message: `${subject}: ${remedy}` }).toBe(true);
        await apply(subject, remedy);
        await expect.poll(has, { timeout: 30_000, message: `${subject}: ${remedy}` }).toBe(false);
        const heed = home.open();
        // What was laid by hand counts as made in the same second.
        const last = (await heed.history.list()).find(({ summary }) => !summary.includes(" outside heed: "));
        await heed.history.undo({ change: last?.id ?? "" }, { kind: "person" });
        await heed.close();
      }
    },
  );

  test("where a guard stopped a tool, Now says so first, in its own words", async () => {
    const heed = home.open();
    await heed.guards.add(
      "git-push-force",
      { guard: "{command: git push, flags: [--force]}" },
      { kind: "person" },
    );
    const event = { session: "s-91bc", cwd: home.project, client: "test", kind: "tool-use" } as const;
    const input = { command: "git push --force origin main" };
    await heed.session.answer({ ...event, tool: "Bash", input }, { deadlineMs: 15_000 });
    await heed.close();
    await opened.goTo("now");
    await page.getByRole("link", { name: /^1 ?stopped today/ }).click();
    await page.getByText("stopped", { exact: true }).waitFor();
    expect(await page.getByRole("status").first().textContent()).toMatch(/^1 stop/);
  });

  test(
    "when the server is gone, a banner says so, and nothing can be pressed",
    { timeout: 60_000 },
    async () => {
      await opened.goTo("review");
      await home.stop();
      await opened.goTo("review");
      await page.getByRole("alert").getByText("heed ui has ended").waitFor({ timeout: 30_000 });
      expect(await page.getByRole("button", { name: /^Keep/ }).first().isDisabled()).toBe(true);
      expect(await opened.axe()).toEqual([]);
    },
  );
});

describe.skipIf(CHROMIUM === undefined)("heed ui where nothing is remembered yet", () => {
  test("each screen says what to do next, and axe finds nothing", { timeout: 120_000 }, async () => {
    const opened = await OpenedPage.open(0, false);
    for (const screen of ["now", "review", "memories", "setup"]) {
      await opened.goTo(screen);
      const next = opened.page.locator("main :is(.empty, .card p) :is(a, code)");
      expect([screen, (await next.count()) > 0]).toEqual([screen, true]);
      expect([screen, await opened.axe()]).toEqual([screen, []]);
    }
    await opened.close();
  });
});
