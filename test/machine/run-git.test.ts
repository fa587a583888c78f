import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { HeedError } from "../../src/heed.ts";
import { absolutePathOf, findGit, runGit, refuseNamedPrograms } from "../../src/machine/run-git.ts";
import { gitEnvironment } from "./git-sandbox.ts";
import { temporaryFolder } from "../store/temporary-store.ts";
import { Canaries } from "./hostile-repository.ts";

function aRepository(): string {
  const folder = temporaryFolder();
  execFileSync("git", ["init", "-q", "--initial-branch=main", "."], { cwd: folder });
  writeFileSync(join(folder, "a.txt"), "a\n");
  execFileSync("git", ["add", "-A"], { cwd: folder });
  execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@a", "commit", "-qm", "a"], { cwd: folder });
  writeFileSync(join(folder, "a.txt"), "b\n");
  return folder;
}

const DIFF = ["diff", "--no-ext-diff", "--no-textconv", "HEAD"];

it.each([
  [["rev-parse", "--quiet", "--verify", "nobody"], ""],
  [["ls-tree", "nobody"], "git-failed 128"],
  [["write-tree"], "git-failed 128"],
])("%j: exit code 1 may be an answer, 128 never is", async (args, expected) => {
  const folder = aRepository();
  writeFileSync(join(folder, ".git/index.lock"), "");
  const answer = await runGit(args, { cwd: folder, env: gitEnvironment(), mayAnswerNo: true }).then(
    ({ stdout }) => stdout,
    ({ code, data }: HeedError) => `${code} ${String(data["exitCode"])}`,
  );
  expect(answer).toBe(expected);
});

describe("git's environment", () => {
  it.each<[string, (program: string) => Record<string, string>]>([
    ["an external diff", (program) => ({ GIT_EXTERNAL_DIFF: program })],
    [
      "configuration",
      (program) => ({
        GIT_CONFIG_COUNT: "1",
        GIT_CONFIG_KEY_0: "core.fsmonitor",
        GIT_CONFIG_VALUE_0: program,
      }),
    ],
    ["parameters", (program) => ({ GIT_CONFIG_PARAMETERS: `'core.fsmonitor'='${program}'` })],
    ["a pager", (program) => ({ GIT_PAGER: program, PAGER: program })],
    ["another directory of git's programs", (program) => ({ GIT_EXEC_PATH: join(program, "..") })],
    ["a place for traces", (program) => ({ GIT_TRACE: join(program, "..", "..", "canaries", "trace") })],
    ["another repository", () => ({ GIT_DIR: "/nowhere", GIT_WORK_TREE: "/nowhere" })],
    ["a template with hooks", (program) => ({ GIT_TEMPLATE_DIR: join(program, "..") })],
  ])("gives it no %s", async (_, variables) => {
    const folder = aRepository();
    const canaries = new Canaries(temporaryFolder());
    const env = { ...gitEnvironment(), ...variables(canaries.program("variable")) };
    for (const args of [DIFF, ["status", "--porcelain"], ["log", "--raw"]])
      expect((await runGit(args, { cwd: folder, env })).stdout).not.toBe("");
    expect(canaries.run()).toEqual([]);
  });

  it("finds no program of the directory in which it runs", async () => {
    const folder = aRepository();
    const canaries = new Canaries(temporaryFolder());
    for (const name of ["git", "ssh"])
      writeFileSync(join(folder, name), `#!/bin/sh\nexec '${canaries.program(name)}'\n`, { mode: 0o755 });
    const env = { ...gitEnvironment(), PATH: `.::bin:${process.env["PATH"] ?? ""}` };
    expect((await runGit(DIFF, { cwd: folder, env })).stdout).toContain("+b");
    const fetch = ["fetch", "--quiet", "ssh://127.0.0.1:1/x"];
    await expect(runGit(fetch, { cwd: folder, env, withUserConfig: true })).rejects.toMatchObject({
      code: "git-failed",
    });
    expect(canaries.run()).toEqual([]);
  });

  it("is started on Windows by its whole path, and never from the working directory", () => {
    const env = { Path: "bin;.;C:\\Tools;D:\\Git\\cmd" };
    const isThere = (path: string): boolean => path.includes("Git") || path.includes("bin");
    expect(findGit(env, "win32", isThere)).toBe("D:\\Git\\cmd\\git.exe");
    expect(findGit(env, "win32", () => false)).toBeUndefined();
    expect(absolutePathOf(env, "win32")).toEqual({ Path: "C:\\Tools;D:\\Git\\cmd" });
    expect(absolutePathOf({ PATH: "/usr/bin::.:bin:/bin" }, "linux")).toEqual({ PATH: "/usr/bin:/bin" });
  });
});

