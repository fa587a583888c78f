import { describe, expect, test } from "vitest";
import { SETTLING } from "../../../src/machine/places.ts";
import { settledEnvironment } from "../../../src/surfaces/processes.ts";
import type { Surroundings } from "../../../src/surfaces/hooks/whose-session.ts";
import { whoseSession } from "../../../src/surfaces/hooks/whose-session.ts";

/** What stands above, the nearest first, parted by ` ← `; words are parted by blanks, `"…"` is one. */
function around(above: string, env: Record<string, string> = {}, begun = {}): Surroundings {
  const wordsOf = (line: string): string[] =>
    [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
  return {
    env,
    ancestors: (above === "" ? [] : above.split(" ← ")).map((line, i) => ({
      pid: 900 - i,
      words: wordsOf(line),
    })),
    environmentOf: () => begun,
  };
}

const TERMINAL = "-zsh ← tmux ← /sbin/init";

describe("a server", () => {
  test.each([
    ["the client itself", "claude --resume"],
    [
      "as an editor's extension runs it",
      "/home/me/.vscode/extensions/anthropic.claude-code-2/claude --verbose",
    ],
    ["over npx", "npm exec heed mcp ← claude"],
    ["over npx and its shell", 'sh -c "heed mcp" ← npm exec heed mcp ← claude'],
    ["over npx as a script", "node /usr/lib/node_modules/npm/bin/npx-cli.js heed mcp ← codex"],
    ["over bunx", "bunx heed mcp ← claude"],
    ["over heed's own launcher", "node /usr/bin/heed mcp ← claude"],
    ["over a script that bears its name", "claude ← bash /home/me/bin/claude"],
    ["from a launcher in Node", "/opt/vendor/codex/codex --x ← node /usr/bin/codex"],
    ["an editor", "/usr/share/cursor/cursor --type=utility"],
  ])("that was started by %s has a user", (_, lines) => {
    const whose = whoseSession("server", around(`${lines} ← ${TERMINAL}`));
    expect(whose.client).toBeDefined();
    expect(whose.userless).toBeUndefined();
  });

  test.each([
    ["a shell", 'bash -c "heed mcp" ← claude'],
    ["a shell that bears a client's name", "bash claude ← claude"],
    ["a shell in which more is done", 'zsh -c "cat in | heed mcp" ← claude'],
    ["a script of a shell", "sh run.sh ← claude"],
    ["a script of Python", "python3 feed.py ← bash ← claude"],
    ["a script of Node", "node feed.mjs ← claude"],
    ["a test", "node /w/node_modules/vitest/vitest.mjs run"],
    ["a program that nobody knows", "/tmp/feed"],
    ["a terminal that is made", "script -c heed ← claude"],
    ["nobody who is left", ""],
  ])("that was started by %s is no client's, whatever stands above", (_, lines) => {
    const whose = whoseSession("server", around(lines === "" ? "" : `${lines} ← ${TERMINAL}`));
    expect(whose.client).toBeUndefined();
    expect(whose.userless).toBeDefined();
  });
});

describe("a client", () => {
  test.each<[string, string, Record<string, string>?, object?]>([
    ["another agent's shell", `claude ← bash -c "claude" ← claude ← ${TERMINAL}`],
    ["another client", `codex ← bash -lc "codex" ← claude ← ${TERMINAL}`],
    ["an agent's shell that is gone", "claude ← tmux: server ← /sbin/init", {}, { CLAUDECODE: "1" }],
    ["a program that makes its terminal", `claude ← expect feed.exp ← ${TERMINAL}`],
    ["a program that drives it", "claude --verbose ← node app.mjs", { CLAUDE_CODE_ENTRYPOINT: "sdk-ts" }, {}],
    ["one prompt", `claude -p hello ← ${TERMINAL}`],
    ["one prompt, as it says", "claude", { CLAUDE_CODE_ENTRYPOINT: "sdk-cli" }, {}],
    [
      "one prompt in Codex",
      `/opt/vendor/codex/codex exec hello ← node /usr/bin/codex exec hello ← ${TERMINAL}`,
      {},
      {},
    ],
    ["one prompt in Codex, by its short name", "codex e hello"],
    ["one prompt in Gemini", `node /usr/bin/gemini -p hello ← ${TERMINAL}`],
    ["one prompt in Qwen", `node /usr/bin/qwen --prompt=hello ← ${TERMINAL}`],
    ["one prompt in opencode", `opencode run hello ← ${TERMINAL}`],
    ["one prompt in Copilot", `copilot -p hello ← ${TERMINAL}`],
    ["one prompt in Goose", `goose run -t hello ← ${TERMINAL}`],
    ["one prompt in pi", `pi -p hello ← ${TERMINAL}`],
  ])("that was started for or by %s has no user", (_, lines, env, begun) => {
    const whose = whoseSession("server", around(lines, env, begun));
    expect(whose.client).toBeDefined();
    expect(whose.userless).toBeDefined();
  });

  test.each([
    [
      "Claude Code with a prompt that says -p",
      'claude "what is git log -p"',
      { CLAUDE_CODE_ENTRYPOINT: "cli" },
    ],
    ["Codex with a profile", "codex -p work", {}],
    ["Gemini with a prompt to begin with", "gemini -i hello", {}],
    ["opencode with a prompt to begin with", "opencode --prompt hello", {}],
    ["Claude Code in an editor", "claude", { CLAUDE_CODE_ENTRYPOINT: "claude-vscode" }],
    ["a terminal whose user set something of their own", "claude", { CODEX_HOME: "/x" }],
  ])("%s has one", (_, lines, env) => {
    expect(whoseSession("server", around(`${lines} ← ${TERMINAL}`, env)).userless).toBeUndefined();
  });
});

test("a client's command line names settings, in every process that is the client", () => {
  const lines = [
    'claude --settings=a.json "run --settings x" --plugin-dir "/my plugins/p"',
    "node /usr/bin/claude --settings b.json",
    "zsh --settings none",
  ].join(" ← ");
  expect(whoseSession("server", around(`${lines} ← ${TERMINAL}`)).settings).toEqual([
    "a.json",
    "/my plugins/p",
    "b.json",
  ]);
});

describe("a hook", () => {
  test.each([
    ["the client", "codex"],
    ["the shell of the client", 'sh -c "node /x/heed.cjs hook --client codex" ← codex'],
    ["a client that nobody knows here", "/usr/bin/newagent --x"],
    ["a client's server on another machine", "/home/me/.vscode-server/bin/1/node out/bootstrap-fork.js"],
    ["an agent in Python", "python3 /home/me/.local/bin/kimi"],
  ])("that was started by %s has a user", (_, lines) => {
    expect(whoseSession("hook", around(`${lines} ← ${TERMINAL}`))).toEqual({
      client: expect.any(String) as string,
    });
  });

  test.each([
    ["a pipe", 'bash -c "echo {} | heed hook" ← codex'],
    ["a file", 'bash -c "heed hook < in.json" ← codex'],
    ["several commands", 'bash -c "cd /x && heed hook" ← codex'],
    ["a script", "bash feed.sh ← codex"],
    ["a script of Python", "python3 feed.py ← codex"],
  ])("that is fed by %s has none", (_, lines) => {
    expect(whoseSession("hook", around(`${lines} ← ${TERMINAL}`)).userless).toBeDefined();
  });
});

test("where nobody can tell who started what, the client's word is taken", () => {
  const nothing = { ancestors: undefined, environmentOf: () => undefined };
  expect(whoseSession("server", { ...nothing, env: {} })).toEqual({ client: "unknown" });
  expect(
    whoseSession("server", { ...nothing, env: { CLAUDE_CODE_ENTRYPOINT: "sdk-cli" } }).userless,
  ).toBeDefined();
});

describe("what settles where heed is", () => {
  const CLIENT = { HOME: "/home/me", HEED_TRUST_FILE: "/etc/t.yaml" };
  const FORGED = { HEED_STATE_DIR: "/w/x", XDG_CONFIG_HOME: "/w/x", HEED_CACHE_DIR: "x", HOME: "" };
  const seenBy = (lines: string, isClients: boolean, given: object, begun: object[]): object => {
    const { ancestors } = around(lines);
    const env = { ...CLIENT, ...given };
    return settledEnvironment(
      env,
      () => isClients,
      ancestors,
      (pid) => ({ ...CLIENT, ...begun[900 - pid] }),
    );
  };

  test.each([
    ["settings of a folder", "claude", FORGED, []],
    ["settings, over a shell", 'sh -c "heed hook" ← claude', FORGED, []],
    ["settings that a client gives its own second process", "gemini ← gemini", FORGED, [FORGED]],
    ["trust that names another file", "claude", { HEED_TRUST_FILE: "/w/t.yaml" }, []],
    [
      "trust that a model gives another agent",
      "codex ← bash -c codex ← claude",
      { HEED_TRUST_FILE: "/w" },
      [{ HEED_TRUST_FILE: "/w" }],
    ],
  ])("not %s", (_, lines, given, begun) => {
    const { HEED_LATE: late, ...env } = seenBy(lines, true, given, begun) as Record<string, unknown>;
    expect(env).toEqual(CLIENT);
    expect(late).toBe(
      Object.keys(given)
        .sort((a, b) => SETTLING.indexOf(a) - SETTLING.indexOf(b))
        .join(", "),
    );
  });

  test.each([
    ["what the client began with", "claude", true, FORGED, [FORGED]],
    ["what a wrapper set", "claude ← bash /home/me/bin/claude", true, FORGED, [FORGED]],
    ["a store that the settings name", "codex", true, { HEED_DIR: "/m" }, []],
    [
      "a heed elsewhere, which a command tries",
      "bash -c x ← claude",
      false,
      { HEED_DIR: "/m", HEED_STATE_DIR: "/s" },
      [],
    ],
    ["no client", "node vitest.mjs", false, FORGED, []],
  ])("%s", (_, lines, isClients, given, begun) => {
    expect(seenBy(lines, isClients, given, begun)).toEqual({ ...CLIENT, ...given });
  });
});
