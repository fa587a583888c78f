import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CHROMIUM, OpenedPage, SHOTS } from "../browser/opened-page.ts";
import type { PageHome } from "../browser/page-home.ts";

const SCREENS = ["now", "review", "memories", "why", "health", "history", "setup"];

describe.skipIf(CHROMIUM === undefined)("heed ui in a browser", () => {
  let opened: OpenedPage;
  let page: Page;
  let home: PageHome;

  beforeAll(async () => {
    opened = await OpenedPage.open();
    ({ page, home } = opened);
  }, 180_000);

  afterAll(() => opened.close());

  test("the ticket is out of the address and of the history at once", async () => {
    expect(page.url()).not.toContain("ticket");
    await page.goBack().catch(() => null);
    expect(page.url()).not.toContain("ticket");
    await page.goForward().catch(() => null);
    await page.reload();
    await page.getByRole("heading", { name: "Now", level: 2 }).waitFor();
  });

  test("Now tells what sessions were given, with reason and cost", async () => {
    await opened.goTo("now");
    await page.getByRole("link", { name: "never use git push --force" }).first().waitFor();
    expect(await page.locator(".injection").first().textContent()).toMatch(/tokens/);
    const today = page.getByRole("list", { name: "Today" });
    await today.getByRole("link", { name: /^3 waiting for approval/ }).waitFor();
    // The same figure here, in the table that it leads to, and on each of its rows.
    await today.getByRole("link", { name: /^1 moved or expired/ }).click();
    await page
      .getByRole("status")
      .getByText(/^1 of /)
      .waitFor();
    // Where git does not answer in time, the file is known to be gone, and not where it went.
    expect(await page.locator(".rows .known").allTextContents()).toEqual([
      expect.stringMatching(/^◐ now src\/paging\.ts, |src\/pagination\.ts is gone/),
    ]);
    await opened.goTo("memories");
    expect(await page.locator(".rows .known").count()).toBeLessThan(2);
  });

  test("what another process changes appears by itself", async () => {
    await opened.goTo("memories?q=quokka");
    await page.getByText("No memory fits").waitFor();
    home.remember("reference", "quokka-board", "quokka board: https://quokka.example/b", "Look there.");
    await page.getByRole("link", { name: "quokka board" }).waitFor({ timeout: 30_000 });
  });

  test("2,000 memories are filtered as one types, and the filter stands in the address", async () => {
    await opened.goTo("memories");
    const rows = page.locator(".rows tbody tr");
    await expect.poll(() => rows.count(), { timeout: 20_000 }).toBe(200);
    await page.getByRole("button", { name: /^Show more/ }).click();
    expect(await rows.count()).toBe(400);
    await page.getByRole("searchbox").fill("dashboard 1230 billing");
    await expect.poll(() => page.url(), { timeout: 10_000 }).toContain("q=dashboard+1230");
    await page.getByRole("searchbox").fill("dashboard 10 of");
    await rows.first().waitFor();
    await expect.poll(() => rows.count(), { timeout: 20_000 }).toBeLessThan(200);
    await page.getByLabel("type", { exact: true }).selectOption("reference");
    await page.reload();
    await rows.first().waitFor();
    expect(await page.getByRole("searchbox").inputValue()).toBe("dashboard 10 of");
  });

  test("Why tells what a prompt would be told, and what not, and what was told", async () => {
    await opened.goTo("why");
    await page.getByLabel(/A prompt/).fill("where is dashboard 10 of the cache in billing?");
    await page.keyboard.press("Enter");
    await page.getByText("It would get").waitFor();
    expect(await page.locator(".candidates tbody tr").count()).toBeGreaterThan(0);
    await page
      .getByRole("button", { name: /^terms/ })
      .first()
      .click();
    await page.locator(".terms").getByText("telling words in common").waitFor();
    await opened.goTo("why");
    await page.locator(".map-lines li").first().waitFor();
    await opened.goTo("now");
    await page.getByRole("link", { name: "why", exact: true }).first().click();
    await page.getByText("It got").waitFor();
  });

  test("what a session is told meanwhile appears by itself", async () => {
    await opened.goTo("now");
    const heed = home.open();
    await heed.session.answer(
      {
        session: "s-live",
        cwd: home.project,
        client: "test",
        kind: "prompt",
        prompt: "look at dashboard 40 of retries",
      },
      { deadlineMs: 15_000 },
    );
    await heed.close();
    await page.getByText("look at dashboard 40 of retries").waitFor({ timeout: 30_000 });
  });

  test("past conversations are searched, and their paths are no secrets", async () => {
    await opened.goTo("history?view=said");
    await page.getByRole("searchbox").fill("token rotation password form");
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByText("src/auth/token-rotation.ts").waitFor({ timeout: 30_000 });
    expect(await page.locator("main").textContent()).not.toContain("[redacted");
    await page.getByRole("button", { name: "the whole conversation" }).first().click();
    await page.getByText("src/ui/password-form.tsx").waitFor();
    await page.getByRole("button", { name: "Back to the search" }).click();
    await opened.goTo("history");
    await page.getByText("feature/limits").waitFor();
  });

  test("the whole page goes by keyboard alone, and the focus goes along", async () => {
    /** What has the focus, as a screen reader names it. */
    const focused = (): Promise<string> =>
      page.evaluate(
        `(({ localName, textContent, ariaLabel, ariaCurrent }) =>
          [localName, (ariaLabel ?? textContent).trim(), ...(ariaCurrent === "true" ? ["current"] : [])].join(" | "))(document.activeElement)`,
      );
    home.remember("reference", "wombat-pages", "wombat wiki: https://wombat.example/wiki", "Look there.");
    home.remember("reference", "wombat-board", "wombat board: https://wombat.example/b", "Look there.");
    await opened.goTo("now");
    await page.keyboard.press("3");
    await expect.poll(focused, { timeout: 20_000 }).toBe("main | Memories");
    await page.locator(".rows tbody tr").first().waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("wombat");
    await expect.poll(() => page.locator(".rows tbody tr").count(), { timeout: 30_000 }).toBe(2);
    expect(await page.getByRole("status").first().textContent()).toMatch(/^2 of /);
    await page.keyboard.press("Escape");
    const [first = "", second = ""] = await page.locator(".rows tbody a").allTextContents();
    expect(await focused()).toBe(`a | ${first}`);
    await page.keyboard.press("j");
    expect(await focused()).toBe(`a | ${second}`);
    // One stop of the Tab key in the whole list.
    expect(await page.locator('.rows a[tabindex="0"]').count()).toBe(1);
    await page.keyboard.press("Enter");
    await expect.poll(focused, { timeout: 20_000 }).toBe(`h2 | ${second}`);
    expect(await page.title()).toBe(`${second} · heed`);
    expect(await page.locator('.rows a[aria-current="true"]').textContent()).toBe(second);
    await page.keyboard.press("Escape");
    await expect.poll(focused, { timeout: 20_000 }).toBe(`a | ${second}`);
    // With one open, the keys go through the list and what is open follows.
    await page.keyboard.press("Enter");
    await expect.poll(focused, { timeout: 20_000 }).toBe(`h2 | ${second}`);
    await page.keyboard.press("k");
    await expect.poll(focused, { timeout: 20_000 }).toBe(`a | ${first} | current`);
    await page.getByRole("heading", { name: first }).waitFor();
    expect(await focused()).toBe(`a | ${first} | current`);
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    const keys = page.getByRole("dialog", { name: "Keys" });
    await keys.waitFor();
    expect(await opened.axe()).toEqual([]);
    await page.keyboard.press("Escape");
    await keys.waitFor({ state: "hidden" });
  });

  test.each([
    ["now", ['heading "Now"', 'list "Today"', "status: ", "combobox"]],
    ["review", ['heading "Review"', "status: 3 waiting", 'button "Keep"', 'article "Waiting memory"']],
    [
      "memories",
      ['heading "Memories"', "status: ", 'columnheader "injected"', 'table "Memories"', 'combobox "state"'],
    ],
    [
      "why",
      ['heading "Why"', 'textbox "A prompt, as it could be typed here"', 'button "What would it get?"'],
    ],
    [
      "health",
      ['heading "Health"', "status: 1 wrong", 'heading "What they name has changed', 'link "Repair"'],
    ],
    ["history", ['heading "History"', 'group "What to show"', 'button "Sessions" [pressed]']],
    ["setup", ['heading "Setup"', 'heading "Guards"', "status: heed"]],
  ] as const)("%s: the accessibility tree says what is there", async (screen, parts) => {
    await opened.goTo(screen);
    const tree = await page.locator("main").ariaSnapshot();
    for (const part of parts) expect(tree).toContain(part);
    const banner = await page.getByRole("banner").ariaSnapshot();
    expect(banner).toContain("shop-api");
    expect(banner).not.toContain("root:");
  });

  describe.each(["light", "dark"] as const)("%s", (colorScheme) => {
    test.each(SCREENS)(
      "%s: axe finds nothing, at full width, narrow and at 200 %",
      { timeout: 120_000 },
      async (screen) => {
        await page.emulateMedia({ colorScheme });
        for (const [name, width, height] of [
          ["wide", 1280, 800],
          ["narrow", 390, 844],
          ["200", 640, 400],
        ] as const) {
          await page.setViewportSize({ width, height });
          await opened.goTo(
            screen === "why" ? "why?prompt=where+is+dashboard+10+of+the+cache+in+billing%3F" : screen,
          );
          await page.screenshot({ path: join(SHOTS, `${screen}-${colorScheme}-${name}.png`) });
          const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
          expect([name, overflow]).toEqual([name, 0]);
        }
        await page.setViewportSize({ width: 1280, height: 800 });
        if (screen === "memories") await opened.goTo("memories?open=git-push-force");
        await page.screenshot({ path: join(SHOTS, `${screen}-${colorScheme}-open.png`) });
        const violations = await opened.axe();
        expect(violations).toEqual([]);
      },
    );
  });

  test("speaks to nobody but its own server, and nothing went wrong on the way", () => {
    expect(opened.troubles).toEqual([]);
  });
});
