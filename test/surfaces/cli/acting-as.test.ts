import { expect, it, describe } from "vitest";
import type { Circumstances } from "../../../src/surfaces/cli/arguments/acting-as.ts";
import { actingAs, assertPerson } from "../../../src/surfaces/cli/arguments/acting-as.ts";
import { parseProcessTable, processAncestors } from "../../../src/surfaces/processes.ts";

const chain = (...lines: string[]): Circumstances["ancestors"] =>
  lines.map((line, i) => ({ pid: 100 - i, words: line.split(" ") }));
const atTerminal =
  (...lines: string[]) =>
  (): Circumstances => ({ hasTerminal: true, ancestors: chain(...lines) });
const PERSON = atTerminal("-bash", "tmux: server", "/sbin/init");

it.each([
  [{}, "person", undefined],
  [{ CLAUDECODE: "1" }, "model", "claude-code"],
  [{ CODEX_SANDBOX: "seatbelt" }, "model", "codex"],
  [{ CODEX_SANDBOX_NETWORK_DISABLED: "1" }, "model", "codex"],
  [{ CURSOR_AGENT: "1" }, "model", "cursor"],
  [{ GEMINI_CLI: "1" }, "model", "gemini-cli"],
  [{ OPENCODE: "1" }, "model", "opencode"],
  [{ AI_AGENT: "Devin" }, "model", "devin"],
  [{ AGENT: "amp" }, "model", "amp"],
  // A person's own settings and terminals.
  [{ CODEX_HOME: "/home/me/.codex" }, "person", undefined],
  [{ CURSOR_TRACE_ID: "abc" }, "person", undefined],
  [{ CLAUDECODE: "0" }, "person", undefined],
  [{ CLAUDECODE: "" }, "person", undefined],
])("%j is a %s", (env, kind, client) => {
  const { actor } = actingAs(env, PERSON);
  expect(actor.kind).toBe(kind);
  expect(actor.client).toBe(client);
});

it("knows the session of Claude Code, and names the variable that told", () => {
  expect(actingAs({ CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "s1" }, PERSON)).toEqual({
    actor: { kind: "model", client: "claude-code", session: "s1" },
    doubt: "CLAUDECODE is set",
  });
});

describe("a person is told by a terminal and by who started what is typed into", () => {
  it.each([
    ["a terminal", atTerminal("-zsh", "login -fp me", "/Applications/Terminal.app/Contents/MacOS/Terminal")],
    ["over ssh", atTerminal("-bash", "sshd: me@pts/0", "sshd: me [priv]", "/sbin/init")],
    [
      "of an editor",
      atTerminal("/bin/zsh -l", "/usr/share/code/code --type=ptyHost", "/usr/share/code/code"),
    ],
    ["of an editor that has agents", atTerminal("/bin/zsh", "/opt/cursor/cursor --type=ptyHost")],
    ["by npx", atTerminal("sh -c heed inbox confirm x", "node /usr/bin/npx heed inbox confirm x", "-bash")],
    ["where processes cannot be seen", (): Circumstances => ({ hasTerminal: true, ancestors: undefined })],
  ])("%s", (_, look) => {
    expect(actingAs({}, look)).toEqual({ actor: { kind: "person" } });
  });

  it.each([
    ["an agent's shell without its mark", atTerminal("bash -c heed", "claude --resume", "-zsh"), "claude"],
    [
      "run by an interpreter",
      atTerminal("sh", "node --no-warnings /usr/lib/node_modules/@google/gemini-cli/bundle/gemini.js"),
      "gemini",
    ],
    [
      "from its package",
      atTerminal("sh", "node /x/node_modules/@anthropic-ai/claude-code/cli.js"),
      "@anthropic-ai/claude-code",
    ],
    [
      "in a terminal that a program made",
      atTerminal("sh -c heed inbox confirm x", "script -qec heed inbox confirm x /dev/null"),
      "script",
    ],
    [
      "a script, a test, a build",
      (): Circumstances => ({ hasTerminal: false, ancestors: chain("bash ci.sh") }),
      "script",
    ],
    ["an agent in an agent's terminal", atTerminal("script -qc x", "/usr/local/bin/codex exec"), "codex"],
  ])("not %s", (_, look, client) => {
    const { actor, doubt } = actingAs({}, look);
    expect(actor).toEqual({ kind: "model", client });
    expect(doubt).toBeTruthy();
    // Whoever reads what a script is told is no model.
    const refuse = (): void => assertPerson({ actor, doubt: doubt ?? "" }, "this ends it", "heed uninit");
    expect(refuse).toThrow(
      client === "script"
        ? /Run heed uninit in a terminal of your own/
        : /Ask the user to run heed uninit in a terminal of their own/,
    );
  });
});

it("reads the processes above, here and of macOS", () => {
  const above = processAncestors();
  expect(process.platform === "linux" ? above?.[0]?.pid : process.ppid).toBe(process.ppid);
  expect(processAncestors(process.ppid, "win32")).toBeUndefined();
  const table = parseProcessTable("    1     0 /sbin/launchd\n  612     1 /bin/zsh -l\n x\n");
  expect(table.get(612)).toEqual({ parent: 1, words: ["/bin/zsh", "-l"] });
});
