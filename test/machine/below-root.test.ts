import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { removeFile, writeFileAtomic } from "../../src/machine/atomic-file.ts";
import {
  inFolderOf,
  refuseLinks,
  refuseOpenedElsewhere,
  readFileBelow,
} from "../../src/machine/regular-file.ts";
import { temporaryFolder } from "../store/temporary-store.ts";

let folder: string;
let root: string;
let outside: string;

beforeEach(() => {
  folder = temporaryFolder();
  [root, outside] = [join(folder, "root"), join(folder, "outside")];
  for (const made of [root, join(root, "a"), outside]) mkdirSync(made);
  writeFileSync(join(root, "a/x.md"), "ours");
  writeFileSync(join(outside, "x.md"), "theirs");
});

const swap = (): void => {
  renameSync(join(root, "a"), join(root, "b"));
  symlinkSync(outside, join(root, "a"));
};

const swapBack = (): void => {
  unlinkSync(join(root, "a"));
  renameSync(join(root, "b"), join(root, "a"));
};

describe("a folder that becomes a link while heed is at work", () => {
  test("what is read is of the root", () => {
    expect(readFileBelow(root, "a/x.md", 100).text).toBe("ours");
    swap();
    expect(() => readFileBelow(root, "a/x.md", 100)).toThrow(/symbolic link/);
  });

  test("a root may be a link itself", () => {
    symlinkSync(root, join(folder, "link"));
    expect(readFileBelow(join(folder, "link"), "a/x.md", 100).text).toBe("ours");
  });

  test("what was replaced since it was opened is read as it was", () => {
    const handle = openSync(join(root, "a/x.md"), "r");
    writeFileAtomic(join(root, "a/x.md"), "newer");
    expect(() => refuseOpenedElsewhere(handle, root, "a/x.md")).not.toThrow();
    closeSync(handle);
  });

  test.runIf(process.platform === "linux")("also when it is a folder again", () => {
    swap();
    const handle = openSync(join(root, "a/x.md"), "r");
    swapBack();
    expect(() => refuseOpenedElsewhere(handle, root, "a/x.md")).toThrow(/is or was a symbolic link/);
    closeSync(handle);
  });

  test("a link to a folder that is called the same elsewhere is one too", () => {
    mkdirSync(join(outside, "a"));
    writeFileSync(join(outside, "a/x.md"), "theirs");
    rmSync(join(root, "a"), { recursive: true });
    symlinkSync(join(outside, "a"), join(root, "a"));
    expect(() => readFileBelow(root, "a/x.md", 100)).toThrow(/symbolic link/);
  });

  test("a link is seen wherever it stands on the way", () => {
    mkdirSync(join(root, "c/d/e"), { recursive: true });
    expect(() => refuseLinks(root, "c/d/e/x.md")).not.toThrow();
    for (const link of ["c/d/e", "c/d", "c"]) {
      rmSync(join(root, link), { recursive: true });
      symlinkSync(outside, join(root, link));
      expect(() => refuseLinks(root, "c/d/e/x.md")).toThrow(`${join(root, link)} is a symbolic link`);
      unlinkSync(join(root, link));
      mkdirSync(join(root, link));
    }
  });

  test("a link that stands there is refused before anything is written", () => {
    swap();
    expect(() => writeFileAtomic(join(root, "a/x.md"), "new", { below: root })).toThrow(/symbolic link/);
    expect(() => removeFile(join(root, "a/x.md"), { below: root })).toThrow(/symbolic link/);
    expect(readFileSync(join(outside, "x.md"), "utf8")).toBe("theirs");
    expect(readFileSync(join(root, "b/x.md"), "utf8")).toBe("ours");
  });
});

describe.runIf(process.platform === "linux")("between the last look and the change", () => {
  test("a file is written into the folder that was looked at", () => {
    writeFileSync(join(root, "draft"), "new");
    inFolderOf(join(root, "a/x.md"), root, (path) => {
      swap();
      renameSync(join(root, "draft"), path);
    });
    expect(readFileSync(join(outside, "x.md"), "utf8")).toBe("theirs");
    expect(readFileSync(join(root, "b/x.md"), "utf8")).toBe("new");
    expect(existsSync(join(root, "draft"))).toBe(false);
  });
});
