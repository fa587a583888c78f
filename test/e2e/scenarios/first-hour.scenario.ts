import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test as plainTest } from "vitest";
import { atScreen } from "../../surfaces/cli/at-screen.ts";
import { makeGitAddress } from "../../surfaces/plugin/git-address.ts";
import { REPOSITORY, Sandbox } from "../client/sandbox.ts";

/** What the person types into the session, or has the model do, and what a guard then says. */
const FORBIDDEN = "echo fixed >> dist/app.js";

/** One source file in the project, committed. */
function addSource(sandbox: Sandbox): void {
  sandbox.git("config", "--global", "user.name", "Test");
  sandbox.git("config", "--global", "user.email", "test@example.com");
  sandbox.write("src/limits.ts", "export const MAX_RETRIES = 5;\n");
  sandbox.git("add", ".");
  sandbox.git("commit", "--quiet", "--message=Limits");
}

/** Runs a program of heed's as a person who answers each question with Enter; gives all that they read. */
async function typed(sandbox: Sandbox, program: string, ...words: string[]): Promise<string> {
  const { exitCode, text } = await atScreen(program, words, { cwd: sandbox.project, env: sandbox.env });
  expect(exitCode, text).toBe(0);
  return text;
}

/** Each file below a folder that a client owns, by its hash. */
function clientFiles({ home }: Sandbox): Record<string, string> {
  const files = readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => /\/\.(?:claude|codex)(?:\/|\.json)/.test(file.slice(home.length)));
  return Object.fromEntries(
    files.map((file) => [file, createHash("sha256").update(readFileSync(file)).digest("hex")]),
  );
}

/** What Codex reads when its model calls the shell: each hook that heed wrote for it, run as it would. */
function askCodex(sandbox: Sandbox, command: string): string {
  const { hooks } = JSON.parse(readFileSync(join(sandbox.home, ".codex/hooks.json"), "utf8")) as {
    hooks: Record<string, { hooks: { command: string }[] }[]>;
  };
  const event = {
    session_id: "s1",
    turn_id: "1",
    cwd: sandbox.project,
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command },
  };
  return (hooks["PreToolUse"] ?? [])
    .flatMap((entry) => entry.hooks)
    .map((hook) =>
      execFileSync("/bin/sh", ["-c", hook.command], {
        cwd: sandbox.project,
        env: sandbox.env,
        input: JSON.stringify(event),
        encoding: "utf8",
      }),
    )
    .join("");
}

/** From the first rule to the first undo; `stopped` gives what is read where a client's model runs the forbidden command. */
async function firstHour(
  sandbox: Sandbox,
  heed: (...words: string[]) => Promise<string>,
  stopped: () => Promise<string>,
): Promise<void> {
  expect(
    await heed(
      "write",
      "--type",
      "feedback",
      "--name",
      "generated-dist",
      "never edit files in dist/ by hand",
      "--reason",
      "the next build overwrites them",
    ),
  ).toContain("✓ remembered as a rule (feedback): never edit files in dist/ by hand [heed:generated-dist]");
  expect(
    await heed("guard", "add", "generated-dist", "--guard", '{ writes: "dist/**", say: run npm run build }'),
  ).toContain('guard generated-dist: deny changing dist/**, saying "run npm run build"');
  const refusal = await stopped();
  expect(refusal).toContain(
    "Refused by a rule of the user that heed keeps: never edit files in dist/ by hand",
  );
  expect(refusal).toContain("Why: the next build overwrites them");
  expect(refusal).toContain("Instead: run npm run build");

  const text = "The gateway blocks clients that retry more often: `MAX_RETRIES = 5` in `src/limits.ts`.";
  expect(
    await heed(
      "write",
      "--type",
      "project",
      "--name",
      "retry-limit",
      "uploads are retried five times, agreed with the gateway team",
      "--body",
      text,
    ),
  ).toContain("✓ remembered (project): uploads are retried five times");
  sandbox.git("mv", "src/limits.ts", "src/retry.ts");
  sandbox.git("commit", "--quiet", "--message=Move the limits");
  expect(await heed("search", "upload retries")).toMatch(
    // What git has no time to tell is said so.
    /src\/limits\.ts (?:was renamed to|is not here, and git was not asked)/,
  );
  const repaired = await heed("check", "--fix", "retry-limit", "--yes");
  expect(repaired).toContain("src/limits.ts was renamed to src/retry.ts");
  expect(repaired).toContain("✓ repaired retry-limit");
  expect(await heed("undo")).toContain("✓ undo: amend project/retry-limit: repaired");
}

const INSTALLED: Record<string, (sandbox: Sandbox) => string> = {
  "a checkout": (sandbox) => {
    const checkout = join(sandbox.root, "checkout");
    const address = makeGitAddress(join(sandbox.root, "heed.git"));
    sandbox.git("clone", "--quiet", address, checkout);
    // In the place of `npm ci`.
    symlinkSync(join(REPOSITORY, "node_modules"), join(checkout, "node_modules"));
    execFileSync("npm", ["run", "--silent", "build"], { cwd: checkout, env: sandbox.env, stdio: "pipe" });
    return join(checkout, "plugin/dist/heed.cjs");
  },
  "the packed package": (sandbox) => {
    const prefix = join(sandbox.root, "global");
    mkdirSync(prefix);
    const npm = (cwd: string, ...words: string[]): string =>
      execFileSync("npm", words, { cwd, env: sandbox.env, encoding: "utf8" }).trim();
    const packed = npm(REPOSITORY, "pack", "--ignore-scripts", "--silent", "--pack-destination", prefix);
    npm(sandbox.root, "install", "--global", "--offline", "--prefix", prefix, join(prefix, packed));
    return join(prefix, "bin/heed");
  },
};

plainTest.for(Object.entries(INSTALLED))(
  "the first hour with %s",
  async ([, install], { onTestFinished }) => {
    // A program by which Claude Code is found.
    const sandbox = new Sandbox("/bin/true");
    onTestFinished(() => sandbox.remove());
    sandbox.write(join(sandbox.home, ".claude", "settings.json"), '{ "model": "opus" }');
    sandbox.write(join(sandbox.home, ".codex", "config.toml"), '# mine\nmodel = "o5" # fast\n');
    addSource(sandbox);
    const before = clientFiles(sandbox);
    const program = install(sandbox);
    const heed = (...words: string[]): Promise<string> => typed(sandbox, program, ...words);

    const first = await heed();
    expect(first.split("\n")[0]).toMatch(/^heed is typed memory for coding agents/);
    expect(first).toContain(`${join(sandbox.home, ".codex/config.toml")} would be changed`);
    expect(first).toContain("Connect these 2? [Y/n, d shows the lines]");
    expect(first).toContain("Restart Claude Code, Codex CLI.");
    expect(first).toContain("next: heed write");
    expect(await heed()).toContain("usage  heed COMMAND");
    await firstHour(sandbox, heed, () => Promise.resolve(askCodex(sandbox, FORBIDDEN)));

    const end = await heed("uninit");
    expect(end).toContain(sandbox.userStore);
    expect(clientFiles(sandbox)).toEqual(before);
  },
);
