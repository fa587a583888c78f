import { statSync } from "node:fs";
import { join } from "node:path";
import { findChromium, openChromium } from "./open-chromium.ts";
import { PageHome } from "./page-home.ts";

const FILE = "docs/ui.png";

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
    home.fill(240);
    await home.live();
    const context = await openChromium(chromium, join(home.folder, "profile"), {
      viewport: { width: 1160, height: 640 },
    });
    const page = context.pages()[0] ?? (await context.newPage());
    await page.goto(await home.serve());
    await page.getByRole("heading", { name: "Now", level: 2 }).waitFor();
    await page.evaluate("location.hash = '#/memories?order=last+told&open=page-limit'");
    await page.getByRole("heading", { name: "page-limit" }).waitFor();
    await page.getByText("broken").first().waitFor();
    await page.screenshot({ path: FILE });
    await context.close();
    console.log(`${FILE}: ${Math.round(statSync(FILE).size / 1000)} kB`);
    return 0;
  } finally {
    await home.remove();
  }
}
