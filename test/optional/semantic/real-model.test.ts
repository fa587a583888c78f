import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openHeed } from "../../../src/heed.ts";
import { findPlaces } from "../../../src/platform/places.ts";
import { temporaryFolder } from "../../store/temporary-store.ts";

const wanted = process.env["HEED_TEST_SEMANTIC"];
const installed = findPlaces(process.env).models;
const models = existsSync(join(installed, "model", "model.onnx")) ? installed : undefined;
const isThere = wanted !== undefined || models !== undefined;
if (!isThere)
  console.warn(
    "the real embedding model is not tried: install it (heed semantic install), or set HEED_TEST_SEMANTIC=1 to fetch it",
  );

describe.skipIf(!isThere)("the real embedding model, in its worker", () => {
  test("finds a memory that shares no word with the query, and not what is far", async () => {
    const home = temporaryFolder();
    const cwd = join(home, "work");
    await mkdir(cwd);
    const heed = openHeed({
      cwd,
      env: {
        HOME: home,
        PATH: process.env["PATH"],
        HEED_MODELS_DIR: models ?? join(home, "models"),
        ...(process.env["NODE_EXTRA_CA_CERTS"] && {
          NODE_EXTRA_CA_CERTS: process.env["NODE_EXTRA_CA_CERTS"],
        }),
      },
      isResident: true,
    });
    if (models === undefined) await heed.setup.semantic.install(await heed.setup.semantic.plan({}));
    await heed.setup.init("user");
    for (const [name, description] of [
      ["car-rental-desk", "the automobile rental agency is at https://cars.example.com"],
      ["bread-recipes", "sourdough recipes are kept at https://bread.example.com"],
    ] as const) {
      const head = `---\nname: ${name}\ndescription: ${description}\nmetadata:\n  type: reference\n---\n`;
      await writeFile(join(home, ".local/share/heed/memory", `${name}.md`), `${head}${description}\n`);
    }
    const query = "I need to hire a vehicle for next week's trip";
    const found = async (): Promise<string[]> =>
      (await heed.memories.search({ query })).hits.map(({ metadata }) => metadata.name);
    // The model loads, and the memories get their vectors, while nobody waits.
    await expect.poll(found, { timeout: 60_000, interval: 100 }).toEqual(["car-rental-desk"]);
    const status = await heed.setup.semantic.status();
    expect(status.state).toBe("found");
    await heed.close();
  }, 120_000);
});
