import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { findChromium, openChromium } from "../test/e2e/browser/open-chromium.ts";
import { PageHome } from "../test/e2e/browser/page-home.ts";
import type { Figure } from "./figure.ts";
import { median } from "./statistics.ts";

const FILES = ["index.html", "page.js", "style.css", "icon.svg"];
const LOADS = 5;
const WORDS = [
  "retries",
  "billing",
  "dashboard 12",
  "checkout alerts",
  "ledger",
  "owned by Mara",
  "search",
  "moved",
];

/**
 * What the page of `heed ui` weighs, and how soon it is there: bytes, requests, first paint with 2,000 memories, time to
 * filter 20,000 of them as one types, how long another call waits at most while they are sent, and frames while they
 * scroll. Without a Chromium the bytes alone.
 */
export async function run(): Promise<Figure[]> {
  const files = FILES.map((name) => readFileSync(join("plugin/dist/web", name)));
  const figures: Figure[] = [
    {
      name: "gzip_kb",
      value: sum(files.map((bytes) => gzipSync(bytes).length)) / 1000,
      unit: "kB",
      n: FILES.length,
    },
    { name: "raw_kb", value: sum(files.map(({ length }) => length)) / 1000, unit: "kB", n: FILES.length },
  ];
  const chromium = findChromium();
  if (chromium === undefined) {
    console.error("no Chromium here (apt-get install chromium): bytes alone");
    return figures;
  }
  process.env["HEED_SOURCES"] ??= process.cwd();
  figures.push(...(await inBrowser(chromium, 2_000, firstPaint)));
  figures.push(...(await inBrowser(chromium, 20_000, filtering)));
  return figures;
}

async function inBrowser(
  chromium: string,
  memories: number,
  measure: (page: Page) => Promise<Figure[]>,
): Promise<Figure[]> {
  const home = new PageHome();
  try {
    home.fill(memories);
    await home.live();
    const context = await openChromium(chromium, join(home.folder, "profile"));
    try {
      const page = context.pages()[0] ?? (await context.newPage());
      await page.goto(await home.serve());
      await page.getByRole("heading", { name: "Now", level: 2 }).waitFor();
      return await measure(page);
    } finally {
      await context.close();
    }
  } finally {
    await home.remove();
  }
}

/** Loads the table of memories again and again: a reload has the key, so that nothing but the page is measured. */
async function firstPaint(page: Page): Promise<Figure[]> {
  const paints: number[] = [];
  const tables: number[] = [];
  let requests = 0;
  await page.evaluate("location.hash = '#/memories'");
  for (let i = 0; i < LOADS; i++) {
    requests = 0;
    const count = (): void => void (requests += 1);
    page.on("request", count);
    await page.reload();
    await page.locator(".rows tbody tr").first().waitFor();
    tables.push(await page.evaluate("performance.now()"));
    paints.push(
      await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN"),
    );
    page.off("request", count);
  }
  return [
    { name: "requests_2k", value: requests, unit: "", n: LOADS },
    { name: "first_paint_ms_2k", value: median(paints), unit: "ms", n: LOADS },
    { name: "table_ms_2k", value: median(tables), unit: "ms", n: LOADS },
  ];
}

/** From a typed word to the frame that shows what is left, in the page itself. */
async function filtering(page: Page): Promise<Figure[]> {
  await page.evaluate("location.hash = '#/memories'");
  await page.locator(".rows tbody tr").first().waitFor({ timeout: 120_000 });
  const times: number[] = [];
  for (const word of WORDS)
    times.push(
      await page.evaluate(`new Promise((done) => {
        const field = document.querySelector("[data-search]");
        const startedAt = performance.now();
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(field, ${JSON.stringify(word)});
        field.dispatchEvent(new Event("input", { bubbles: true }));
        requestAnimationFrame(() => setTimeout(() => done(performance.now() - startedAt)));
      })`),
    );
  await page.getByRole("searchbox").fill("");
  const frames: number[] = await page.evaluate(`new Promise((done) => {
    const box = document.scrollingElement;
    const frames = [];
    let before = performance.now();
    const step = () => {
      const now = performance.now();
      frames.push(now - before);
      before = now;
      box.scrollTop += 2000;
      if (frames.length < 120) requestAnimationFrame(step); else done(frames.slice(1));
    };
    requestAnimationFrame(step);
  })`);
  const other: number[] = await page.evaluate(`(async () => {
    const call = async (name, args) => {
      const headers = { "content-type": "application/json", "x-heed-key": sessionStorage.getItem("heed-key") };
      await (await fetch("/api/" + name, { method: "POST", headers, body: JSON.stringify(args) })).text();
    };
    const times = [];
    let isDone = false;
    const all = call("memories.summaries", [{}]).then(() => (isDone = true));
    while (!isDone) {
      const startedAt = performance.now();
      await call("session.receipts", [{ limit: 1 }]);
      times.push(performance.now() - startedAt);
    }
    await all;
    return times;
  })()`);
  return [
    { name: "other_call_worst_ms_20k", value: Math.max(...other), unit: "ms", n: other.length },
    { name: "filter_ms_20k", value: median(times), unit: "ms", n: times.length },
    { name: "filter_worst_ms_20k", value: Math.max(...times), unit: "ms", n: times.length },
    { name: "frame_ms_20k", value: median(frames), unit: "ms", n: frames.length },
    {
      name: "frame_p95_ms_20k",
      value: frames.toSorted((a, b) => a - b)[Math.floor(frames.length * 0.95)] ?? null,
      unit: "ms",
      n: frames.length,
    },
  ];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
