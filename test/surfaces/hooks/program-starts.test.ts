import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { memoryFile, rule } from "../../home/temporary-heed.ts";
import { printedTo } from "../as-client.ts";
import { HEED, SandboxHome } from "../sandbox-home.ts";

const RULES = [
  ["no-verify", "Never skip the hooks", "{ command: git commit, flags: [--no-verify], say: fix the hook }"],
  ["no-publish", "Ask before publishing", "{ publishes: true }"],
  ["no-prod", "Nothing is applied to production", '{ command: terraform apply, paths: ["envs/prod/**"] }'],
  ["no-env", "No secrets in git", "{ command: [git add, git commit], paths: [.env] }"],
  ["no-husky", "Hooks stay on", '{ command: git commit, env: ["HUSKY=0"] }'],
] as const;

/** A machine with guards, a repository, and programs that say how they were started. */
class Machine {
  readonly home: SandboxHome = new SandboxHome();
  readonly repository = join(this.home.root, "a repository");
  readonly starts = join(this.home.state, "starts");
  readonly programs = join(this.home.root, "programs");
  readonly envFile = join(this.home.root, "session-env.sh");

  constructor() {
    const { home, repository } = this;
    for (const [name, statement, guard] of RULES)
      home.write(`store/feedback/${name}.md`, memoryFile(rule(name, statement, [`guard: ${guard}`])));
    mkdirSync(join(repository, "envs/prod"), { recursive: true });
    this.git("init", "-qb", "main");
    const settings = "[user]\n\tname = a\n\temail = a@b\n[alias]\n\tnv = commit --no-verify\n\tst = status\n";
    appendFileSync(join(repository, ".git/config"), settings);
    mkdirSync(this.programs);
    for (const name of ["npm", "terraform"])
      this.program(
        join(this.programs, name),
        `echo "${name}:$*"; [ "$1" = fail ] && exit 7; [ "$1" = cat ] && cat; true`,
      );
  }

  program(file: string, text: string): void {
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, `#!/bin/sh\n${text}\n`);
    chmodSync(file, 0o755);
  }

  git(...args: readonly string[]): string {
    return execFileSync("git", args, { cwd: this.repository, encoding: "utf8" });
  }

  hook(event: object, client = "claude-code"): string {
    const input = JSON.stringify({ session_id: "s1", cwd: this.repository, ...event });
    const options = { cwd: this.repository, env: { CLAUDE_ENV_FILE: this.envFile } };
    return this.home.run(["hook", "--client", client], input, options).stdout;
  }

  /** What the user types in the client. */
  typed(prompt: string): Promise<string> {
    const event = { hook_event_name: "UserPromptSubmit", session_id: "s1", cwd: this.repository, prompt };
    const options = { cwd: this.repository, env: this.home.env };
    return printedTo(["claude"], [HEED, "hook", "--client", "claude-code"], options, JSON.stringify(event));
  }

  /** A call of the client's shell: the hook before it, then bash with the session's environment. */
  bash(
    command: string,
    { isAsked = true, shell = "bash", env = {} }: { isAsked?: boolean; shell?: string; env?: object } = {},
  ) {
    if (isAsked) {
      // What the text shows is no matter here.
      const tool_input = { command: `true; ./call-of-a-script ${command.length}` };
      this.hook({ hook_event_name: "PreToolUse", tool_name: "Bash", tool_input });
    }
    const { PATH, ...own } = this.home.env;
    const run = spawnSync(shell, ["-c", `. '${this.envFile}'\n${command}`], {
      cwd: this.repository,
      env: { ...own, PATH: `${this.programs}:${PATH}`, ...env },
      encoding: "utf8",
      // A pipe of Node is a socket, with which bash takes itself for one of ssh and reads no BASH_ENV.
      stdio: ["ignore", "pipe", "pipe"],
    });
    return { code: run.status, out: run.stdout, err: run.stderr };
  }
}

const DENIED = { code: 126, out: "" };

