import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { HeedError } from "../../src/machine/heed-error.ts";
import { readFileBelow, readRegularFile } from "../../src/machine/regular-file.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "heed-read-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));

const codeOf = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return error instanceof HeedError ? error.data["systemCode"] : (error as NodeJS.ErrnoException).code;
  }
};

describe("only regular files are read", () => {
  test.each([
    ["an endless device", "ENOTREG", (): string => "/dev/zero"],
    ["a link to one", "ENOTREG", (): string => link("/dev/zero")],
    ["a folder", "EISDIR", (): string => folder],
    ["nothing", "ENOENT", (): string => join(folder, "gone")],
  ] as const)("%s: %s", (_, code, path) => {
    expect(codeOf(() => readRegularFile(path(), { maxBytes: 100 }))).toBe(code);
  });

  test("a pipe, without waiting for its other end", () => {
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    expect(codeOf(() => readRegularFile(pipe, { maxBytes: 100 }))).toBe("ENOTREG");
    expect(codeOf(() => readRegularFile(link(pipe), { maxBytes: 100 }))).toBe("ENOTREG");
  });

  test("through a link, unless that is refused", () => {
    const file = join(folder, "file");
    writeFileSync(file, "text");
    expect(readRegularFile(link(file), { maxBytes: 4 })).toBe("text");
    expect(codeOf(() => readRegularFile(join(folder, "link"), { maxBytes: 4, isLinkRefused: true }))).toBe(
      "ENOTREG",
    );
  });

  test("whole within the bound, else its beginning or end", () => {
    const file = join(folder, "file");
    writeFileSync(file, "0123456789");
    expect(readRegularFile(file, { maxBytes: 10 })).toBe("0123456789");
    expect(codeOf(() => readRegularFile(file, { maxBytes: 9 }))).toBe("EFBIG");
    expect(readRegularFile(file, { maxBytes: 3, part: "beginning" })).toBe("012");
    expect(readRegularFile(file, { maxBytes: 3, part: "end" })).toBe("789");
    writeFileSync(file, "");
    expect(readRegularFile(file, { maxBytes: 0 })).toBe("");
  });

  test("below a root: of one over the bound nothing", () => {
    writeFileSync(join(folder, "file"), "0123456789");
    expect(readFileBelow(folder, "file", 10).text).toBe("0123456789");
    expect(readFileBelow(folder, "file", 9)).toMatchObject({ text: undefined, stats: { size: 10 } });
  });

  test("files of the kernel, which say that they are empty", () => {
    if (process.platform !== "linux") return;
    expect(readRegularFile("/proc/self/status", { maxBytes: 64 * 1024 })).toContain("VmPeak");
    expect(codeOf(() => readRegularFile("/proc/self/status", { maxBytes: 20 }))).toBe("EFBIG");
  });
});

/** Whoever imports what can read or open a file has to say here why. */
const OTHERS: Readonly<Record<string, string>> = {
  "machine/regular-file.ts": "the one reader; folders, to hold them",
  "machine/atomic-file.ts": "opens what it writes",
  "machine/state-file.ts": "opens what it writes",
  "machine/read-database.ts": "copies a database of a client, looked at before, for SQLite to open",
  "past/transcripts/read-session.ts": "reads on in what the one reader opened",
  "search/index/segment/bytes.ts": "reads by position in what the one reader opened",
  "surfaces/standard-streams.ts": "standard input, bounded",
  "surfaces/cli/terminal/read-given.ts": "what a person names or gives, bounded",
  "surfaces/web/server/start-server.ts": "the page, from its own installation",
  "surfaces/launch/ask-server.ts": "makes a file of its own and reads none",
  "surfaces/launch/code-cache.ts": "its own bundles, before anything is loaded",
  "surfaces/processes.ts": "what the kernel says of processes, before anything is loaded",
};

test("nothing in heed reads a file in another way", () => {
  const source = resolve(import.meta.dirname, "../../src");
  const reading =
    /\b(?:read|open|copyFile|cp|promises|default)\b|\bread(?:v|File)|\b(?:open|copyFile|cp|read)Sync|ReadStream|AsBlob/;
  const reads = (text: string): boolean =>
    [...text.matchAll(/(?:import|export)\s+([^;]*?)\s+from\s+"(?:node:)?fs(?:\/promises)?"/g)].some(
      ([, names = ""]) => !names.startsWith("type ") && (!names.startsWith("{") || reading.test(names)),
    ) || /(?:require|import|getBuiltinModule)\(\s*"(?:node:)?fs/.test(text);
  const found = readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && reads(readFileSync(join(source, file), "utf8")))
    .map((file) => file.replaceAll("\\", "/"));
  expect(found.sort()).toEqual(Object.keys(OTHERS).sort());
});

/** Programs that read or write files by themselves are run by these alone. */
test("no other program is run to read a file", () => {
  const source = resolve(import.meta.dirname, "../../src");
  const found = readdirSync(source, { recursive: true, encoding: "utf8" }).filter(
    (file) =>
      file.endsWith(".ts") &&
      /(?:exec|spawn)\w*\(\s*"(?:cat|head|tail|type|dd|sqlite3)"/.test(
        readFileSync(join(source, file), "utf8"),
      ),
  );
  expect(found).toEqual([]);
});

function link(target: string): string {
  mkdirSync(folder, { recursive: true });
  symlinkSync(target, join(folder, "link"));
  return join(folder, "link");
}
