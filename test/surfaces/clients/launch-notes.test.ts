import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { launchNotes } from "../../../src/surfaces/clients/this-machine.ts";

/** The script of heed in a cache of npx, whose package.json says this. */
function scriptInCache(content?: object): string {
  const home = mkdtempSync(join(tmpdir(), "heed-npx-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const cache = join(home, "_npx", "b8ee5f1e4572a6f9");
  mkdirSync(cache, { recursive: true });
  if (content) writeFileSync(join(cache, "package.json"), JSON.stringify(content));
  return join(cache, "node_modules", ".bin", "heed");
}

test("what npx was given is what is to be installed", () => {
  const script = scriptInCache({ _npx: { packages: ["github:somebody/heed"] } });
  expect(launchNotes({ script })).toEqual([
    "heed runs from npx's cache, which is emptied now and then: npm install --global github:somebody/heed, then run heed init again.",
  ]);
});

test.each([undefined, {}, { _npx: { packages: ["a", "b"] } }])(
  "no package is named where none can be told: %j",
  (content) => {
    const [note] = launchNotes({ script: scriptInCache(content) });
    expect(note).toContain("install what you gave npx by npm install --global, then run heed init again");
  },
);

test("an installed heed lasts", () => {
  expect(launchNotes({ script: "/usr/lib/node_modules/heed/plugin/dist/heed.cjs" })).toEqual([]);
});
