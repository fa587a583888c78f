import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import type { BrowserContext } from "playwright-core";
import { chromium } from "playwright-core";

/** Where Chromium is: `HEED_E2E_CHROMIUM`, or on the path; undefined where there is none. */
export function findChromium(): string | undefined {
  const named = process.env["HEED_E2E_CHROMIUM"];
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const candidates = named
    ? [named]
    : folders.flatMap((folder) => [join(folder, "chromium"), join(folder, "chromium-browser")]);
  return candidates.find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** A headless browser of its own: its profile in a folder, nothing but the page to speak to. */
export function openChromium(executablePath: string, profile: string): Promise<BrowserContext> {
  const off = "gpu quic background-networking component-update sync".split(" ");
  return chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    args: ["--no-sandbox", "--no-first-run", ...off.map((name) => `--disable-${name}`)],
    viewport: { width: 1280, height: 800 },
  });
}
