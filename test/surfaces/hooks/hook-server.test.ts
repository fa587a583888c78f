import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { connect, createServer } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { asClient } from "../as-client.ts";
import { RULE, type SandboxHome, sandboxHome } from "../sandbox-home.ts";

const DIST = join(import.meta.dirname, "../../../plugin/dist");

interface Place {
  home: SandboxHome;
  heed: string;
  servers: string;
}

/** A copy of heed's plugin whose hook, as a program of its own, only says that it ran. */
function place({ isWhole = false } = {}): Place {
  const home = sandboxHome();
  // Answers that are waited for longer no server gives.
  Object.assign(home.env, { HEED_RECHECK_MS: "0" });
  home.write("store/feedback/keep-the-lockfile.md", RULE);
  const heed = join(home.root, "plugin", "dist", "heed.cjs");
  mkdirSync(dirname(heed), { recursive: true });
  cpSync(DIST, dirname(heed), { recursive: true });
  if (!isWhole)
    writeFileSync(
      join(dirname(heed), "hook.cjs"),
      `(f => typeof require === "undefined" ? f : f())(function () { console.log("WHOLE"); })`,
    );
  return { home, heed, servers: join(home.state, "servers") };
}

const OPENING = [
  {
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
  },
  { method: "notifications/initialized" },
];

function begin({ home, heed }: Place): ChildProcess {
  const server = spawn(process.execPath, [heed, "mcp"], { cwd: home.work, env: home.env });
  const closed = new Promise((resolve) => server.once("close", resolve));
  home.atEnd(async () => {
    server.kill("SIGCONT");
    server.kill("SIGKILL");
    await closed;
  });
  for (const message of OPENING) server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  return server;
}

async function serve(at: Place): Promise<ChildProcess> {
  const { servers } = at;
  const server = begin(at);
  const own = (): boolean =>
    existsSync(servers) && readdirSync(servers).some((name) => name.endsWith(`-${server.pid}`));
  await expect.poll(own, { timeout: 10_000 }).toBe(true);
  // The core is loaded, so that its first answer is a quick one.
  await sleep(1500);
  return server;
}

const event = ({ home }: Place, more: object = {}): string =>
  JSON.stringify({
    hook_event_name: "SessionStart",
    source: "startup",
    session_id: "s1",
    cwd: home.work,
    ...more,
  });
const PROMPT = { hook_event_name: "UserPromptSubmit", prompt: "how is the lockfile kept?", source: "user" };

function hook({ home, heed }: Place, input: string, env: Record<string, string> = {}): string {
  const options = { cwd: home.work, env: { ...home.env, ...env }, input, encoding: "utf8" } as const;
  return spawnSync(process.execPath, [heed, "hook"], options).stdout;
}

/** A hook that a client starts. */
async function clientsHook({ home, heed }: Place, input: string): Promise<string> {
  const child = asClient(["claude"], [heed, "hook"], { cwd: home.work, env: home.env });
  let said = "";
  child.stdout.on("data", (part: Buffer) => (said += part.toString()));
  child.stdin.end(input);
  await new Promise((resolve) => child.once("close", resolve));
  return said;
}

const turns = ({ home }: Place): number => {
  const folder = join(home.state, "sessions");
  const logs = existsSync(folder)
    ? readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"))
    : [];
  return logs.join("").split('"text":"how is the lockfile').length - 1;
};

