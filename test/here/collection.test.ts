import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { Collection } from "../../src/here/collection.ts";
import { indexStateOf, openCollection, supersederOf } from "../../src/here/collection.ts";
import { Place } from "../../src/here/place.ts";
import { openWorkspace } from "../../src/here/workspace.ts";
import { search } from "../../src/search/search.ts";
import { temporaryFolder } from "../store/temporary-store.ts";

let home: string;
let store: string;
let cache: string;

beforeEach(() => {
  home = temporaryFolder();
  store = join(home, "memory");
  cache = join(home, "cache");
  mkdirSync(join(home, "project"));
  put("project/release.md", "The release is cut by Mira", "project");
  put("reference/grafana.md", "Dashboards live in Grafana", "reference");
});

function put(file: string, statement: string, type: string, body = "Text."): void {
  const path = join(store, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `---\ndescription: ${statement}\nmetadata:\n  type: ${type}\n---\n${body}\n`);
}

function place(): Place {
  return new Place(
    openWorkspace({
      cwd: join(home, "project"),
      env: { HOME: home, HEED_DIR: store, HEED_CACHE_DIR: cache, HEED_STATE_DIR: join(home, "state") },
    }),
  );
}

const namesOf = (collection: Collection): string[] =>
  collection
    .memories()
    .map((metadata) => metadata.name)
    .sort();

const found = (collection: Collection, text: string): string[] =>
  search(collection.readers, { text }).hits.map(({ metadata }) => metadata.name);

