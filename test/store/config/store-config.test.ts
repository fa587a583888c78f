import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { TypeTable } from "../../../src/memory/memory-type.ts";
import { CONFIG_FILE, readStoreConfig } from "../../../src/store/config/store-config.ts";
import { temporaryFolder } from "../temporary-store.ts";

let root: string;

beforeEach(() => {
  root = temporaryFolder();
});

function read(text: string): Partial<ReturnType<typeof readStoreConfig>> {
  writeFileSync(join(root, CONFIG_FILE), text);
  const { id, mode, capture, problems } = readStoreConfig(root, { state: root });
  return { id, mode, capture, problems };
}

const NOTHING = { id: undefined, mode: undefined, capture: undefined, problems: [] };

describe("a store's configuration", () => {
  test.each<[what: string, text: string, config: object]>([
    ["nothing but a comment", "# mine\n", {}],
    [
      "as heed makes it",
      "# made by heed\nstore: 01JD3Z8Q6T0V9W4X5Y6Z7A8B9C\n\nmode: typed \n",
      { id: "01JD3Z8Q6T0V9W4X5Y6Z7A8B9C", mode: "typed" },
    ],
    ["with the line ends of Windows", "mode: pull\r\ncapture: on\r\n", { mode: "pull", capture: "on" }],
    ["with those of an old Mac", "mode: pull\rcapture: on\r", { mode: "pull", capture: "on" }],
    ["with quotes and comments", 'mode: "pull" # why\n', { mode: "pull" }],
    ["beyond the plain part of YAML", "mode: &a pull\nstore: 12\n", { mode: "pull", id: "12" }],
  ])("%s", (_, text, config) => {
    expect(read(text)).toEqual({ ...NOTHING, ...config });
  });

  test("of a built-in type sets when its memories are due, and nothing else", () => {
    const days = "  project: { check_after_days: 7 }\n  user:\n    check_after_days: never\n";
    const other = "  feedback: { check_after_days: 3, inject: never }\n";
    writeFileSync(join(root, CONFIG_FILE), `types:\n${days}${other}`);
    const { types, problems } = readStoreConfig(root, { state: root });
    expect(types).toMatchObject([{ name: "project", injection: "related" }, { name: "user" }]);
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('type "feedback" is built in: only its check_after_days can be set'),
    ]);
    expect(new TypeTable(types).all().map(({ checkAfterDays }) => checkAfterDays)).toEqual([
      null,
      null,
      7,
      90,
      null,
      null,
      null,
    ]);
  });
});
