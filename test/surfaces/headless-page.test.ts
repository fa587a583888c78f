import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { memoryFile, rule } from "../home/temporary-heed.ts";
import { SandboxHome } from "./sandbox-home.ts";

// The blocks of docs/reference/headless.md, played as they stand there: a home and an /etc of their own, no network.
const ROOT = join(import.meta.dirname, "../..");
const PAGE = readFileSync(join(ROOT, "docs/reference/headless.md"), "utf8");
const FOUND = ["/etc/passwd", "/etc/alternatives", "/etc/ld.so.cache"];
const SANDBOX = [
  "--ro-bind",
  "/",
  "/",
  "--tmpfs",
  "/etc",
  "--dev",
  "/dev",
  "--proc",
  "/proc",
  "--unshare-net",
  "--unshare-pid",
];
for (const path of FOUND) SANDBOX.push("--ro-bind-try", path, path);
const canPlay = spawnSync("bwrap", [...SANDBOX, "true"]).status === 0;
if (!canPlay)
  console.warn("skipped: the page about headless runs; bwrap is not here, or may not make a sandbox");

function blocks(heading: string, language: string): string[] {
  const section = PAGE.split(/^## /m).find((part) => part.startsWith(heading)) ?? "";
  return Array.from(
    section.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, "gm")),
    ([, text = ""]) => text,
  );
}

/** The client: at its start and before a call it runs heed's hook, with the variables of the repository's settings. */
const CLIENT = `#!/usr/bin/env node
const { spawnSync } = require("node:child_process");
// \`heed init\` asks for its version.
if (process.argv[2] !== "-p") process.exit();
const env = { ...process.env, ...JSON.parse(process.env.SETTINGS ?? "{}") };
const hook = (event) => {
  const input = JSON.stringify({ session_id: "s1", cwd: process.cwd(), ...event });
  console.log(spawnSync("sh", ["-c", "heed hook"], { input, env, encoding: "utf8" }).stdout);
};
hook({ hook_event_name: "SessionStart", source: "startup" });
hook({ hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "git push --force" } });
`;
const PROGRAMS = {
  claude: CLIENT,
  sudo: '#!/bin/sh\nexec "$@"\n',
  // What the registry would bring is the build at hand.
  npm: `#!/bin/sh\n[ "$*" = "install --global heed" ] && ln -s ${ROOT}/plugin/dist/heed.cjs "$(dirname "$0")/heed"\n`,
};

let root = "";
let tree = "";
const policy = (): string => `trust: [{ repository: "github.com/acme/*", tree: ${tree} }]\n`;

beforeEach(() => {
  ({ root } = new SandboxHome());
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const [name, text] of Object.entries(PROGRAMS)) {
    put(`bin/${name}`, text);
    chmodSync(join(root, "bin", name), 0o755);
  }
  symlinkSync(process.execPath, join(root, "bin/node"));
  const guard = "guard: { command: git push, flags: [--force] }";
  put("repo/.heed/feedback/no-force.md", memoryFile(rule("no-force", "Never force a push", [guard])));
  const git = (...args: string[]): string =>
    spawnSync("git", ["-C", join(root, "repo"), "-c", "user.name=x", "-c", "user.email=x@x", ...args], {
      encoding: "utf8",
    }).stdout.trim();
  for (const args of [
    ["init", "-q"],
    ["remote", "add", "origin", "https://github.com/acme/api.git"],
    ["add", "-A"],
    ["commit", "-qm", "x"],
  ])
    git(...args);
  tree = git("rev-parse", "HEAD:.heed");
  put("policy.yaml", policy());
});

/** Runs shell texts, one after the other, in the repository. */
function play(steps: readonly string[], env: Record<string, string> = {}): string {
  const script = ["set -e", `cd ${root}/repo`, ...steps.map((step) => `(${step}\n)`)].join("\n");
  const variables = {
    PATH: `${join(root, "bin")}:/usr/bin:/bin`,
    HOME: root,
    TMPDIR: root,
    GITHUB_STEP_SUMMARY: join(root, "summary"),
    ...env,
  };
  const run = spawnSync("bwrap", [...SANDBOX, "--bind", root, root, "bash", "-c", script], {
    env: variables,
    encoding: "utf8",
  });
  expect({ status: run.status, said: run.status === 0 ? "" : run.stderr }).toEqual({ status: 0, said: "" });
  return run.stdout;
}

