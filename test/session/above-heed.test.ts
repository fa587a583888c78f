import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { type EventAnswer, type Heed, openHeed } from "../../src/heed.ts";
import { TemporaryHeed, memoryFile, rule } from "../home/temporary-heed.ts";

const BYPASS = "git commit --no-verify -m x";
const GUARD = "guard: { command: git commit, flags: [--no-verify] }";

describe("a project's guard within a session", () => {
  const heed = TemporaryHeed.forEachTest();
  const verdict = async (): Promise<string> => {
    const { decision } = await heed.shell(BYPASS);
    // What happened is written down once the answer is out.
    await heed.heed.session.receipts();
    return decision?.action ?? "allow";
  };
  const lay = (text: string): string => heed.write(".heed/feedback/no-verify.md", text);
  const commit = (): string => heed.commit();
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
    const { decision } = await heed.shell(BYPASS, { session: "another" });
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

describe("what decides whether heed is asked", () => {
  const heed = TemporaryHeed.forEachTest();
  const lay = (file: string, content: unknown): void => {
    const path = join(heed.folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content, null, 2));
  };
  const opened = (env: Record<string, string> = {}): Heed =>
    openHeed({
      cwd: heed.project,
      env: { ...heed.env, PATH: `/usr/bin:${join(heed.folder, "bin")}`, ...env },
      program: join(heed.folder, "opt/dist/heed.cjs"),
    });
  let count = 0;
  /** What a session's start tells the user; its next one is another session's. */
  const started = async (env: Record<string, string> = {}): Promise<string> => {
    const there = opened(env);
    const { notice = "" } = await heed.begin(`n${count++}`, { client: "claude-code" }, there);
    await there.close();
    return notice;
  };
  const hooks = { SessionStart: [{ hooks: [{ type: "command", command: "node /opt/heed.cjs hook" }] }] };
  const deny = ["Edit(~/.local/state/heed/**)"];
  const settings = { model: "opus", hooks, permissions: { deny } };
  const USER = "home/.claude/settings.json";
  const STATE = "home/.claude.json";
  beforeEach(async () => {
    lay(USER, settings);
    lay(STATE, { numStartups: 1, mcpServers: { heed: { command: "heed", args: ["mcp"] } } });
    lay("opt/dist/heed.cjs", "// heed");
    lay("opt/hooks/hooks.json", "{}");
    lay("bin/heed", "#!/bin/sh");
    const files = { [join(heed.folder, "home/.codex/hooks.json")]: {} };
    lay("home/state/clients/clients.json", { format: 1, files });
    lay("home/.codex/hooks.json", { hooks: { x: "heed hook" } });
    await started();
  });

  const having = (more: object): object => ({ ...settings, ...more });
  const CHANGES: [line: RegExp, file: string, content: unknown][] = [
    [/settings\.json.*without "node .*heed\.cjs hook"/, USER, having({ hooks: {} })],
    [/with "disableAllHooks": true/, USER, having({ disableAllHooks: true })],
    [/settings\.local\.json/, "project/.claude/settings.local.json", { disableAllHooks: true }],
    [/"heed@heed": false/, USER, having({ enabledPlugins: { "heed@heed": false } })],
    [/"Elicitation"/, USER, having({ hooks: { ...hooks, Elicitation: [] } })],
    [/without "Edit/, USER, having({ permissions: {} })],
    [/heed inbox trust/, USER, having({ permissions: { deny, allow: ["Bash(heed inbox trust:*)"] } })],
    [/"HEED_MODE": "off"/, USER, having({ env: { HEED_MODE: "off" } })],
    [/\.claude\.json.*without "heed"/, STATE, { mcpServers: {} }],
    [/\.mcp\.json/, "project/.mcp.json", { mcpServers: { heed: { command: "evil" } } }],
    [/hooks\.json.*without "heed hook"/, "home/.codex/hooks.json", {}],
    [/heed\.cjs/, "opt/dist/heed.cjs", "// other"],
    [/bin\/heed decides/, "bin/heed", "#!/bin/sh\nevil"],
    [/opt\/hooks\/hooks\.json/, "opt/hooks/hooks.json", '{"hooks":{}}'],
  ];

  test.each(CHANGES)(
    "%s is said once at a start when %s changed since the last one",
    async (line, file, content) => {
      lay(file, content);
      expect(await started()).toMatch(line);
      expect(await started()).toBe("");
    },
  );

  // One of each kind of file.
  test.each([0, 8, 9, 12].flatMap((at) => CHANGES.slice(at, at + 1)))(
    "%s is said once, to user and model, at the next event when %s changes",
    async (line, file, content) => {
      const there = opened();
      const event = (more: object): Promise<EventAnswer> =>
        heed.event(
          { session: "s", client: "claude-code", ...more } as Parameters<typeof heed.event>[0],
          there,
        );
      await event({ kind: "prompt", prompt: "please go on with the work" });
      lay(file, content);
      const use = { kind: "tool-use", tool: "Bash", input: { command: "ls" } };
      // The result of a call is where few clients show anything.
      await event({ ...use, kind: "tool-result" });
      const { notice, context, decision } = await event(use);
      expect([notice, context]).toEqual([expect.stringMatching(line), expect.stringMatching(line)]);
      expect(context).toContain("Tell the user");
      expect(decision).toBeUndefined();
      expect([(await event(use)).notice, (await event({ kind: "stop", lastMessage: "" })).notice]).toEqual([
        undefined,
        undefined,
      ]);
      await there.close();
      expect(await started()).toBe("");
    },
  );

  test("what changes in the last turn is said at its end, and one that took heed out at the next start", async () => {
    const there = opened();
    const all = { session: "s", client: "claude-code" } as const;
    await heed.event({ kind: "prompt", prompt: "please go on with the work", ...all }, there);
    lay(USER, having({ hooks: {} }));
    expect((await heed.event({ kind: "stop", lastMessage: "", ...all }, there)).notice).toMatch(
      /without "node .*hook"/,
    );
    await there.close();
    lay(USER, having({ disableAllHooks: true }));
    expect(await started({ HEED_MODE: "off" })).toContain("disableAllHooks");
  });

  test("a headless session uses up nothing of it", async () => {
    const there = opened();
    const event = (more: object): Promise<EventAnswer> =>
      heed.event({ session: "h", client: "claude-code", ...more } as Parameters<typeof heed.event>[0], there);
    await event({ kind: "prompt", prompt: "go on", isTyped: false });
    lay(USER, having({ hooks: {} }));
    const use = { kind: "tool-use", tool: "Bash", input: { command: "ls" } };
    expect((await event(use)).notice).toBeUndefined();
    await there.close();
    expect(await started()).toMatch(/without "node .*hook"/);
  });

  test("that heed's records are gone is said at the next event, and is no news after heed init", async () => {
    const there = opened();
    const go = (): Promise<EventAnswer> =>
      heed.event({ kind: "prompt", prompt: "please go on with the work", session: "s" }, there);
    await go();
    rmSync(heed.state, { recursive: true });
    expect((await go()).notice).toContain(`${heed.state} is gone: nothing counts as approved`);
    expect((await go()).notice).toBeUndefined();
    writeFileSync(join(heed.state, "above.json"), '{"version":1}\n');
    expect((await go()).notice).toBeUndefined();
    await there.close();
  });

  test("a variable that decides is said once, also where it switches heed off", async () => {
    expect(await started({ HEED_MODE: "off" })).toContain("the environment decides whether heed is asked");
    expect(await started({ HEED_MODE: "off" })).toBe("");
    expect(await started()).toBe("");
    expect(await started({ HEED_MODE: "off" })).toBe("");
  });

  test.each<[string, string, unknown]>([
    ["settings of other things", USER, having({ model: "sonnet", env: { A: "1" } })],
    ["an allowed tool", USER, having({ permissions: { deny, allow: ["mcp__heed__memory_write"] } })],
    ["the same again", "opt/dist/heed.cjs", "// heed"],
    [
      "what Claude Code notes of a session",
      STATE,
      { projects: { "/x/heed": { lastCost: 1 } }, mcpServers: { heed: { command: "heed", args: ["mcp"] } } },
    ],
  ])("nothing is said of %s", async (_, file, content) => {
    lay(file, content);
    expect(await started()).toBe("");
  });
});
