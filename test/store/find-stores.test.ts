import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { type Places, findPlaces } from "../../src/machine/places.ts";
import { findStores } from "../../src/store/find-stores.ts";
import { trustStore } from "../../src/store/consent.ts";
import { temporaryFolder } from "./temporary-store.ts";

let root: string;
beforeEach(() => {
  root = realpathSync(temporaryFolder());
});

/** Makes a repository whose project store is trusted, and returns both. */
async function trustedRepository(): Promise<{ project: string; places: Places }> {
  const places = findPlaces({ HOME: root }, "linux");
  const project = join(root, "mine");
  mkdirSync(join(project, ".heed"), { recursive: true });
  writeFileSync(join(project, ".heed", "config.yaml"), "store: 01JD3Z8Q6T0V9W4X5Y6Z7A8B9C\n");
  await trustStore(places, "01JD3Z8Q6T0V9W4X5Y6Z7A8B9C", join(project, ".heed"));
  return { project, places };
}

test("a project store is found from any folder of its repository", async () => {
  const { project, places } = await trustedRepository();
  mkdirSync(join(project, "src", "deep"), { recursive: true });
  const { stores } = findStores(join(project, "src", "deep"), places);
  expect(stores).toMatchObject([{ kind: "project", root: join(project, ".heed"), isTrusted: true }]);
});

test("a project store that is a link is not followed, not even to a store that is trusted elsewhere", async () => {
  const { project, places } = await trustedRepository();
  const clone = join(root, "clone");
  mkdirSync(join(clone, ".git"), { recursive: true });
  symlinkSync(join(project, ".heed"), join(clone, ".heed"));
  expect(findStores(clone, places).stores).toEqual([]);
});

test.each(["/dev/zero", "/"])(
  "a configuration that is a link to %s is a problem, not a hang",
  async (target) => {
    const { project, places } = await trustedRepository();
    const config = join(project, ".heed", "config.yaml");
    rmSync(config);
    symlinkSync(target, config);
    const found = findStores(project, places);
    expect(found.problems).toMatchObject([{ file: config, code: "config", severity: "error" }]);
    expect([found.mode, found.capture, found.history, found.writes]).toEqual([
      "rules",
      "off",
      "off",
      ["ask"],
    ]);
    // Its place is known by the list of stores.
    expect(found.stores).toMatchObject([{ id: "01JD3Z8Q6T0V9W4X5Y6Z7A8B9C", isTrusted: true }]);
  },
);
