import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import {
  appendEvent,
  readEvents,
  type FileFormat,
  FORMATS,
  newerAt,
  takeUntold,
  readVersioned,
  writeVersioned,
} from "../../src/machine/state-file.ts";
import { temporaryFolder } from "../store/temporary-store.ts";

const FORMAT: FileFormat = { version: 3, key: "version" };
const LOG: FileFormat = { ...FORMAT, key: "v" };
const CONTENT = { name: "a", tags: [] };

let folder: string;
let file: string;

beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, "file");
});

describe("a JSON file of heed's own", () => {
  test.each<[what: string, text: string, content: object | undefined]>([
    ["without a version is of the first", '{"name":"a"}', { name: "a" }],
    ["of a former version", '{"version":2,"name":"a"}', { name: "a" }],
    ["of the current version", '{"version":3,"name":"a","tags":["x"]}', { name: "a", tags: ["x"] }],
    ["with a version that is none", '{"version":"x","name":"a"}', { name: "a" }],
    ["of a newer version is not read", '{"version":4,"name":["a"]}', undefined],
    ["that is torn is not read", '{"version":3,"na', undefined],
    ["that is no object is not read", "[1]", undefined],
  ])("%s", (_, text, content) => {
    writeFileSync(file, text);
    expect(readVersioned(file, FORMAT)).toEqual(content);
  });

  test("is written with its version, for the user alone", () => {
    writeVersioned(file, FORMAT, CONTENT);
    expect(readFileSync(file, "utf8")).toBe('{"version":3,"name":"a","tags":[]}\n');
    expect(statSync(file).mode & 0o077).toBe(0);
    expect(readVersioned(file, FORMAT)).toEqual(CONTENT);
  });

  test("of a newer version is left alone until it can be read, and told once", () => {
    const newer = '{"version":4,"name":["a"]}';
    writeFileSync(file, newer);
    readVersioned(file, FORMAT);
    expect(() => writeVersioned(file, FORMAT, CONTENT)).toThrow(
      expect.objectContaining({
        code: "io-failed",
        message: `${file} was written by a newer heed (format 4, known here: 3) and is left as it is: update heed`,
      }),
    );
    expect(readFileSync(file, "utf8")).toBe(newer);
    expect(takeUntold([join(folder, "elsewhere")])).toEqual([]);
    expect(takeUntold([folder])).toEqual([expect.objectContaining({ file, version: 4, known: 3 })]);
    expect(takeUntold([folder])).toEqual([]);
    writeFileSync(file, '{"name":"a"}');
    readVersioned(file, FORMAT);
    expect(newerAt(file)).toBeUndefined();
    writeVersioned(file, FORMAT, CONTENT);
  });
});

describe("a log of heed's own", () => {
  test("holds lines of several versions; those of a newer one are left out and noted", () => {
    writeFileSync(file, '\n{"name":"a"}\n\n{"v":2,"name":"a"}\n\n{"v":4,"name":["a"]}\n');
    appendEvent(file, LOG, CONTENT);
    expect(readEvents(file, LOG)).toEqual([{ name: "a" }, { name: "a" }, CONTENT]);
    expect(readFileSync(file, "utf8").endsWith('\n{"v":3,"name":"a","tags":[]}\n')).toBe(true);
    expect(newerAt(file)).toMatchObject({ version: 4, known: 3 });
  });
});

test("docs/state.md names each form with its version", () => {
  const docs = readFileSync(join(import.meta.dirname, "../../docs/state.md"), "utf8");
  const rows = [...docs.matchAll(/\| `(\w+)` (\d+) \|/g)].map(([, name, version]) => [name, Number(version)]);
  const forms = Object.entries(FORMATS).map(([name, { version }]) => [name, version]);
  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(forms));
});
