import { appendFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { appendEvent, followEvents, readEvents } from "../../src/machine/state-file.ts";
import { temporaryFolder } from "../store/temporary-store.ts";

const FORMAT = { version: 1, key: "v" };
let folder: string;
let log: string;
beforeEach(() => {
  folder = temporaryFolder();
  log = join(folder, "log.jsonl");
});

test("several events in one write are as many lines, behind a torn one too", () => {
  appendFileSync(log, '{"v":1,"n":');
  appendEvent(log, FORMAT, { n: 1 }, { n: 2 });
  expect(readEvents(log, FORMAT).map(({ n }) => n)).toEqual([1, 2]);
});

/** What happens to a log between two looks, mostly by other processes. */
const STEPS: Record<string, (n: number) => void> = {
  append: (n) => appendEvent(log, FORMAT, { n }),
  "append text beyond ASCII": (n) => appendEvent(log, FORMAT, { n, text: "žluťoučký 🐎\n" }),
  "leave a torn line": (n) => appendFileSync(log, `\n{"v":1,"n":${n}`),
  "append bytes that are no text": () => appendFileSync(log, Buffer.from([10, 0xff, 0xfe, 123, 10])),
  "put another in its place": (n) => {
    writeFileSync(`${log}.new`, `\n{"v":1,"n":${n}}\n\n{"v":1,"n":${n + 1},"text":"${"x".repeat(200)}"}\n`);
    renameSync(`${log}.new`, log);
  },
  "cut it": (n) => {
    const size = statSync(log, { throwIfNoEntry: false })?.size;
    if (size !== undefined) truncateSync(log, Math.floor(size / (1 + (n % 3))));
  },
  "remove it": () => rmSync(log, { force: true }),
};

describe("a log that is followed", () => {
  test("tells at each look what reading it whole tells", () => {
    const step = fc.constantFrom(...Object.keys(STEPS));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        rmSync(log, { force: true });
        for (const [n, name] of steps.entries()) {
          STEPS[name]?.(n);
          expect(followEvents(log, FORMAT), `after ${steps.slice(0, n + 1).join(", ")}`).toEqual(
            readEvents(log, FORMAT),
          );
        }
      }),
      { numRuns: 150 },
    );
  });

  test("has its last line too when the line break behind it is missing, at every look", () => {
    appendFileSync(log, '{"v":1,"n":1}\n{"v":1,"n":2}');
    for (const look of [1, 2, 3]) expect(followEvents(log, FORMAT), `look ${look}`).toHaveLength(2);
    appendFileSync(log, "\n");
    expect(followEvents(log, FORMAT)).toEqual([{ n: 1 }, { n: 2 }]);
  });

  test("of several logs each is told apart, also beyond those that are kept", () => {
    const logs = Array.from({ length: 6 }, (_, n) => join(folder, `${n}.jsonl`));
    for (const round of [1, 2])
      for (const [n, file] of logs.entries()) {
        appendEvent(file, FORMAT, { n });
        expect(followEvents(file, FORMAT)).toEqual(Array.from({ length: round }, () => ({ n })));
      }
  });
});
