import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { findChromium, openChromium } from "./open-chromium.ts";
import { PageHome } from "./page-home.ts";

/** The browser of the scenarios; undefined, with a word about it, where there is none. In CI there has to be one. */
export const CHROMIUM: string | undefined = findChromium();
/** For a look by eye. */
export const SHOTS: string = join(import.meta.dirname, "../../../.e2e/ui");
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const MEMORIES = 2_000;

if (CHROMIUM === undefined) {
  const message =
    "the scenarios of heed ui: there is no Chromium here. apt-get install chromium, or set HEED_E2E_CHROMIUM.";
  if (process.env["CI"]) throw new Error(message);
  console.error(`\nSKIPPED: ${message}\n`);
}

/** heed's page over a home with 2,000 memories and some days of work, in a browser of its own. */
export class OpenedPage {
  readonly home: PageHome;
  readonly context: BrowserContext;
  readonly page: Page;
  readonly #troubles: string[] = [];
  readonly #requested: string[] = [];

  private constructor(home: PageHome, context: BrowserContext, page: Page) {
    this.home = home;
    this.context = context;
    this.page = page;
    page.on("pageerror", (error) => this.#troubles.push(String(error)));
    page.on("console", (message) => {
      // The browser says itself which answers were refusals, and that a server is gone.
      if (message.type() === "error" && !/422|ERR_CONNECTION/.test(message.text()))
        this.#troubles.push(message.text());
    });
    page.on("dialog", (dialog) => this.#troubles.push(`dialog ${dialog.message()}`));
    page.on("request", (request) => this.#requested.push(request.url()));
  }

  /**
   * @param memories how many are made up.
   * @param isLived whether some days of work left something.
   */
  static async open(memories: number = MEMORIES, isLived: boolean = true): Promise<OpenedPage> {
    mkdirSync(SHOTS, { recursive: true });
    const home = new PageHome();
    home.fill(memories);
    if (isLived) await home.live();
    else await home.open().setup.init("user");
    const context = await openChromium(CHROMIUM ?? "", join(home.folder, "profile"));
    const opened = new OpenedPage(home, context, context.pages()[0] ?? (await context.newPage()));
    await opened.page.goto(await home.serve());
    await opened.page.getByRole("heading", { name: "Now", level: 2 }).waitFor();
    return opened;
  }

  /** Comes back to the page, goes to a screen, and waits until it is there. */
  async goTo(screen: string): Promise<void> {
    await this.page.evaluate("window.dispatchEvent(new Event('focus'))");
    await this.page.evaluate(`location.hash = ${JSON.stringify(`#/${screen}`)}`);
    // The address is followed at the next turn, and what is asked for then is waited for.
    const busy = this.page.locator("main .loading, main [aria-busy=true]");
    const deadlineAtMs = Date.now() + 30_000;
    do {
      if (Date.now() > deadlineAtMs) throw new Error(`${screen} is still loading`);
      await this.page.waitForTimeout(50);
    } while ((await busy.count()) > 0);
  }

  async axe(): Promise<string[]> {
    // Not as an element of the page: its policy lets no other script in.
    await this.page.evaluate(`(() => { ${AXE} })()`);
    interface Violation {
      id: string;
      nodes: { html: string; failureSummary: string }[];
    }
    const violations: Violation[] = await this.page.evaluate(
      "axe.run().then(({ violations }) => violations)",
    );
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary.slice(0, 300)}`),
    );
  }

  /** @throws where it spoke to somebody beside its own server, or something went wrong on the way. */
  async close(): Promise<void> {
    const { origin } = new URL(this.page.url());
    this.#troubles.push(...this.#requested.filter((url) => new URL(url).origin !== origin));
    await this.context.close();
    await this.home.remove();
    if (this.#troubles.length > 0) throw new Error(this.#troubles.join("\n"));
  }
}
