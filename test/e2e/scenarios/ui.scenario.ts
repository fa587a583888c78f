import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CHROMIUM, OpenedPage, SHOTS } from "../browser/opened-page.ts";
import type { PageHome } from "../browser/page-home.ts";

const SCREENS = ["now", "review", "memories", "setup"];

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

  test("what another process changes is there when one comes back to the page", async () => {
    await opened.goTo("memories?q=quokka");
    await page.getByText("No memory fits").waitFor();
    home.lay("reference", "quokka-board", "quokka board: https://quokka.example/b", "Look there.");
    await page.evaluate("window.dispatchEvent(new Event('focus'))");
    await page.getByRole("link", { name: "quokka board" }).waitFor({ timeout: 30_000 });
  });

  test("2,000 memories are filtered as one types, and the filter stands in the address", async () => {
    await opened.goTo("memories");
    const rows = page.locator(".rows tbody tr");
    await expect.poll(() => rows.count(), { timeout: 20_000 }).toBe(200);
    await page.getByRole("button", { name: /^Show more/ }).click();
    expect(await rows.count()).toBe(400);
    await page.getByRole("searchbox").fill("dashboard 1230 catalog");
    await expect.poll(() => page.url(), { timeout: 10_000 }).toContain("q=dashboard+1230");
    await page.getByRole("searchbox").fill("dashboard 10 of");
    await rows.first().waitFor();
    await expect.poll(() => rows.count(), { timeout: 20_000 }).toBeLessThan(200);
    await page.getByLabel("type", { exact: true }).selectOption("reference");
    await page.reload();
    await rows.first().waitFor();
    expect(await page.getByRole("searchbox").inputValue()).toBe("dashboard 10 of");
  });

  test("a column sorts", async () => {
    await opened.goTo("memories");
    await page.getByRole("link", { name: "injected", exact: true }).click();
    await page.getByRole("columnheader", { name: "injected" }).waitFor();
    expect(await page.locator(".rows tbody tr").first().textContent()).toContain(
      "never use git push --force",
    );
  });

  test("why something was injected is asked where it is named: on Now, and in the memory", async () => {
    await opened.goTo("now");
    const injection = page.locator(".injection", { hasText: "what is the largest page?" }).first();
    await injection.locator("summary").click();
    await injection.locator("pre").getByText("heed:page-limit").waitFor();
    await injection
      .getByText(/relevant with \d+ %/)
      .first()
      .waitFor();
    await opened.goTo("memories?open=page-limit");
    const told = page.locator(".detail .injection", { hasText: "what is the largest page?" });
    await told.locator("summary").click();
    await told.locator("pre").getByText("heed:page-limit").waitFor();
  });

  test("the whole page goes by keyboard alone, and the focus goes along", async () => {
    const focused = (): Promise<string> =>
      page.evaluate(
        "[document.activeElement.localName, (document.activeElement.ariaLabel ?? document.activeElement.textContent).trim()].join(' | ')",
      );
    const until = async (key: string, wanted: string | RegExp): Promise<void> => {
      for (let i = 0; i < 40 && !(await focused()).match(wanted); i++) await page.keyboard.press(key);
      expect(await focused()).toMatch(wanted);
    };
    home.lay("reference", "wombat-pages", "wombat wiki: https://wombat.example/wiki", "Look there.");
    await opened.goTo("now");
    await until("Shift+Tab", /^a \| Memories/);
    await page.keyboard.press("Enter");
    await expect.poll(focused, { timeout: 20_000 }).toBe("main | Memories");
    await until("Tab", /^input \| Filter by words/);
    await page.keyboard.type("wombat");
    await expect.poll(() => page.locator(".rows tbody tr").count(), { timeout: 30_000 }).toBe(1);
    expect(await page.getByRole("status").first().textContent()).toMatch(/^1 of /);
    await until("Tab", /^a \| wombat wiki/);
    await page.keyboard.press("Enter");
    await expect.poll(focused, { timeout: 20_000 }).toMatch(/^h2 \| wombat wiki/);
    expect(await page.title()).toMatch(/^wombat wiki/);
    expect(await page.locator('.rows a[aria-current="true"]').count()).toBe(1);
    await until("Shift+Tab", /^a \| Close/);
    await page.keyboard.press("Enter");
    await expect.poll(focused, { timeout: 20_000 }).toMatch(/^a \| wombat wiki/);
    expect(await page.title()).toBe("Memories · heed");
    // What had the focus goes with a decision: it is on the title then, and the next Enter decides nothing.
    await opened.goTo("review");
    const waiting = await page.locator(".pending").count();
    await until("Tab", /^button \| Drop/);
    await page.keyboard.press("Enter");
    await expect.poll(focused, { timeout: 20_000 }).toBe("h2 | Review");
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => page.locator(".pending").count(), { timeout: 20_000 }).toBe(waiting);
  });

  test("the accessibility tree says who proposed what, and what is wrong, with its remedy", async () => {
    await opened.goTo("review");
    const review = (): Promise<string> => page.locator("main").ariaSnapshot();
    // The count follows a decision a moment later.
    for (const part of ["status: 3 waiting", "article ", "by test"])
      await expect.poll(review, { timeout: 20_000 }).toContain(part);
    await opened.goTo("setup");
    const setup = await page.locator("main").ariaSnapshot();
    for (const part of ["status: 1 wrong", 'heading "Out of date: the code changed', 'link "Repair"'])
      expect(setup).toContain(part);
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
          await opened.goTo(screen);
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

  test("what others wrote is text, whatever it looks like", async () => {
    const attacks = [
      "<script>document.title='owned'</script>",
      "<img src=x onerror=document.title='owned'>",
      "<svg/onload=document.title='owned'>",
      "<iframe srcdoc='<script>top.document.title=1</script>'></iframe>",
      "[link](javascript:document.title='owned')",
      "[link](JaVaScRiPt:alert(1))",
      "[link](data:text/html,<script>alert(1)</script>)",
      "[link](vbscript:msgbox)",
      "[link](//evil.example/x)",
      "[link](https://user:pass@evil.example/)",
      "![image](https://evil.example/pixel.png)",
      '![image](x"onerror="alert(1))',
      "<https://evil.example/><style>*{display:none}</style>",
      "<a href=javascript:alert(1)>x</a>",
      "<form action=https://evil.example><button>x",
      "`</code><script>alert(1)</script>`",
      "```html\n</pre><script>alert(1)</script>\n```",
      "| a |\n|---|\n| <img src=x onerror=alert(1)> |",
      "&lt;script&gt;alert(1)&lt;/script&gt;",
      "\u202egnp.exe",
      "{{constructor.constructor('alert(1)')()}}",
    ];
    for (const [i, attack] of attacks.entries())
      home.lay("project", `xss-${i}`, `${attack} number ${i}`, attack, [
        `tags: [${JSON.stringify(attack)}]`,
        `trigger: [${JSON.stringify(attack)}]`,
        `claims: [${JSON.stringify(`path:${attack}`)}]`,
        `origin: { branch: ${JSON.stringify(attack)}, client: ${JSON.stringify(attack)} }`,
        `scope: { paths: [${JSON.stringify(attack)}] }`,
      ]);
    home.lay("project", "<img src=x onerror=alert(1)>", "a name", "a name");
    home.lay("<b>type</b>", "odd-type", "a type", "a type");
    for (const [i, attack] of attacks.entries()) {
      await opened.goTo(`memories?q=xss&open=xss-${i}`);
      await page.locator(".detail h2").waitFor();
      await page.getByText(`heed:xss-${i}`, { exact: true }).waitFor();
      const made: string[] = await page.evaluate(`[...document.querySelectorAll(
        "main :is(script, style, img, iframe, form[action], object, embed, base, meta, link, svg[onload])")].map((one) => one.outerHTML)`);
      expect([attack, made]).toEqual([attack, []]);
      const links: string[] = await page.evaluate(
        `[...document.querySelectorAll(".prose a")].map((one) => one.href + " " + one.rel)`,
      );
      // A text is shown as it is written, letter by letter but for signs that reverse it.
      const statement = attack.replace("\u202e", "\ufffd").replace(/\s+/g, " ");
      expect(await page.locator(".statement").textContent()).toContain(statement);
      for (const link of links) {
        expect(link).toMatch(/^https?:\/\/(?!user)/);
        expect(link).toContain("noopener");
      }
      const handlers: number = await page.evaluate(
        `[...document.querySelectorAll("main *")].filter((one) => [...one.attributes].some(({ name }) => name.startsWith("on"))).length`,
      );
      expect(handlers).toBe(0);
    }
    await opened.goTo("memories?q=onerror");
    await page.locator(".rows tbody tr").first().waitFor();
    for (const screen of ["setup", "now"]) {
      await opened.goTo(screen);
      expect(await page.locator("main :is(script, img, iframe)").count()).toBe(0);
    }
    expect(await page.title()).not.toContain("owned");
  });
});
