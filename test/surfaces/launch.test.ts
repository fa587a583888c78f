import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "../store/temporary-store.ts";
import { printedTo } from "./as-client.ts";
import { RULE, SandboxHome } from "./sandbox-home.ts";

const HEED = resolve("plugin/dist/heed.cjs");
let home: string;

beforeEach(() => {
  home = temporaryFolder();
});

function heed(args: readonly string[], variables: Record<string, string>, input = "") {
  const env = { PATH: process.env["PATH"], HOME: home, ...variables };
  return spawnSync(process.execPath, [HEED, ...args], { cwd: home, encoding: "utf8", env, input });
}

function version(): string {
  const { stdout, stderr, status } = heed(["--version"], { HEED_CACHE_DIR: join(home, "cache") });
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  return stdout;
}

const keptFile = (): string => {
  const folder = join(home, "cache", "code");
  const name = readdirSync(folder).find((file) => file.endsWith("-cli.cjs.code"));
  return join(folder, name ?? "");
};

describe("compiled code that is kept between runs", () => {
  it("is private, and the same run with it says the same", () => {
    const first = version();
    expect(first).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(statSync(keptFile()).mode & 0o777).toBe(0o600);
  });

  it("is made again when it is damaged", () => {
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

describe("a variable that leads into the work tree", () => {
  it.each([
    ["HOME", ""],
    ["XDG_DATA_HOME", "./d"],
    ["XDG_CACHE_HOME", "c"],
    ["HEED_DIR", "m"],
    ["HEED_STATE_DIR", "../s"],
  ])("%s=%s is refused by its name, also by a hook, and nothing is written", (name, value) => {
    const event = { hook_event_name: "SessionStart", session_id: "s1", cwd: home, source: "startup" };
    const run = (command: string): string => {
      const { stdout, stderr } = heed([command], { [name]: value }, JSON.stringify(event));
      return stdout + stderr;
    };
    expect(run("doctor")).toMatch(new RegExp(`^heed: ${name} is .*absolute path.*\n$`));
    expect(run("hook")).toMatch(new RegExp(`"systemMessage":"heed did not look at this: ${name} `));
    expect(readdirSync(home)).toEqual([]);
  });
});

describe.skipIf(process.platform !== "linux")("variables that were set after the client began", () => {
  const message = { jsonrpc: "2.0", id: 1, method: "ping" };
  it.each([
    [
      "a hook",
      ["hook"],
      { hook_event_name: "SessionStart", session_id: "s1", source: "startup" },
      /package-lock/,
    ],
    ["the server", ["mcp"], message, /"result"/],
    ["a search", ["search", "lockfile"], {}, /keep-the-lockfile/],
    ["a status", ["doctor", "--quick"], {}, /1 memor/],
    ["git's hook", ["check"], {}, /./],
  ])("lead %s nowhere: not to servers, not to compiled code", async (_, words, input, said) => {
    const home = new SandboxHome();
    const { env, work: cwd, root } = home;
    home.write("store/feedback/keep-the-lockfile.md", RULE);
    const late = join(root, "late");
    const moved = ["HEED_STATE_DIR", "HEED_CACHE_DIR", "HEED_CONFIG_DIR"].map((name) => [name, late]);
    const run = `require("child_process").spawnSync(process.execPath, ${JSON.stringify([HEED, ...words])}, {
      stdio: "inherit", env: { ...process.env, ...${JSON.stringify(Object.fromEntries(moved))} } })`;
    const text = `${JSON.stringify(input)}\n`;
    expect(await printedTo(["claude"], ["-e", run], { cwd, env }, text)).toMatch(said);
    expect(existsSync(late)).toBe(false);
  });
});

describe("HEED_DEBUG=1 on the command line", () => {
  it("traces an error to the lines of the sources", () => {
    const { stderr } = heed(["show", "nobody"], { HEED_DEBUG: "1" });
    const [, file = "", line = ""] = /^ +at .*?(src\/[\w/.-]+\.ts):(\d+)/m.exec(stderr) ?? [];
    expect(file).toMatch(/^src\//);
    expect(readFileSync(resolve(file), "utf8").split("\n")[Number(line) - 1]).toMatch(
      /\bthrow\b|\bnew HeedError\b/,
    );
  });
});
