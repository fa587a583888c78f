import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const HEED = resolve("dist/bin/heed.cjs");
let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "heed-launch-"));
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

function version(): string {
  const { stdout, stderr, status } = spawnSync(process.execPath, [HEED, "--version"], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"], HOME: home, HEED_CACHE_DIR: join(home, "cache") },
  });
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  return stdout;
}

const keptFile = (): string => {
  const folder = join(home, "cache", "code");
  const [name] = readdirSync(folder);
  return join(folder, name ?? "");
};

describe("compiled code that is kept between runs", () => {
  it("is private, and the same run with it says the same", () => {
    const first = version();
    expect(first).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(statSync(keptFile()).mode & 0o777).toBe(0o600);
    const { ino } = statSync(keptFile());
    expect(version()).toBe(first);
    expect(statSync(keptFile()).ino).toBe(ino);
  });

  it("is made anew when it is damaged", () => {
    const first = version();
    writeFileSync(keptFile(), "nonsense");
    expect(version()).toBe(first);
    expect(statSync(keptFile()).size).toBeGreaterThan(1000);
  });

  it("is not taken from a file that others may write", () => {
    version();
    const { ino } = statSync(keptFile());
    chmodSync(keptFile(), 0o666);
    version();
    // It was not read, so the run compiled, and put its own in the place.
    expect(statSync(keptFile()).ino).not.toBe(ino);
    expect(statSync(keptFile()).mode & 0o777).toBe(0o600);
  });

  it("can be done without", () => {
    mkdirSync(join(home, "cache"));
    writeFileSync(join(home, "cache", "code"), "a file where the folder should be");
    expect(version()).toMatch(/^\d/);
  });
});