describe("git's bounds", () => {
  it("in time: also when what it started holds on", async () => {
    const folder = aRepository();
    const env = { ...gitEnvironment(), GIT_SSH_COMMAND: "sh -c 'trap \"\" TERM; sleep 60'" };
    const options = { cwd: folder, env, withUserConfig: true, timeoutMs: 200 };
    await expect(runGit(["fetch", "ssh://127.0.0.1/x"], options)).rejects.toMatchObject({
      code: "git-failed",
      message: "git fetch failed: did not end within 200 ms",
    });
    // Here long before the sixty seconds are over, which the test's own limit is the proof of.
  });

  it.each([
    [-1, "rejected"],
    [0, "answered"],
    [1, "answered"],
  ])("in output: %i bytes beyond what it writes", async (beyond, outcome) => {
    const folder = aRepository();
    const env = gitEnvironment();
    const { bytes } = await runGit(DIFF, { cwd: folder, env });
    const limited = runGit(DIFF, { cwd: folder, env, maxBytes: bytes.length + beyond });
    expect(
      await limited.then(
        () => "answered",
        () => "rejected",
      ),
    ).toBe(outcome);
  });
});

describe("a directory that looks like a bare repository", () => {
  it("is none, wherever heed is started in it", async () => {
    const folder = join(temporaryFolder(), "docs");
    mkdirSync(folder);
    execFileSync("git", ["init", "-q", "--bare", "."], { cwd: folder });
    await expect(runGit(["log"], { cwd: folder, env: gitEnvironment() })).rejects.toMatchObject({
      message: expect.stringContaining("safe.bareRepository") as string,
    });
  });
});

describe("programs that a repository names", () => {
  const listing = (...entries: [string, string][]): string =>
    entries.map(([scope, entry]) => `${scope}\0${entry}\0`).join("");

  it("are switched off one by one where they are filters", () => {
    const text = listing(
      ["global", "filter.lfs.clean\ngit-lfs clean"],
      ["local", "filter.a b.c.clean\nx"],
      ["worktree", "filter.w.required\ntrue"],
      ["local", "user.name\nfilter.no.clean"],
    );
    expect(refuseNamedPrograms(text, "status")).toEqual(
      ["a b.c", "w"].flatMap((name) => [
        `filter.${name}.clean=`,
        `filter.${name}.smudge=`,
        `filter.${name}.process=`,
        `filter.${name}.required=false`,
      ]),
    );
  });

  it.each([
    ["status", "local", "filter.a=b.clean", true],
    ["status", "local", "core.sshcommand", false],
    ["fetch", "local", "core.sshcommand", true],
    ["fetch", "global", "core.sshcommand", false],
    ["fetch", "worktree", "credential.https://example.org.helper", true],
    ["push", "local", "remote.origin.receivepack", true],
    ["push", "local", "remote.origin.url", false],
    ["gc", "local", "gc.recentobjectshook", true],
    ["gc", "local", "gc.auto", false],
  ])("%s with %s %s", (command, scope, key, isRefused) => {
    let refused: unknown = "nothing";
    try {
      refuseNamedPrograms(listing([scope, `${key}\nvalue`]), command);
    } catch (error) {
      refused = (error as { data?: Record<string, unknown> }).data?.["key"];
    }
    expect(refused).toBe(isRefused ? key : "nothing");
  });
});