describe("the index of a collection", () => {
  it("is built on first use and used from then on", async () => {
    const here = place();
    expect(namesOf(await openCollection(here))).toEqual(["grafana", "release"]);
    const again = await openCollection(place());
    expect(again.source).toBe("index");
    expect(found(again, "grafana")).toEqual(["grafana"]);
  });

  it("finds a new file that another process left out, which began earlier and published later", async () => {
    // Folders that changed within their clock's step are looked at again anyway.
    const opened = async (): Promise<string[]> => {
      await new Promise((resolve) => setTimeout(resolve, 60));
      return namesOf(await openCollection(place()));
    };
    await opened();
    const file = readdirSync(cache, { recursive: true })
      .map(String)
      .find((name) => /\bmanifest$/.test(name));
    const manifest = join(cache, file ?? "");
    const earlier = readFileSync(manifest);
    put("reference/sentry.md", "Errors are in Sentry", "reference");
    expect(await opened()).toContain("sentry");
    expect(await opened()).toContain("sentry");
    writeFileSync(manifest, earlier);
    expect(await opened()).toEqual(["grafana", "release", "sentry"]);
  });

  it("answers the same by scanning when the cache cannot be written", async () => {
    const indexed = await openCollection(place());
    // A file where the cache folder should be: every write below it fails, for root too.
    rmSync(cache, { recursive: true });
    writeFileSync(cache, "");
    const scanned = await openCollection(place());
    expect(scanned.source).toBe("scan");
    expect(namesOf(scanned)).toEqual(namesOf(indexed));
    expect(found(scanned, "who cuts the release")).toEqual(found(indexed, "who cuts the release"));
  });

  it("does not take a file for empty that was elsewhere in the moment when it was read", async () => {
    const [folder, away] = [join(store, "reference"), join(home, "away")];
    const swapped = await openCollection(place(), {
      progress: (done) => done === 0 && renameSync(folder, away),
    });
    expect(namesOf(swapped)).toEqual(["release"]);
    renameSync(away, folder);
    expect(namesOf(await openCollection(place()))).toEqual(["grafana", "release"]);
  });

  it("reads nothing behind a link that was a folder when the store was listed", async () => {
    const [folder, away, outside] = [join(store, "reference"), join(home, "away"), join(home, "outside")];
    mkdirSync(outside);
    writeFileSync(
      join(outside, "grafana.md"),
      "---\ndescription: a stranger\nmetadata: { type: reference }\n---\n",
    );
    const swapped = await openCollection(place(), {
      progress: (done) => {
        if (done > 0) return;
        renameSync(folder, away);
        symlinkSync(outside, folder);
      },
    });
    expect(namesOf(swapped)).toEqual(["release"]);
    unlinkSync(folder);
    renameSync(away, folder);
    const after = await openCollection(place());
    expect(after.memories().map(({ statement }) => statement)).toContain("Dashboards live in Grafana");
  });

  it.each([
    [
      "a new file",
      () => put("project/freeze.md", "Merge freeze", "project"),
      ["freeze", "grafana", "release"],
    ],
    ["a removed file", () => rmSync(join(store, "reference/grafana.md")), ["release"]],
    [
      "a renamed file",
      () => renameSync(join(store, "project/release.md"), join(store, "project/shipping.md")),
      ["grafana", "shipping"],
    ],
    [
      "a file that no longer reads",
      () => writeFileSync(join(store, "project/release.md"), "---\na: [\n---\n"),
      ["grafana"],
    ],
  ])("follows %s made by another program", async (_, change, expected) => {
    const here = place();
    await openCollection(here);
    change();
    // The same process, holding its readers, and another one that opens the index again.
    expect(namesOf(await openCollection(here))).toEqual(expected);
    expect(namesOf(await openCollection(place()))).toEqual(expected);
  });

  it("reads what a card's file says now, even when the index does not know yet", async () => {
    const here = place();
    const collection = await openCollection(here);
    const [metadata] = collection.memories(["project"]);
    put("project/release.md", "Another description", "project", "Another text.");
    utimesSync(join(store, "project/release.md"), new Date(), new Date(Date.now() + 5000));
    expect(await collection.read(metadata!)).toMatchObject({
      metadata: { statement: "Another description" },
      body: "Another text.",
    });
    rmSync(join(store, "project/release.md"));
    expect(await collection.read(metadata!)).toBeUndefined();
  });

  it("is built again when types are declared that read the files otherwise", async () => {
    put("decision/engine.md", "We build our own engine", "decision");
    const here = place();
    const before = (await openCollection(here)).memories(["decision"]);
    expect(before).toHaveLength(1);
    expect((await openCollection(here)).types.get("decision")).toBeUndefined();
    writeFileSync(
      join(store, "config.yaml"),
      "types:\n  decision:\n    holds: what we decided\n    inject: related\n",
    );
    expect((await openCollection(new Place(here.workspace))).types.get("decision")?.injection).toBe(
      "related",
    );
  });

  it("mends a damaged index", async () => {
    await openCollection(place());
    const folder = join(cache, "index");
    const directory = readdirSync(folder, { withFileTypes: true }).find((entry) => entry.isDirectory());
    writeFileSync(join(folder, directory!.name, "manifest"), "nonsense");
    const here = place();
    expect(await indexStateOf(here, here.stores[0]!)).toBe("damaged");
    expect(namesOf(await openCollection(here))).toEqual(["grafana", "release"]);
    expect(await indexStateOf(here, here.stores[0]!)).toBe("fresh");
  });
});

it("asks the index once which memory took the place of another", async () => {
  put("project/release-2.md", "The release is cut by Jan", "project");
  const path = join(store, "project/release-2.md");
  const link = "  type: project\n  links:\n    - rel: supersedes\n      to: release\n";
  writeFileSync(path, readFileSync(path, "utf8").replace("  type: project\n", link));
  const collection = await openCollection(place());
  let asked = 0;
  for (const reader of collection.readers) {
    const ask = reader.memoriesLinkingTo.bind(reader);
    reader.memoriesLinkingTo = (handle) => {
      asked += 1;
      return ask(handle);
    };
  }
  const release = collection.readers.flatMap((reader) => reader.memoriesByHandle("release"))[0];
  if (!release) throw new Error("the memory is not in the index");
  expect(supersederOf(release, collection)?.name).toBe("release-2");
  const first = asked;
  expect(supersederOf(release, collection)?.name).toBe("release-2");
  expect([first > 0, asked - first]).toEqual([true, 0]);
});