describe.skipIf(process.platform === "win32")("a guarded program that starts in a session", () => {
  let machine: Machine;
  beforeAll(() => {
    machine = new Machine();
    machine.hook({ hook_event_name: "SessionStart", source: "startup" });
  });

  test("is stopped by its real words, with rule, why, instead and the code that lets the call pass once", () => {
    const { code, out, err } = machine.bash("X=--no-ver; git commit ${X}ify -m wip");
    expect({ code, out }).toEqual(DENIED);
    for (const part of ["Never skip the hooks", "it went wrong once", "fix the hook"])
      expect(err).toContain(part);
    expect(err).toMatch(/memory_allow \{code: "\w+"\}/);
    expect(err).toContain("Typed with `!`");
  });

  test.each<[string, string, number?]>([
    ["a Makefile's target", "printf 'x:\\n\\tgit commit -nm wip\\n' > Makefile; make -s x", 2],
    [
      "another language",
      `python3 -c "import subprocess,sys; sys.exit(subprocess.call(['git','commit','-n','-m','x']))"`,
    ],
    ["an alias of git", "git nv -m x"],
    ["an alias given with the call", "git -c alias.z='commit -n' z -m x"],
    ["an alias with quotes", `git -c alias.z="commit '-n'" z -m x`],
    ["an alias of the shell, with what follows it", "git -c alias.z='!git commit' z -n -m x"],
    ["the environment", "export HUSKY=0; git commit -m x"],
    ["a mode of its own", "HEED_MODE=off git commit -nm x"],
    ["places of its own", "export HEED_{STATE_,CONFIG_,CACHE_,}DIR=/x; git commit -nm x"],
    [
      "settings in the environment",
      "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.q GIT_CONFIG_VALUE_0='commit -n' git q",
    ],
    ["the directory", "mkdir -p envs/prod; d=envs; cd $d/prod && terraform apply"],
    ["an option for the directory", "d=envs/prod; terraform -chdir=$d apply"],
    ["what git would add", "echo x > .env; git add ."],
    [
      "what git would commit",
      "echo x > .env; /usr/bin/git add .env; git commit -m x; s=$?; /usr/bin/git rm -q --cached .env; exit $s",
    ],
    [
      "a program that put its folder first",
      "mkdir -p nvm; cp ../programs/npm nvm; PATH=$PWD/nvm:$PATH; npm publish",
    ],
    [
      "a script of bash that puts its PATH first",
      "echo 'npm publish' > s.sh; PATH=/usr/bin:../programs:$PATH; bash s.sh",
    ],
    ["xargs", "echo publish | xargs npm", 123],
  ])("is seen behind %s", (_, command, code = 126) => {
    const run = machine.bash(command);
    machine.git("clean", "-fdqx");
    expect(run).toMatchObject({ code });
    expect(run.err).toContain("heed:");
    expect(run.out).not.toContain("publish");
  });

  test.each<[string, string, string, number?]>([
    [
      "what no guard is about",
      "git status -s >/dev/null && git commit --allow-empty -qm ok && echo done",
      "done\n",
    ],
    [
      "arguments with spaces, quotes, line breaks, none",
      `npm publish --dry-run "a  b" '' "c'd" $'e\\nf'`,
      "npm:publish --dry-run a  b  c'd e\nf\n",
    ],
    ["its exit code", "npm fail", "npm:fail\n", 7],
    ["its input", "printf 'a\\0b' | npm cat | od -An -c | tr -d ' \\n'", "npm:cat\\na\\0b"],
    [
      "a commit in a repository that a test makes",
      "d=$(mktemp -d) && cd $d && git init -q && git -c user.name=a -c user.email=b commit -qn --allow-empty -m x && git log --format=%s",
      "x\n",
    ],
    ["apply elsewhere", "terraform apply", "terraform:apply\n"],
    ["an alias that is harmless", "git st -s | wc -c | tr -d ' ' | grep -c .", "1\n"],
    [
      "the right one of two",
      "mkdir -p nvm; printf '#!/bin/sh\\necho other' > nvm/npm; chmod +x nvm/npm; PATH=$PWD/nvm:$PATH; npm --version",
      "other\n",
    ],
    ["none where there is none", "command -v luarocks; luarocks 2>/dev/null; echo $?", "127\n"],
    ["the user's own BASH_ENV", "bash -c 'echo $OWN'", "own\n"],
  ])("starts as ever: %s", (_, command, out, code = 0) => {
    writeFileSync(join(machine.home.root, "own.sh"), "OWN=own\n");
    const run = machine.bash(command, { env: { BASH_ENV: "$HOME/own.sh" } });
    expect(run).toMatchObject({ code, out });
    rmSync(join(machine.repository, "nvm"), { recursive: true, force: true, maxRetries: 10 });
  });

  test("gets the signals", async () => {
    machine.program(join(machine.programs, "kubectl"), "exec sleep 30");
    copyFileSync(join(machine.starts, "bin/npm"), join(machine.starts, "bin/kubectl"));
    const child = spawn(join(machine.starts, "bin/kubectl"), ["apply"], {
      env: { ...machine.home.env, PATH: `${machine.programs}:/usr/bin:/bin`, HEED_SESSION: "s1" },
    });
    const ended = new Promise<string | null>((resolve) => child.on("exit", (_, signal) => resolve(signal)));
    await new Promise((resolve) => setTimeout(resolve, 300));
    child.kill("SIGTERM");
    expect(await ended).toBe("SIGTERM");
  });

  test("ends no loop: with links and copies of heed's file in other folders", () => {
    const { repository, starts } = machine;
    for (const folder of ["c1", "c2", "c3"]) mkdirSync(join(repository, folder), { recursive: true });
    copyFileSync(join(starts, "bin/npm"), join(repository, "c1/npm"));
    copyFileSync(join(starts, "bin/npm"), join(repository, "c2/npm"));
    symlinkSync(join(starts, "bin/npm"), join(repository, "c3/npm"));
    const run = machine.bash(
      "PATH=$PWD/c1:$PWD/c2:$PWD/c3:$PATH; npm test; command npm test; c3/npm test; c2/npm test",
    );
    expect(run.out).toBe("npm:test\n".repeat(4));
  });

  test("passes in zsh as in bash", ({ skip }) => {
    if (spawnSync("zsh", ["-c", "true"]).status !== 0) skip("zsh is not installed");
    expect(machine.bash("git commit -nm x", { shell: "zsh" })).toMatchObject(DENIED);
    expect(machine.bash("npm test", { shell: "zsh" }).out).toBe("npm:test\n");
  });

  test("leaves no trace where it is judged", () => {
    machine.hook({ hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "true" } });
    const newer = (): string =>
      execFileSync("find", [machine.home.root, "-newer", machine.envFile, "-type", "f"], {
        encoding: "utf8",
      });
    expect(newer()).not.toBe("");
    utimesSync(machine.envFile, new Date(), new Date());
    expect(machine.bash("git commit -nm x", { isAsked: false })).toMatchObject(DENIED);
    expect(newer()).toBe("");
  });

  test("passes once the user allowed the call, and that call alone, once", async () => {
    const { err } = machine.bash("git commit -nm x");
    const [, code = ""] = /code: "(\w+)"/.exec(err) ?? [];
    expect(await machine.typed(`heed allow ${code}`)).toContain("Allowed once");
    expect(machine.bash("git commit --no-verify --allow-empty -qm other-call").code).toBe(126);
    expect(machine.bash("git commit -n --allow-empty -qm x").code, "another call of the same length").toBe(
      126,
    );
    expect(machine.bash("git commit -nm x").code).not.toBe(126);
    expect(machine.bash("git commit -nm x").code).toBe(126);
  });

  test("passes once where the user allowed the call whose text was stopped", async () => {
    const command = "git commit --no-verify --allow-empty -qm typed";
    const call = { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command } };
    // Somebody is there: a run without a user is told no code.
    await machine.typed("commit it, please");
    const [, code = ""] = /heed allow (\w+)/.exec(machine.hook(call)) ?? [];
    expect(await machine.typed(`heed allow ${code}`)).toContain("Allowed once");
    expect(machine.hook(call)).toContain("let this pass once");
    expect(machine.bash(command, { isAsked: false }).code).not.toBe(126);
    expect(machine.bash(command).code, "started by another call").toBe(126);
  });

  test("starts as if nothing were there: in no session, in one that ended, without heed, and that is said", () => {
    const run = (how: Parameters<Machine["bash"]>[1]) =>
      machine.bash("npm publish", { isAsked: false, ...how });
    expect(run({})).toMatchObject(DENIED);
    expect(machine.bash("HEED_SESSION=other; npm publish", { isAsked: false }).out).toBe("npm:publish\n");
    const live = join(machine.starts, "live/s1");
    const text = readFileSync(live, "utf8");
    writeFileSync(live, text.replaceAll(HEED, "/nowhere/heed.cjs"));
    expect(run({})).toEqual({ code: 0, out: "npm:publish\n", err: "" });
    const broken = join(machine.home.root, "broken.cjs");
    writeFileSync(broken, "process.kill(process.pid, 'SIGKILL')");
    writeFileSync(live, text.replaceAll(HEED, broken));
    expect(run({}).out).toBe("npm:publish\n");
    writeFileSync(live, text);
    const done = { hook_event_name: "PostToolUse", tool_name: "Bash", tool_input: { command: "true" } };
    expect(machine.hook(done)).toContain("npm started unchecked");
    expect(machine.hook(done)).not.toContain("unchecked");
    machine.hook({ hook_event_name: "SessionEnd", reason: "exit" });
    expect(existsSync(live)).toBe(false);
    expect(run({})).toEqual({ code: 0, out: "npm:publish\n", err: "" });
    rmSync(machine.starts, { recursive: true });
    expect(run({})).toEqual({ code: 0, out: "npm:publish\n", err: "" });
  });
});