describe.skipIf(process.platform === "win32")("a hook where a server of the same heed is alive", () => {
  test("is answered by it, and leaves nothing behind", async () => {
    const at = place();
    expect(hook(at, event(at))).toBe("WHOLE\n");
    const server = await serve(at);
    expect(hook(at, event(at))).toContain("never edit package-lock.json by hand");
    expect(
      hook(at, event(at, { session_id: "s2", hook_event_name: "SubagentStart", agent_type: "x" })),
    ).toContain("package-lock");
    expect(hook(at, event(at, { hook_event_name: "Unheard" }))).toBe("");
    expect(readdirSync(at.servers)).toHaveLength(1);
    server.stdin?.end();
    await expect.poll(() => readdirSync(at.servers), { timeout: 5000 }).toEqual([]);
    expect(hook(at, event(at))).toBe("WHOLE\n");
  });

  test("counts what a client's user types, and not what a script says", async () => {
    const at = place();
    await serve(at);
    hook(at, event(at, PROMPT));
    await sleep(300);
    expect(turns(at)).toBe(0);
    await clientsHook(at, event(at, PROMPT));
    await expect.poll(() => turns(at)).toBe(1);
  });

  test("asks no server on macOS whose session it is: nothing shows there who hands in an event", async () => {
    const at = place();
    const macOS = join(at.home.root, "macos.cjs");
    writeFileSync(macOS, `Object.defineProperty(process, "platform", { value: "darwin" });`);
    Object.assign(at.home.env, { NODE_OPTIONS: `--require ${macOS}` });
    await serve(at);
    const subagent = { session_id: "s2", hook_event_name: "SubagentStart", agent_type: "x" };
    // Where a busy machine lets 150 ms pass, the whole program answers.
    const asks = (): Promise<string> => clientsHook(at, event(at, subagent));
    await expect.poll(asks, { timeout: 20_000 }).toContain("package-lock");
    expect(await clientsHook(at, event(at, PROMPT))).toBe("WHOLE\n");
  });

  test("answers in the environment of the hook", async () => {
    const at = place();
    await serve(at);
    const other = join(at.home.root, "other");
    mkdirSync(other);
    expect(hook(at, event(at), { HEED_DIR: other })).not.toContain("package-lock");
    expect(hook(at, event(at, { session_id: "s2" }), { HEED_MODE: "off" })).toBe("");
    expect(hook(at, event(at, { session_id: "s3" }))).toContain("package-lock");
  });

  test.each<[string, (at: Place, server: ChildProcess) => Record<string, string> | void]>([
    ["is stopped", (_, server) => void server.kill("SIGSTOP")],
    ["was killed", (_, server) => void server.kill("SIGKILL")],
    ["is of another build", ({ heed }) => utimesSync(heed, 1, 1)],
    ["has a folder that others may look into", ({ servers }) => chmodSync(servers, 0o755)],
    [
      "has a folder that is a link",
      ({ servers }) => {
        renameSync(servers, `${servers}-moved`);
        symlinkSync(`${servers}-moved`, servers);
      },
    ],
    ["could not answer in time", () => ({ HEED_RECHECK_MS: "9000" })],
    ["has other clocks", () => ({ TZ: "Asia/Tokyo" })],
    ["is looked at", () => ({ HEED_DEBUG: "1" })],
  ])("answers itself where the server %s", async (_what, change) => {
    const at = place();
    const server = await serve(at);
    const env = change(at, server) ?? {};
    const begun = Date.now();
    expect(hook(at, event(at), env)).toContain("WHOLE");
    expect(Date.now() - begun).toBeLessThan(3000);
  });

  test("takes no answer from what did not take its event, and removes what a killed hook left", async () => {
    const at = place();
    await serve(at);
    const [name = ""] = readdirSync(at.servers);
    const left = join(at.servers, "event-999999999-left");
    writeFileSync(left, "what somebody said");
    const planted = createServer((socket) => void socket.end("PLANTED\n"));
    onTestFinished(() => void planted.close());
    planted.listen(join(at.servers, name.replace(/\d+$/, `${process.pid}`)));
    await new Promise((resolve) => planted.once("listening", resolve));
    expect(await clientsHook(at, event(at))).toContain("never edit package-lock.json by hand");
    expect(existsSync(left)).toBe(false);
  });

  test("is not asked where the path of its socket is too long", async () => {
    const at = place();
    const state = join(at.home.root, "a-folder-of-a-long-name-".repeat(5));
    const long = {
      ...at,
      servers: join(state, "servers"),
      home: { ...at.home, env: { ...at.home.env, HEED_STATE_DIR: state } },
    };
    const server = begin(long);
    await new Promise((resolve) => server.stdout?.once("data", resolve));
    await sleep(1000);
    expect(readdirSync(at.home.root).filter((each) => each.startsWith("a-folder"))).toHaveLength(1);
    expect(hook(long, event(at))).toBe("WHOLE\n");
  });

  test("uses no socket in a folder that others may write", async () => {
    const at = place();
    await serve(at);
    const [name = ""] = readdirSync(at.servers);
    const planted = join(at.home.root, "planted");
    mkdirSync(join(planted, "servers"), { recursive: true });
    chmodSync(join(planted, "servers"), 0o777);
    const server = createServer((socket) => void socket.end("PLANTED\n")).listen(
      join(planted, "servers", name),
    );
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    expect(hook(at, event(at), { HEED_STATE_DIR: planted })).toBe("WHOLE\n");
  });

  test("counts once what a server finds when it wakes", async () => {
    const at = place({ isWhole: true });
    const server = await serve(at);
    server.kill("SIGSTOP");
    await clientsHook(at, event(at, PROMPT));
    expect(turns(at)).toBe(1);
    server.kill("SIGCONT");
    await sleep(1000);
    expect(turns(at)).toBe(1);
  });

  test.skipIf(process.platform !== "linux")("takes an event from nobody but the process itself", async () => {
    const at = place();
    await serve(at);
    // A hook of the user's own client, which waits for its input.
    const waiting = asClient(["claude"], [at.heed, "hook"], { cwd: at.home.work, env: at.home.env });
    at.home.atEnd(async () => {
      waiting.stdin.end();
      await new Promise((resolve) => waiting.once("close", resolve));
    });
    const find = (): number => {
      const isHook = (pid: string): boolean => {
        try {
          return readFileSync(`/proc/${pid}/cmdline`, "utf8").endsWith(`${at.heed}\0hook\0`);
        } catch {
          return false;
        }
      };
      return Number(readdirSync("/proc").findLast((pid) => /^\d+$/.test(pid) && isHook(pid)) ?? 0);
    };
    await expect.poll(find).toBeGreaterThan(0);
    const forged = { argv: [process.execPath, at.heed, "hook"], env: at.home.env, cwd: at.home.work };
    const input = JSON.parse(event(at, PROMPT)) as object;
    const [name = ""] = readdirSync(at.servers);
    for (const [pid, id] of [
      [find(), "1-forged"],
      [process.pid, "1-own"],
      [find(), "../../x"],
    ] as const) {
      const file = join(at.servers, `event-${id}`);
      if (!id.includes("/")) writeFileSync(file, JSON.stringify({ ...forged, input }));
      for (const descriptor of [0, 1, 20]) {
        const socket = connect(join(at.servers, name));
        socket.write(`${pid} ${descriptor} ${id}\n`);
        let said = "";
        socket.on("data", (part) => (said += part.toString()));
        await new Promise((resolve) => socket.once("close", resolve));
        expect(said).toBe("");
      }
    }
    await sleep(300);
    expect(turns(at)).toBe(0);
  });
});
