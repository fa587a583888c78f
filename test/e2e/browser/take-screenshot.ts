import { statSync } from "node:fs";
import { join } from "node:path";
import { findChromium, openChromium } from "./open-chromium.ts";
import { PageHome } from "./page-home.ts";

const FILE = "docs/ui.png";

const DAY_MS = 86_400_000;
const MEMORIES = [
  ["project", "retry-limit", "the upload client retries on 5xx only, since each 401 locks the account", 12],
  ["project", "owner-of-billing", "billing is owned by Mara, checkout by Jonas", 40],
  ["project", "staging-db", "staging uses the database db2 since the move of March", 25],
  ["reference", "latency-board", "latency of checkout: https://grafana.example.com/d/checkout", 3],
  ["reference", "release-board", "what goes into a release: https://board.example.com/b/releases", 8],
  ["reference", "runbook-queue", "when the queue stalls: https://wiki.example.com/runbooks/queue", 5],
  ["project", "feature-freeze", "no migration in the week before the quarter ends", 20],
  ["project", "money-is-cents", "amounts are integers in cents, never floats", 60],
  ["solution", "jsdom-missing", "tests of the table fail with cannot find module jsdom", 30],
] as const;

/** Takes the picture of the README: `npm run screenshot`. */
export async function main(): Promise<number> {
  const chromium = findChromium();
  if (chromium === undefined) {
    console.error(
      "screenshot: there is no Chromium here. apt-get install chromium, or set HEED_E2E_CHROMIUM.",
    );
    return 1;
  }
  const home = new PageHome();
  try {
    for (const [type, name, statement, daysAgo] of MEMORIES) {
      const created = new Date(Date.now() - daysAgo * DAY_MS).toISOString();
      const isReference = type === "reference";
      home.remember(type, name, statement, `${statement}.`, [
        `created: ${created}`,
        ...(isReference ? [`verified: ${created}`] : []),
      ]);
    }
    await home.live();
    const context = await openChromium(chromium, join(home.folder, "profile"), {
      viewport: { width: 1160, height: 640 },
    });
    const page = context.pages()[0] ?? (await context.newPage());
    await page.goto(await home.serve());
    await page.getByRole("heading", { name: "Now", level: 2 }).waitFor();
    await page.evaluate("location.hash = '#/memories?order=injected&open=page-limit'");
    await page.getByRole("heading", { name: /^the largest page is/ }).waitFor();
    await page.locator(".detail").getByText("broken").first().waitFor();
    await page.locator(".rows tbody tr").first().waitFor();
    await page.getByRole("banner").getByText("shop-api").waitFor();
    await page.screenshot({ path: FILE });
    await context.close();
    console.log(`${FILE}: ${Math.round(statSync(FILE).size / 1000)} kB`);
    return 0;
  } finally {
    await home.remove();
  }
}
