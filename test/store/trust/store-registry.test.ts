import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { readStoreRegistry, registryFile, trustStore } from "../../../src/store/consent.ts";
import { temporaryFolder, temporaryPlaces } from "../temporary-store.ts";

describe("the list of stores", () => {
  it("is not begun again over one that cannot be read, which may name every trusted store", async () => {
    const places = temporaryPlaces();
    const file = registryFile(places);
    mkdirSync(dirname(file), { recursive: true });
    const torn = '{"trusted":{"S1":["/a"]},"attach';
    writeFileSync(file, torn);
    expect(readStoreRegistry(places)).toEqual({ trusted: {}, attached: [] });
    await expect(trustStore(places, "S2", temporaryFolder())).rejects.toMatchObject({
      code: "io-failed",
      message: expect.stringContaining("attach and trust your stores again") as string,
    });
    expect(readFileSync(file, "utf8")).toBe(torn);
  });

  it.each([7, "x", null, [null], [{ id: "S2" }]])("has none of the entries that are %j", (damaged) => {
    const places = temporaryPlaces();
    const file = registryFile(places);
    mkdirSync(dirname(file), { recursive: true });
    const lists = { attached: damaged, teams: damaged, servers: damaged };
    writeFileSync(file, JSON.stringify({ trusted: { S1: ["/a"] }, ...lists }));
    const { trusted, attached, teams = [], servers = [] } = readStoreRegistry(places);
    expect([trusted, attached, teams, servers]).toEqual([{ S1: ["/a"] }, [], [], []]);
  });
});
