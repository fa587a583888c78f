import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { COMMANDS } from "../../../src/surfaces/cli/command-table.ts";
import { Machine } from "./run-heed.ts";

const machine = new Machine();
afterAll(() => machine.remove());

describe("a wrong command line", () => {
  it.each([
    [["serch", "x"], 'heed: there is no command "serch". Did you mean search? See: heed help\n'],
    [
      ["help", "exitcodes"],
      'heed: there is no help on "exitcodes". Did you mean exit-codes? See: heed help\n',
    ],
    [["list", "--cwd", "/does/not/exist"], "heed: --cwd /does/not/exist: there is no such directory.\n"],
    [["undo", "--since", "2026-01-01"], "heed: --since goes with --session or --actor.\n"],
    [["undo", "x", "--list"], "heed: --list does not go with CHANGE: give it alone, or with --limit.\n"],
    [
      ["check", "--base", "HEAD", "x"],
      "heed: --base does not go with files|health|NAME: give it alone, or with --fix, --format.\n",
    ],
    [
      ["check", "x"],
      "heed: give files, health or nothing. For one memory: heed check --confirm NAME, or --fix NAME\n",
    ],
    [
      ["edit", "x", "--name", "y", "--expires", "never"],
      "heed: --name does not go with --expires: give it alone.\n",
    ],
    [["inbox", "confirm"], "heed: NAME is missing. Usage: heed inbox [ACTION] [NAME] [flags]\n"],
    [
      ["check", "--confirm"],
      "heed: files|health|NAME is missing. Usage: heed check [files|health|NAME] [flags]\n",
    ],
    [["scrub", "hunter2hunter2"], 'heed: the value is read from stdin alone: printf %s "$V" | heed scrub\n'],
  ])("%j exits with 2 and says what was meant, on stderr only", async (args, stderr) => {
    expect(await machine.spawn(args)).toEqual({ exitCode: 2, stdout: "", stderr });
  });

  it("is one JSON value on stdout with --json", async () => {
    const { exitCode, value } = await machine.json("serch");
    expect(exitCode).toBe(2);
    expect(value).toEqual({
      error: {
        code: "invalid-input",
        message: 'there is no command "serch". Did you mean search? See: heed help',
        argument: "command",
        value: "serch",
        suggestions: ["search"],
      },
    });
  });

  it("never passes control characters of an argument through", async () => {
    const { stderr } = await machine.run("]0;owned[2Jlits");
    expect(stderr).toBe('heed: there is no command "lits". See: heed help\n');
  });
});

describe("help", () => {
  it("fits a screen, and says how to start and where to read on", async () => {
    const lines = (await machine.run("help")).stdout.split("\n");
    expect(lines.length).toBeLessThan(36);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
    const named = lines.flatMap((line) => /^ {2}([a-z]+) {2}/.exec(line)?.[1] ?? []);
    expect(named).toHaveLength(18);
    expect(named.every((name) => Object.hasOwn(COMMANDS, name))).toBe(true);
    for (const said of ["usage", "heed init", "help --all", "https://"])
      expect(lines.join("\n")).toContain(said);
  });

  it("says the same in three ways, of one command", async () => {
    const answers = await Promise.all(
      [
        ["help", "show"],
        ["show", "--help"],
        ["show", "-h"],
      ].map((args) => machine.run(args)),
    );
    expect(
      answers[0]?.stdout.startsWith(
        "heed show NAME [CHANGE] [flags]\n  show a memory in full, or how it changed\n",
      ),
    ).toBe(true);
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  it.each(["hook", "mcp", "search"])("heed %s --help reads nothing of what is fed to it", async (name) => {
    const event = { hook_event_name: "UserPromptSubmit", session_id: "s1", cwd: machine.work };
    const input = JSON.stringify({ ...event, prompt: "words that nobody typed" });
    const { exitCode, stdout } = await machine.run([name, "--help"], { input });
    expect([exitCode, stdout.includes(`heed ${name}`)]).toEqual([0, true]);
    const state = join(machine.home, ".local/state/heed");
    expect(existsSync(join(state, "sessions"))).toBe(false);
  });

  it("answers to no arguments, --help and --version", async () => {
    const [bare, help, version, short] = await Promise.all([
      machine.spawn([]),
      machine.spawn("--help"),
      machine.spawn("--version"),
      machine.spawn("-v"),
    ]);
    expect(bare).toEqual(help);
    expect(short).toEqual(version);
    expect(version).toEqual({ exitCode: 0, stdout: "0.1.0\n", stderr: "" });
  });
});

describe("colour", () => {
  it.each([
    [{}, false],
    [{ FORCE_COLOR: "1" }, true],
    [{ FORCE_COLOR: "0" }, false],
    [{ FORCE_COLOR: "1", NO_COLOR: "1" }, false],
  ])("in a pipe with %j: %j", async (env, isColoured) => {
    const { stdout } = await machine.spawn("help", { env });
    expect(stdout.includes("\u001b[1m")).toBe(isColoured);
  });

  it("is off with --no-color", async () => {
    const { stdout } = await machine.run("help --no-color", { env: { FORCE_COLOR: "1" } });
    expect(stdout).not.toContain("\u001b");
  });
});

it("ends quietly when the reader has enough", async () => {
  const { stdout, stderr } = await machine.start(
    "bash",
    ["-c", 'set -o pipefail; for i in 1 2 3; do "$0" "$HEED" help; done | head -1', process.execPath],
    {},
  );
  expect(stdout.split("\n")).toHaveLength(2);
  expect(stderr).toBe("");
});
