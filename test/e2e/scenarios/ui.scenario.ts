import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findChromium, openChromium } from "../browser/open-chromium.ts";
import { PageHome } from "../browser/page-home.ts";
import { pastWeeks } from "../browser/past-weeks.ts";

const CHROMIUM = findChromium();
const SCREENS = ["now", "review", "memories", "why", "health", "history", "picture", "setup"];
/** For a look by eye. */
const SHOTS = join(import.meta.dirname, "../../../.e2e/ui");
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const MEMORIES = 2_000;

if (CHROMIUM === undefined) {
  const message =
    "the scenarios of heed ui: there is no Chromium here. apt-get install chromium, or set HEED_E2E_CHROMIUM.";
  if (process.env["CI"]) throw new Error(message);
  console.error(`\nSKIPPED: ${message}\n`);
}

describe.skipIf(CHROMIUM === undefined)("heed ui in a browser", () => {
  let home: PageHome;
  let context: BrowserContext;
  let page: Page;
  const troubles: string[] = [];
  const requested: string[] = [];

  beforeAll(async () => {
    mkdirSync(SHOTS, { recursive: true });
    home = new PageHome();
    home.fill(MEMORIES);
    await pastWeeks(home);
    await home.live();
    mkdirSync(join(home.folder, ".codex"));
    writeFileSync(join(home.folder, ".codex/config.toml"), 'model = "gpt-5" # mine\n');
    context = await openChromium(CHROMIUM ?? "", join(home.folder, "profile"));
    page = context.pages()[0] ?? (await context.newPage());
    page.on("pageerror", (error) => troubles.push(String(error)));
    page.on("console", (message) => {
      // The browser says itself which answers were refusals.
      if (message.type() === "error" && !message.text().includes("422")) troubles.push(message.text());
    });
    page.on("dialog", (dialog) => troubles.push(`dialog ${dialog.message()}`));
    page.on("request", (request) => requested.push(request.url()));
    await page.goto(await home.serve());
    await page.getByRole("heading", { name: "Now", level: 2 }).waitFor();
  }, 120_000);

  afterAll(async () => {
    await context?.close();
    await home?.remove();
  });

  const goTo = async (screen: string): Promise<void> => {
    await page.evaluate(`location.hash = ${JSON.stringify(`#/${screen}`)}`);
    await expect
      .poll(() => page.locator("main .loading, main [aria-busy=true]").count(), { timeout: 30_000 })
      .toBe(0);
  };

  test("the ticket is out of the address and of the history at once", async () => {
    expect(page.url()).not.toContain("ticket");
    await page.goBack().catch(() => null);
    expect(page.url()).not.toContain("ticket");
    await page.goForward().catch(() => null);
    await page.reload();
    await page.getByRole("heading", { name: "Now", level: 2 }).waitFor();
  });

  test("Now tells what sessions were given, with reason and cost", async () => {
    await goTo("now");
    await page
      .getByText("never use git push --force")
      .or(page.getByRole("link", { name: "git-push-force" }))
      .first()
      .waitFor();
    expect(await page.locator(".telling").first().textContent()).toMatch(/tokens/);
  });

  test("what another process changes appears by itself", async () => {
    await goTo("memories?q=quokka");
    await page.getByText("No memory fits").waitFor();
    home.remember("reference", "quokka-board", "quokka board: https://quokka.example/b", "Look there.");
    await page.getByRole("link", { name: "quokka-board" }).waitFor({ timeout: 30_000 });
  });

  test("2,000 memories are filtered as one types, and the filter stands in the address", async () => {
    await goTo("memories");
    await page.getByRole("searchbox").fill("dashboard 1230 billing");
    await expect.poll(() => page.url(), { timeout: 10_000 }).toContain("q=dashboard+1230");
    await page.getByRole("searchbox").fill("dashboard 10 of");
    await page.locator(".table-rows [role=row]").first().waitFor();
    expect(await page.locator(".table-rows [role=row]").count()).toBeLessThan(60);
    await page.getByLabel("type", { exact: true }).selectOption("reference");
    await page.reload();
    await page.locator(".table-rows [role=row]").first().waitFor();
    expect(await page.getByRole("searchbox").inputValue()).toBe("dashboard 10 of");
  });

  test("a memory is reviewed by keys: kept, taken back, dropped, left for later", async () => {
    await goTo("review");
    const statement = page.locator(".pending .statement");
    const first = (await statement.textContent()) ?? "";
    await page.keyboard.press("s");
    await expect.poll(() => statement.textContent(), { timeout: 10_000 }).not.toBe(first);
    const second = (await statement.textContent()) ?? "";
    await page.keyboard.press("k");
    await page.getByRole("status").getByText(second).waitFor();
    const heed = home.open();
    expect((await heed.memories.search({ query: second })).hits[0]?.card.description).toBe(second);
    await page.keyboard.press("u");
    await page.getByRole("status").getByText("undo").waitFor();
    expect((await heed.memories.list({ types: ["user"] })).map(({ description }) => description)).toEqual([]);
    expect((await heed.inbox.list()).map(({ description }) => description)).toContain(second);
    await expect.poll(() => page.locator(".review").textContent(), { timeout: 10_000 }).toContain(second);
    const third = (await statement.textContent()) ?? "";
    await page.keyboard.press("d");
    await page.getByRole("status").getByText("dropped").waitFor();
    await page.keyboard.press("u");
    await page.getByRole("status").getByText("waits again").waitFor();
    expect((await heed.inbox.list()).map(({ description }) => description)).toContain(third);
    await heed.close();
  });

  test("a proposal is put right before it counts: its words and its type", async () => {
    await goTo("review");
    await page.keyboard.press("e");
    await page.getByRole("combobox", { name: /^Type/ }).selectOption("project");
    await page.getByLabel("In one sentence").fill("short answers are the style of the whole team");
    await page.getByRole("button", { name: "Keep it so" }).click();
    await page.getByRole("status").getByText("short answers are the style").waitFor();
    const heed = home.open();
    const [found] = (await heed.memories.search({ query: "style of the whole team" })).hits;
    expect([found?.card.type, found?.card.status]).toEqual(["project", "confirmed"]);
    await heed.close();
  });

  test("what resembles another is kept as distinct, once one has seen both", async () => {
    const heed = home.open();
    await heed.memories.write(
      { type: "user", description: "The user reviews pull requests in the early morning" },
      { kind: "person" },
    );
    await goTo("review");
    const statement = page.locator(".pending .statement");
    for (let i = 0; i < 4; i++) {
      if ((await statement.textContent())?.includes("reviews pull requests") === true) break;
      const before = await statement.textContent();
      await page.keyboard.press("s");
      await expect.poll(() => statement.textContent(), { timeout: 10_000 }).not.toBe(before);
    }
    await page.keyboard.press("k");
    await page.getByRole("alert").getByText("gate duplicate").waitFor();
    await page.getByRole("button", { name: "Keep, it is distinct" }).click();
    await page.getByRole("status").getByText("in the morning").waitFor();
    const kept = await heed.memories.list({ types: ["user"] });
    expect(kept.filter(({ description }) => description.includes("pull requests"))).toHaveLength(2);
    await heed.close();
  });

  test("rules that a pull changed are shown as differences, and approved as they are shown", async () => {
    const heed = home.open();
    await heed.setup.init("project");
    const body = (when: string): string =>
      `Run the linter ${when}.\n**Why:** the gate is slow.\n**How to apply:** npm run lint.`;
    const rule = { type: "feedback", name: "run-linter", description: "run the linter before each commit" };
    await heed.memories.write({ ...rule, body: body("before each commit") }, { kind: "person" });
    const { card, store } = await heed.memories.show("run-linter");
    expect(store.kind).toBe("project");
    const file = join(store.root, card.file);
    writeFileSync(
      file,
      readFileSync(file, "utf8").replaceAll("before each commit", "before each push, never earlier"),
    );
    home.commit("what a colleague thinks");
    await goTo("review");
    const changed = page.getByRole("region", { name: "Changed rules" });
    await changed.waitFor({ timeout: 30_000 });
    const text = await changed.locator(".diff").textContent();
    expect(text).toMatch(/^-.*before each commit/m);
    expect(text).toMatch(/^\+.*never earlier/m);
    await page.screenshot({ path: join(SHOTS, "review-changed-rules.png"), fullPage: true });
    await changed.getByRole("button", { name: /^Approve/ }).click();
    await page.getByRole("status").getByText("approved").waitFor();
    await changed.waitFor({ state: "detached" });
    expect((await heed.setup.reviewTrust()).entries).toEqual([]);
    await heed.close();
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
      home.remember("project", `xss-${i}`, `${attack} number ${i}`, attack, [
        `tags: [${JSON.stringify(attack)}]`,
        `trigger: [${JSON.stringify(attack)}]`,
        `claims: [${JSON.stringify(`path:${attack}`)}]`,
        `origin: { branch: ${JSON.stringify(attack)}, client: ${JSON.stringify(attack)} }`,
        `scope: { paths: [${JSON.stringify(attack)}] }`,
      ]);
    home.remember("project", "<img src=x onerror=alert(1)>", "a name", "a name");
    home.remember("<b>type</b>", "odd-type", "a type", "a type");
    for (const [i, attack] of attacks.entries()) {
      await goTo(`memories?q=xss&open=xss-${i}`);
      await page.locator(".detail h2").waitFor();
      await page.getByRole("heading", { name: `xss-${i}`, exact: true }).waitFor();
      const made: string[] = await page.evaluate(`[...document.querySelectorAll(
        "main :is(script, style, img, iframe, form[action], object, embed, base, meta, link, svg[onload])")].map((one) => one.outerHTML)`);
      expect([attack, made]).toEqual([attack, []]);
      const links: string[] = await page.evaluate(
        `[...document.querySelectorAll(".prose a")].map((one) => one.href + " " + one.rel)`,
      );
      for (const link of links) {
        expect(link).toMatch(/^https?:\/\/(?!user)/);
        expect(link).toContain("noopener");
      }
      const handlers: number = await page.evaluate(
        `[...document.querySelectorAll("main *")].filter((one) => [...one.attributes].some(({ name }) => name.startsWith("on"))).length`,
      );
      expect(handlers).toBe(0);
    }
    await goTo("memories?q=onerror");
    await page.locator(".table-rows [role=row]").first().waitFor();
    for (const screen of [
      "health",
      "picture",
      "why?prompt=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E",
      "history",
    ]) {
      await goTo(screen);
      expect(await page.locator("main :is(script, img, iframe)").count()).toBe(0);
    }
    expect(await page.title()).not.toContain("owned");
  });

  test("an edit goes through the gates, and overwrites nothing that changed meanwhile", async () => {
    await goTo("memories?open=quokka-board&do=edit");
    const editor = page.getByRole("textbox", { name: /The file/ });
    await editor.fill((await editor.inputValue()).replace("quokka.example/b", "quokka.example/mine"));
    const heed = home.open();
    await heed.memories.update(
      "quokka-board",
      { description: "quokka board: https://quokka.example/theirs" },
      { kind: "person" },
    );
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Nothing was overwritten").waitFor();
    expect((await heed.memories.show("quokka-board")).card.description).toContain("theirs");
    expect(await editor.inputValue()).toContain("mine");
    await page.getByRole("button", { name: "Save mine over it" }).click();
    await page.locator(".statement, .prose").getByText("mine").first().waitFor();
    await heed.close();
  });

  test("two tabs do not overwrite each other", async () => {
    const other = await context.newPage();
    // A second tab has the key from the first, by no address.
    await other.goto(`${new URL(page.url()).origin}/#/memories?open=quokka-board&do=edit`);
    await goTo("memories?open=quokka-board&do=edit");
    const [mine, theirs] = [page, other].map((tab) => tab.getByRole("textbox", { name: /The file/ }));
    await mine?.fill((await mine.inputValue()).replace("/mine", "/first"));
    await theirs?.fill((await theirs.inputValue()).replace("/mine", "/second"));
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("status").getByText("first").waitFor();
    await other.getByRole("button", { name: "Save" }).click();
    await other.getByText("Nothing was overwritten").waitFor();
    expect(await theirs?.inputValue()).toContain("/second");
    expect(await other.locator(".conflict pre").textContent()).toContain("/first");
    await other.close();
  });

  test("a refusal says the gate, the reason and the remedy", async () => {
    await goTo("memories?open=new");
    await page.getByRole("combobox", { name: /^Type/ }).selectOption("reference");
    await page.getByLabel(/In one sentence/).fill("the board is somewhere");
    await page.getByRole("button", { name: "Remember" }).click();
    await page.getByRole("alert").getByText(/^gate/).waitFor();
    expect(await page.getByRole("alert").textContent()).toContain("→");
  });

  test("a broken claim is repaired by a button, from where Health names it", async () => {
    await goTo("health");
    const finding = page.locator("li", { hasText: "page-limit" }).first();
    await finding.getByRole("link", { name: "Repair" }).click();
    await page.getByRole("button", { name: "Make exactly this change" }).click();
    await page.getByRole("status").getByText("repaired").waitFor();
    const heed = home.open();
    expect((await heed.memories.show("page-limit")).body).toContain("src/paging.ts");
    await heed.close();
  });

  test("Why tells what a prompt would be told, and what not, and replays what was", async () => {
    await goTo("why");
    await page.getByLabel(/A prompt/).fill("where is dashboard 10 of the cache in billing?");
    await page.keyboard.press("Enter");
    await page.getByText("It would be told").waitFor();
    expect(await page.locator(".candidates tbody tr").count()).toBeGreaterThan(0);
    await page
      .getByRole("button", { name: /^terms/ })
      .first()
      .click();
    await page.locator(".terms").getByText("telling words in common").waitFor();
    await goTo("why");
    await page.locator(".map-lines li").first().waitFor();
    await page.getByRole("region", { name: "Prompts of late" }).getByRole("link").first().click();
    await page.getByText("It was told").waitFor();
    await page.getByText("The same prompt today").waitFor();
    await goTo("now");
    await page.getByRole("link", { name: "why", exact: true }).first().click();
    await page.getByText("It was told").waitFor();
  });

  test("what a session is told meanwhile appears by itself", async () => {
    await goTo("now");
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
    await goTo("history?view=said");
    await page.getByRole("searchbox").fill("token rotation password form");
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByText("src/auth/token-rotation.ts").waitFor({ timeout: 30_000 });
    expect(await page.locator("main").textContent()).not.toContain("[redacted");
    await page.getByRole("button", { name: "the whole conversation" }).first().click();
    await page.getByText("src/ui/password-form.tsx").waitFor();
    await page.getByRole("button", { name: "Back to the search" }).click();
    await goTo("history");
    await page.getByText("feature/limits").waitFor();
  });

  test("a client is connected and taken out again, what would be written shown first", async () => {
    const config = join(home.folder, ".codex/config.toml");
    const before = readFileSync(config, "utf8");
    await goTo("setup");
    await page.getByRole("button", { name: "Connect … Codex" }).click();
    const plan = page.getByRole("region", { name: /What would be written for Codex/ });
    await plan.getByText("[mcp_servers.heed]").waitFor();
    expect(readFileSync(config, "utf8")).toBe(before);
    await page.screenshot({ path: join(SHOTS, "setup-plan.png"), fullPage: true });
    expect(await axe(page)).toEqual([]);
    // Somebody else writes the file: what was shown is not what would be written.
    writeFileSync(config, `${before}# and this\n`);
    await plan.getByRole("button", { name: "Write exactly this" }).click();
    await page.getByRole("alert").getByText("changed since this was shown").waitFor();
    expect(readFileSync(config, "utf8")).not.toContain("heed");
    writeFileSync(config, before);
    await page.getByRole("button", { name: "Leave it" }).click();
    await page.getByRole("button", { name: "Connect … Codex" }).click();
    await plan.getByRole("button", { name: "Write exactly this" }).click();
    await page.getByRole("status").getByText("is connected").waitFor();
    expect(readFileSync(config, "utf8")).toContain("[mcp_servers.heed]");
    await page.getByRole("button", { name: "Examine" }).click();
    await page.getByText(/All is well|wrong\./).waitFor({ timeout: 120_000 });
    expect(await page.getByRole("region", { name: "Doctor" }).textContent()).toContain("codex guard");
    await page.screenshot({ path: join(SHOTS, "setup-doctor.png"), fullPage: true });
    await page.getByRole("button", { name: "Take heed out … Codex" }).click();
    await page.getByRole("button", { name: "Write exactly this" }).click();
    await page.getByRole("status").getByText("heed is out of").waitFor();
    expect(readFileSync(config, "utf8")).toBe(before);
  });

  test("a memory is created, renamed, removed and brought back", async () => {
    await goTo("memories?open=new");
    await page.getByRole("combobox", { name: /^Type/ }).selectOption("reference");
    await page.getByLabel(/In one sentence/).fill("wombat wiki: https://wombat.example/wiki");
    await page.getByLabel(/^Name/).fill("wombat-wiki");
    await page.getByRole("button", { name: "Remember" }).click();
    await page.getByRole("button", { name: "Rename" }).click();
    await page.getByLabel("New name").fill("wombat-pages");
    await page.getByLabel("New name").press("Enter");
    await page.getByRole("heading", { name: "wombat-pages" }).waitFor();
    await page.getByRole("button", { name: "Remove" }).click();
    await page.getByLabel("Why is it removed?").fill("the wiki is gone");
    await page.getByLabel("Why is it removed?").press("Enter");
    await page.getByRole("status").getByText("the wiki is gone").waitFor();
    await page.getByRole("button", { name: /Undo/ }).click();
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

  test("a guard is put into force, and tried", async () => {
    await goTo("memories?open=git-push-force&do=guard");
    await page.getByRole("button", { name: "Put it into force" }).click();
    await page.getByRole("status").getByText(/guard/).waitFor();
    await goTo("setup");
    await page.getByLabel(/Try a command/).fill("git push --force origin main");
    await page.getByRole("button", { name: "Ask the guards" }).click();
    await page.getByText("deny", { exact: true }).waitFor();
  });

  test("the whole page goes by keyboard alone", async () => {
    await goTo("now");
    await page.evaluate("document.activeElement?.blur()");
    await page.keyboard.press("3");
    await page.locator(".table-rows [role=row]").first().waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("wombat");
    await page.keyboard.press("Escape");
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "wombat-pages" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("heading", { name: "wombat-pages" }).waitFor({ state: "detached" });
    await page.keyboard.press("?");
    await page.getByRole("region", { name: "Keys" }).waitFor();
    await page.keyboard.press("?");
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
          await goTo(
            screen === "why" ? "why?prompt=where+is+dashboard+10+of+the+cache+in+billing%3F" : screen,
          );
          await page.screenshot({ path: join(SHOTS, `${screen}-${colorScheme}-${name}.png`) });
          const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
          expect([name, overflow]).toEqual([name, 0]);
        }
        await page.setViewportSize({ width: 1280, height: 800 });
        if (screen === "memories") await goTo("memories?open=git-push-force");
        await page.screenshot({ path: join(SHOTS, `${screen}-${colorScheme}-open.png`) });
        const violations = await axe(page);
        expect(violations).toEqual([]);
      },
    );
  });

  test("speaks to nobody but its own server, and nothing went wrong on the way", () => {
    const origin = new URL(page.url()).origin;
    expect([...new Set(requested.map((url) => new URL(url).origin))]).toEqual([origin]);
    expect(troubles).toEqual([]);
  });
});

/** What axe finds wrong, in words. */
async function axe(page: Page): Promise<string[]> {
  // Not as an element of the page: its policy lets no other script in.
  await page.evaluate(`(() => { ${AXE} })()`);
  interface Violation {
    id: string;
    nodes: { html: string; failureSummary: string }[];
  }
  const violations: Violation[] = await page.evaluate("axe.run().then(({ violations }) => violations)");
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary.slice(0, 300)}`),
  );
}