const [dockerfile = ""] = blocks("A devcontainer", "dockerfile");
const RUNS = Array.from(dockerfile.matchAll(/^RUN (.+)$/gm), ([, text = ""]) => text);
const COPIES = Array.from(
  dockerfile.matchAll(/^COPY (\S+) (\S+)$/gm),
  ([, from, to]) => `sudo install -D -m 644 "$HOME"/${from} ${to}`,
);
const CREATED = (JSON.parse(blocks("A devcontainer", "json")[0] ?? "{}") as { postCreateCommand: string })
  .postCreateCommand;
const action = (parse(blocks("A GitHub action", "yaml")[0] ?? "") as { steps: { run?: string }[] }).steps;
const ACTION = action.flatMap(({ run }) => run ?? []);
const GUARDED = /"permissionDecision":"deny"[^]*Never force a push/;

describe.skipIf(!canPlay)("as the page says", () => {
  test("a devcontainer: the rule is in force at the first call", () => {
    expect([RUNS.length, COPIES.length]).toEqual([1, 1]);
    const said = play([...RUNS, ...COPIES, CREATED, "claude -p go", "heed doctor --json > $HOME/summary"]);
    expect(said).toMatch(GUARDED);
    expect(readFileSync(join(root, "summary"), "utf8")).toContain("run as root");
  });

  test("an action: the policy of a variable, the agent, what waits in the summary", () => {
    expect(ACTION.length).toBe(3);
    const said = play(ACTION, { HEED_POLICY: policy(), PROMPT: "go" });
    expect(said).toMatch(GUARDED);
    expect(readFileSync(join(root, "summary"), "utf8")).toContain('"isWell":true');
  });

  test("a cloud sandbox: the file that a variable names, which the client began with, in an /etc under git", () => {
    const steps = [
      ...RUNS,
      "git init -q /etc",
      "sudo install -D -m 644 $HOME/policy.yaml /etc/trust/heed.yaml",
      CREATED,
      "claude -p go",
    ];
    expect(play(steps, { HEED_TRUST_FILE: "/etc/trust/heed.yaml" })).toMatch(GUARDED);
  });

  test("your own memories: a setup script brings them, before the first session and memory alone, and what is written waits", () => {
    const [bring = ""] = blocks("Your own memories", "sh").map((text) => text.trim());
    const remote = join(root, "memories.git");
    const rules = join(root, "memories/feedback/no-friday.md");
    mkdirSync(dirname(rules), { recursive: true });
    writeFileSync(rules, memoryFile(rule("no-friday", "Never push on Fridays")));
    writeFileSync(
      join(root, ".gitconfig"),
      `[url "${remote}"]\n\tinsteadOf = git@github.com:me/memories.git\n`,
    );
    const made = [
      "git init -q -b main $HOME/memories; cd $HOME/memories; git add -A",
      "git -C $HOME/memories -c user.name=x -c user.email=x@x commit -qm x",
      "git clone -q --bare $HOME/memories $HOME/memories.git; chmod -R a-w $HOME/memories.git",
    ];
    const write = "heed write --type reference --name board 'board: https://grafana.example.com/d/b'";
    const steps = [
      ...RUNS,
      ...made,
      bring,
      `! ${bring} 2> $HOME/again`,
      `! HEED_STATE_DIR=$HOME/other ${bring} 2>> $HOME/again`,
      write,
      "heed doctor --json || true",
      "claude -p go",
      `${bring} 2>&1 || true`,
      `! HEED_DIR=$HOME/none HEED_STATE_DIR=$HOME/other ${bring} 2>> $HOME/again`,
    ];
    const said = play(steps);
    expect(said).toMatch(/: 1 came, 0 went/);
    expect(said).toContain("many at once: heed import FILE");
    expect(said).toMatch(/"waiting":\["Keep [^,]*grafana/);
    expect(said).toMatch(/additionalContext":"[^"]*- Never push on Fridays/);
    expect(said).toMatch(/in a terminal of your own/);
    expect(readFileSync(join(root, "again"), "utf8").match(/in a terminal of your own/g)).toHaveLength(3);
  });

  test.each([
    ["without a policy", {}, "not approved"],
    [
      "a repository's settings set the variable",
      { SETTINGS: '{"HEED_TRUST_FILE":"/etc/trust/heed.yaml"}' },
      "set after the client began",
    ],
  ])("%s: the rule is data", (_, env: Record<string, string>, why) => {
    const steps = [
      ...RUNS,
      "sudo install -D -m 644 $HOME/policy.yaml /etc/trust/heed.yaml",
      CREATED,
      "claude -p go",
    ];
    const said = play(steps, env);
    expect(said).not.toMatch(GUARDED);
    expect(said).toContain(why);
  });
});
