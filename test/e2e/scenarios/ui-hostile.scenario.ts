import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CHROMIUM, OpenedPage } from "../browser/opened-page.ts";
import type { PageHome } from "../browser/page-home.ts";

describe.skipIf(CHROMIUM === undefined)("what others wrote, on the page of heed ui", () => {
  let opened: OpenedPage;
  let page: Page;
  let home: PageHome;

  beforeAll(async () => {
    opened = await OpenedPage.open();
    ({ page, home } = opened);
  }, 180_000);

  afterAll(() => opened.close());

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

  test("speaks to nobody but its own server, and nothing went wrong on the way", () => {
    expect(opened.troubles).toEqual([]);
  });
});
