import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parse } from "yaml";
import { occurrences, readByModel, requestFor } from "../expectations.ts";
import { memoryFile, rule } from "../memory-files.ts";
import { test as withClient } from "../scenario.ts";

// Two people with homes of their own, one repository between them over git, and the action as a runner starts it.
const HEED = resolve("plugin/dist/heed.cjs");
const AT_A_TERMINAL = resolve("scripts/at-a-terminal.cjs");
/** A namespace without any network, where this machine allows one. */
const OFFLINE = spawnSync("unshare", ["-rn", "true"]).status === 0 ? ["unshare", "-rn"] : [];

interface Ended {
  status: number | null;
  stdout: string;
  stderr: string;
}

let folder: string;
let team: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "heed-team-")));
  team = join(folder, "team.git");
  run(folder, {}, "git", "init", "-q", "--bare", "-b", "main", team);
});
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));

function run(cwd: string, env: Record<string, string>, program: string, ...args: string[]): Ended {
  const base = { PATH: process.env["PATH"] ?? "", GIT_CONFIG_NOSYSTEM: "1", HOME: folder };
  return spawnSync(program, args, { cwd, env: { ...base, ...env }, encoding: "utf8", input: "" });
}

/** A person at a terminal in a clone of their own. */
class Person {
  readonly clone: string;
  readonly #env: Record<string, string>;

  constructor(name: string) {
    const home = join(folder, name);
    this.clone = join(home, "shop");
    mkdirSync(home);
    const who = { NAME: name, EMAIL: `${name}@acme.example` };
    const git = ["AUTHOR", "COMMITTER"].flatMap((role) =>
      Object.entries(who).map(([key, value]) => [`GIT_${role}_${key}`, value]),
    );
    this.#env = { HOME: home, ...(Object.fromEntries(git) as Record<string, string>) };
    this.git("clone", "-q", team, this.clone);
  }

