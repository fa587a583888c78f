import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { Place } from "../../../src/app/place/place.ts";
import { openWorkspace } from "../../../src/app/place/workspace.ts";
import { tellChangedAbove } from "../../../src/app/session/above-heed.ts";
import { openHeed } from "../../../src/heed.ts";
import { TemporaryHeed, memoryFile, rule } from "../temporary-heed.ts";

const BYPASS = { kind: "tool-use", tool: "Bash", input: { command: "git commit --no-verify -m x" } } as const;
const GUARD = "guard: { command: git commit, flags: [--no-verify] }";

describe("a project's guard within a session", () => {
  const heed = TemporaryHeed.forEachTest();
  const verdict = async (): Promise<string> => {
    const { decision } = await heed.event(BYPASS);
    // What happened is written down once the answer is out.
    await heed.heed.session.receipts();
    return decision?.action ?? "allow";
  };
  const lay = (text: string): void => {
    mkdirSync(join(heed.project, ".heed", "feedback"), { recursive: true });
    writeFileSync(join(heed.project, ".heed", "feedback", "no-verify.md"), text);
  };
  const commit = (): void => {
    heed.git("add", "-A");
    heed.git("-c", "user.name=u", "-c", "user.email=u@example.org", "commit", "-qm", "x");
  };
  beforeEach(async () => {
    await heed.heed.setup.init("project");
    commit();
    lay(memoryFile(rule("no-verify", "Never use --no-verify")));
    commit();
    await heed.heed.setup.trust();
    lay(memoryFile(rule("no-verify", "Never use --no-verify", [GUARD])));
    await heed.heed.setup.trust();
  });

  test.each([
    ["reset --hard, to where it had none", () => (commit(), heed.git("reset", "-q", "--hard", "HEAD~1"))],
    ["reset --hard, to where it was not", () => (commit(), heed.git("reset", "-q", "--hard", "HEAD~2"))],
    ["checkout", () => (commit(), heed.git("checkout", "-q", "HEAD~2"))],
    ["stash", () => heed.git("stash", "-q")],
    ["clean", () => (heed.git("rm", "-rq", "--cached", ".heed"), heed.git("clean", "-fdxq"))],
  ])("outlasts %s, and goes on as the stores say in the next one", async (_, take) => {
    expect(await verdict()).toBe("deny");
    take();
    expect(await verdict()).toBe("deny");
    // An earlier text of the rule that came back past heed is a change to review; a rule whose file is gone is gone.
    const isThere = existsSync(join(heed.project, ".heed/feedback/no-verify.md"));
    const { decision } = await heed.event({ ...BYPASS, session: "another" });
    expect(decision?.action).toBe(isThere ? "deny" : undefined);
  });

  test("ends with what a merge brings, and with a person's removal", async () => {
    commit();
    heed.git("checkout", "-qb", "theirs");
    heed.git("rm", "-q", ".heed/feedback/no-verify.md");
    commit();
    heed.git("checkout", "-q", "-");
    expect(await verdict()).toBe("deny");
    heed.git("merge", "-q", "--ff-only", "theirs");
    expect(await verdict()).toBe("allow");
    heed.git("reset", "-q", "--hard", "HEAD~1");
    expect(await verdict()).toBe("deny");
    await heed.heed.memories.remove("no-verify", "no more", { kind: "person" });
    expect(await verdict()).toBe("allow");
  });
});

describe("what stands above heed", () => {
  const heed = TemporaryHeed.forEachTest();
  const lay = (file: string, content: unknown): void => {
    const path = join(heed.folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content, null, 2));
  };
  let count = 0;
  const noticed = async (env: Record<string, string> = {}): Promise<string> => {
    const program = join(heed.folder, "opt", "heed.cjs");
    const opened = openHeed({ cwd: heed.project, env: { ...heed.env, ...env }, program });
    const start = { kind: "session-start", source: "startup", client: "claude-code" } as const;
    const { notice = "" } = await heed.event({ ...start, session: `n${count++}` }, opened);
    await opened.close();
    return notice;
  };
  const hooks = { SessionStart: [{ hooks: [{ type: "command", command: "node /opt/heed.cjs hook" }] }] };
  const deny = ["Edit(~/.local/state/heed/**)"];
  const settings = { model: "opus", hooks, permissions: { deny } };
  const USER = "home/.claude/settings.json";
  beforeEach(async () => {
    lay(USER, settings);
    lay("home/.bashrc", "export A=1\n");
    lay("opt/heed.cjs", "// heed");
    const files = { [join(heed.folder, "home/.codex/hooks.json")]: {} };
    lay("home/state/clients/clients.json", { format: 1, files });
    lay("home/.codex/hooks.json", { hooks: { x: "heed hook" } });
    await noticed();
  });

  const having = (more: object): object => ({ ...settings, ...more });
  test.each<[RegExp, string, unknown]>([
    [/settings\.json.*without "node .*heed\.cjs hook"/, USER, having({ hooks: {} })],
    [/with "disableAllHooks": true/, USER, having({ disableAllHooks: true })],
    [/settings\.local\.json/, "project/.claude/settings.local.json", { disableAllHooks: true }],
    [/"heed@heed": false/, USER, having({ enabledPlugins: { "heed@heed": false } })],
    [/"Elicitation"/, USER, having({ hooks: { ...hooks, Elicitation: [] } })],
    [/without "Edit/, USER, having({ permissions: {} })],
    [/heed trust/, USER, having({ permissions: { deny, allow: ["Bash(heed trust:*)"] } })],
    [/hooks\.json.*without "heed hook"/, "home/.codex/hooks.json", {}],
    [/bashrc.*with HEED_MODE=off/, "home/.bashrc", "export A=1\nexport HEED_MODE=off\n"],
    [/heed\.cjs/, "opt/heed.cjs", "// other"],
  ])("%s is said once when %s changed", async (line, file, content) => {
    lay(file, content);
    expect(await noticed()).toMatch(line);
    expect(await noticed()).toBe("");
  });

  test("it is said where heed is off, too", async () => {
    lay("home/.bashrc", "export HEED_MODE=off\n");
    expect(await noticed({ HEED_MODE: "off" })).toContain("HEED_MODE=off");
  });

  test.each<[string, string, unknown]>([
    ["settings of other things", USER, having({ model: "sonnet", env: { A: "1" } })],
    ["an allowed tool", USER, having({ permissions: { deny, allow: ["mcp__heed__memory_write"] } })],
    ["the same again", "opt/heed.cjs", "// heed"],
  ])("nothing is said of %s", async (_, file, content) => {
    lay(file, content);
    expect(await noticed()).toBe("");
  });

  test("takes no time", () => {
    const place = new Place(openWorkspace({ cwd: heed.project, env: heed.env }));
    const times = Array.from({ length: 30 }, () => {
      const before = performance.now();
      tellChangedAbove(place);
      return performance.now() - before;
    });
    expect(times.toSorted((a, b) => a - b)[15]).toBeLessThan(2);
  });
});