  git(...args: string[]): string {
    const cwd = args[0] === "clone" ? folder : this.clone;
    const { status, stdout, stderr } = run(cwd, this.#env, "git", ...args);
    expect(status, stderr).toBe(0);
    return stdout;
  }

  heed(...args: string[]): Ended {
    const env = { ...this.#env, NODE_OPTIONS: `--require ${AT_A_TERMINAL}` };
    return run(this.clone, env, process.execPath, HEED, ...args);
  }

  write(path: string, text: string): void {
    mkdirSync(join(this.clone, path, ".."), { recursive: true });
    writeFileSync(join(this.clone, path), text);
  }

  commit(message: string): void {
    this.git("add", "-A");
    this.git("commit", "-q", "-m", message);
  }

  isStopped(command: string): boolean {
    return /denied|would be stopped|✗/.test(this.heed("guard", "test", command).stdout);
  }
}

/** What the action prints and writes for a pull request of a branch into main, checked out as its runner does. */
function pullRequest(branch: string): Ended & { summary: string; sarif: { runs: { results: unknown[] }[] } } {
  const place = mkdtempSync(join(folder, "runner-"));
  const merge = new Person(`merge-${branch.replaceAll("/", "-")}-${place.slice(-6)}`);
  merge.git("merge", "-q", "--no-ff", "-m", "merge", `origin/${branch}`);
  const checkout = join(place, "checkout");
  run(place, {}, "git", "clone", "-q", "--depth=2", `file://${merge.clone}`, checkout);
  const { runs } = parse(readFileSync("action.yml", "utf8")) as { runs: { steps: { run: string }[] } };
  const [summary, sarif] = [join(place, "summary.md"), join(place, "heed.sarif")];
  const env = {
    HOME: place,
    GITHUB_ACTIONS: "true",
    GITHUB_ACTION_PATH: resolve("."),
    GITHUB_STEP_SUMMARY: summary,
    HEED_BASE: "HEAD^1",
    HEED_SARIF: sarif,
  };
  const [program, ...args] = [...OFFLINE, "sh", "-e", "-c", runs.steps[0]?.run ?? ""];
  const ended = run(checkout, env, program, ...args);
  expect(run(checkout, {}, "git", "status", "--porcelain").stdout).toBe("");
  return {
    ...ended,
    summary: readFileSync(summary, "utf8"),
    sarif: JSON.parse(readFileSync(sarif, "utf8")) as { runs: { results: unknown[] }[] },
  };
}

test("a team shares rules and facts by git, and a pull request says what it makes false", () => {
  const ann = new Person("ann");
  ann.write("src/limits.ts", "export const MAX_RETRIES = 5;\n");
  expect(ann.heed("init", "--project").status).toBe(0);
  const write = ["write", "--store", "project", "--type"];
  ann.heed(...write, "project", "--name", "retries", "retries are capped in src/limits.ts");
  ann.heed(...write, "reference", "--name", "board", "the latency board is https://board.acme.example/lat");
  const why = ["--reason", "a colleague lost a day", "--how", "push a new commit"];
  ann.heed(...write, "feedback", "--name", "no-force-push", "never force a push", ...why);
  ann.heed("guard", "add", "no-force-push", "--guard", "{ command: git push, flags: [--force] }");
  ann.commit("what the team knows");
  ann.git("push", "-q", "origin", "HEAD:main");

  const bob = new Person("bob");
  expect(bob.isStopped("git push --force")).toBe(false);
  expect(bob.heed("inbox", "trust", "--yes").status).toBe(0);
  expect(bob.isStopped("git push --force")).toBe(true);

  bob.git("checkout", "-q", "-b", "move");
  bob.git("mv", "src/limits.ts", "src/retry.ts");
  bob.write(
    ".heed/feedback/no-force-push.md",
    readFileSync(join(bob.clone, ".heed/feedback/no-force-push.md"), "utf8").replace(
      "[--force]",
      "[--force], branches: [main]",
    ),
  );
  bob.commit("move the limits");
  bob.git("push", "-q", "origin", "move");
  const failing = pullRequest("move");
  expect([failing.status, failing.stderr]).toEqual([1, ""]);
  expect(failing.stdout.split("\n")[0]).toMatch(
    /^::notice file=\.heed\/feedback\/no-force-push\.md.*stops no more: deny git push with --force%0Astops: deny git push with --force of branch main/,
  );
  expect(failing.stdout).toMatch(
    /^::error file=\.heed\/project\/retries\.md,line=\d+,.*src\/limits\.ts was renamed to src\/retry\.ts/m,
  );
  expect(failing.summary).toContain("+description: retries are capped in src/retry.ts");
  expect(failing.sarif.runs[0]?.results).toHaveLength(2);

  const patch = join(folder, "repair.patch");
  writeFileSync(patch, bob.heed("check", "--base", "origin/main", "--format", "patch").stdout);
  bob.git("apply", patch);
  expect(bob.heed("remove", "board", "--reason", "it is gone").status).toBe(0);
  bob.heed(...write, "project", "--name", "runners", "CI runs on two cores");
  bob.commit("what the team knows of it");
  bob.git("push", "-q", "origin", "move");
  expect(pullRequest("move").status).toBe(0);

  bob.git("push", "-q", "origin", "move:main");
  ann.git("pull", "-q", "origin", "main");
  expect(ann.heed("show", "retries").stdout).toContain("retries are capped in src/retry.ts");
  const review = ann.heed("inbox", "trust", "--show").stdout;
  expect(review).toContain("branches: [main]");
  expect(review.match(/^[~+-] (?:changed|new|removed) \S+/gm)).toEqual([
    "~ changed no-force-push",
    "~ changed retries",
    "+ new runners",
    "- removed board",
  ]);
  expect([
    ann.isStopped("git push --force origin side"),
    bob.isStopped("git push --force origin side"),
  ]).toEqual([true, true]);
  expect(ann.heed("inbox", "trust", "--yes").status).toBe(0);
  expect([
    ann.isStopped("git push --force origin side"),
    ann.isStopped("git push --force origin main"),
  ]).toEqual([false, true]);
});

withClient(
  "a rule of a shared root, by git address and pinned, reaches the model and says where it comes from",
  async ({ sandbox, session }) => {
    const author = join(sandbox.root, "author");
    const address = `file://${team}`;
    const statement = "Never skip the hooks of a commit";
    const publish = (...rules: ReturnType<typeof rule>[]): string => {
      for (const one of rules) sandbox.write(join(author, `.heed/feedback/${one.name}.md`), memoryFile(one));
      const as = ["-c", "user.name=Ann", "-c", "user.email=ann@acme.example"];
      sandbox.git("-C", author, "add", "-A");
      sandbox.git("-C", author, ...as, "commit", "-q", "-m", "rules");
      sandbox.git("-C", author, "push", "-q", "origin", "HEAD:main");
      return sandbox.git("-C", author, "rev-parse", "--short=7", "HEAD").trim();
    };
    const asked = async (prompt: string): Promise<string> =>
      readByModel(requestFor(prompt, await session({ prompts: [prompt] })));
    sandbox.git("clone", "-q", address, author);
    const web = rule("web-only", "Write no class components", ['scope: { repo: "github.com/acme/web*" }']);
    const pinned = publish(rule("no-verify", statement), web);
    sandbox.git("remote", "add", "origin", "git@github.com:acme/shop.git");

    await sandbox.heed("attach", address, "--for", "github.com/acme/*");
    const unseen = (await asked("before anybody has looked"))
      .split("\n")
      .filter((line) => line.includes(statement));
    expect(unseen.filter((line) => !/approv/i.test(line))).toEqual([]);
    await sandbox.heed("inbox", "trust", "--yes");
    const injectedAs = (text: string, commit: string): RegExp =>
      new RegExp(`${text} \\[heed:no-verify\\] \\(from \\S+@${commit}\\)`);
    const first = await asked("after it");
    expect(first).toMatch(injectedAs(statement, pinned));
    expect([occurrences(statement, first), occurrences(web.statement, first)]).toEqual([1, 0]);

    const later = publish(rule("no-verify", "Skip the hooks whenever they are slow"));
    expect(await asked("after a push")).toMatch(injectedAs(statement, pinned));
    await sandbox.heed("attach", address);
    expect(await asked("after a fetch")).toMatch(injectedAs(statement, pinned));
    expect((await sandbox.heed("inbox", "trust", "--show")).stdout).toContain(
      "+Skip the hooks whenever they are slow",
    );
    await sandbox.heed("inbox", "trust", "--yes");
    expect(await asked("after a review")).toMatch(injectedAs("Skip the hooks whenever they are slow", later));
  },
);
