import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { connect, createServer } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { asClient, printedTo } from "../as-client.ts";
import { RULE, SandboxHome } from "../sandbox-home.ts";

const DIST = join(import.meta.dirname, "../../../plugin/dist");

/** When the build was made, in seconds. */
const BUILT = 1_000_000;

interface Place {
  home: SandboxHome;
  heed: string;
  servers: string;
}

/** A copy of heed's plugin whose hook, as a program of its own, only says that it ran. */
function place({ isWhole = false } = {}): Place {
  const home = new SandboxHome();
  // Answers that are waited for longer no server gives.
  Object.assign(home.env, { HEED_RECHECK_MS: "0" });
  home.write("store/feedback/keep-the-lockfile.md", RULE);
  const heed = join(home.root, "plugin", "dist", "heed.cjs");
  mkdirSync(dirname(heed), { recursive: true });
  cpSync(DIST, dirname(heed), { recursive: true });
  utimesSync(heed, BUILT, BUILT);
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

/** A server that answers already: the core is loaded. */
async function serve(at: Place): Promise<ChildProcess> {
  const server = begin(at);
  await answered(() => hook(at, event(at, { hook_event_name: "Unheard" })));
  return server;
}

/** What the server says; where a busy machine lets 150 ms pass, the whole program answers, and is asked again. */
async function answered(ask: () => string | Promise<string>): Promise<string> {
  const untilMs = Date.now() + 30_000;
  let said = await ask();
  while (said === "WHOLE\n" && Date.now() < untilMs) {
    await sleep(100);
    said = await ask();
  }
  return said;
}

const event = ({ home }: Place, more: object = {}): string =>
  home.event("SessionStart", { source: "startup", ...more });
const PROMPT = { hook_event_name: "UserPromptSubmit", prompt: "how is the lockfile kept?", source: "user" };

function hook({ home, heed }: Place, input: string, env: Record<string, string> = {}): string {
  const options = {
    cwd: home.work,
    env: { ...home.env, ...env },
    input,
    encoding: "utf8",
    timeout: 20_000,
  } as const;
  return spawnSync(process.execPath, [heed, "hook"], options).stdout;
}

/** A hook that a client starts. */
const clientsHook = ({ home, heed }: Place, input: string): Promise<string> =>
  printedTo(["claude"], [heed, "hook"], { cwd: home.work, env: home.env }, input);

const turns = ({ home }: Place): number => {
  const folder = join(home.state, "sessions");
  const logs = existsSync(folder)
    ? readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"))
    : [];
  return logs.join("").split('"text":"how is the lockfile').length - 1;
};

describe.skipIf(process.platform === "win32")("a hook where a server of the same heed is alive", () => {
  let at: Place;
  let server: ChildProcess;
  beforeAll(async () => {
    at = place();
    server = await serve(at);
  });
  const served = (input: string, env?: Record<string, string>): Promise<string> =>
    answered(() => hook(at, input, env));

  test("is answered by it", async () => {
    expect(await served(event(at))).toContain("never edit package-lock.json by hand");
    const subagent = { session_id: "s2", hook_event_name: "SubagentStart", agent_type: "x" };
    expect(await served(event(at, subagent))).toContain("package-lock");
    expect(readdirSync(at.servers)).toHaveLength(1);
  });

  test("counts what a client's user types, and not what a script says", async () => {
    await served(event(at, PROMPT));
    await sleep(300);
    expect(turns(at)).toBe(0);
    await answered(() => clientsHook(at, event(at, PROMPT)));
    await expect.poll(() => turns(at)).toBeGreaterThan(0);
  });

  test("asks no server on macOS whose session it is: nothing shows there who hands in an event", async () => {
    const macOS = join(at.home.root, "macos.cjs");
    writeFileSync(macOS, `Object.defineProperty(process, "platform", { value: "darwin" });`);
    const onMac = place();
    Object.assign(onMac.home.env, { NODE_OPTIONS: `--require ${macOS}` });
    await serve(onMac);
    const subagent = { session_id: "s2", hook_event_name: "SubagentStart", agent_type: "x" };
    expect(await answered(() => clientsHook(onMac, event(onMac, subagent)))).toContain("package-lock");
    expect(await clientsHook(onMac, event(onMac, PROMPT))).toBe("WHOLE\n");
  });

  test("answers in the environment of the hook", async () => {
    const other = join(at.home.root, "other");
    mkdirSync(other);
    expect(await served(event(at), { HEED_DIR: other })).not.toContain("package-lock");
    expect(await served(event(at, { session_id: "s2" }), { HEED_MODE: "off" })).toBe("");
    expect(await served(event(at, { session_id: "s3" }))).toContain("package-lock");
  });

  test.each<[string, () => Record<string, string> | void, (() => void)?]>([
    ["is stopped", () => void server.kill("SIGSTOP"), () => void server.kill("SIGCONT")],
    ["is of another build", () => utimesSync(at.heed, 1, 1), () => utimesSync(at.heed, BUILT, BUILT)],
    [
      "has a folder that others may look into",
      () => chmodSync(at.servers, 0o755),
      () => chmodSync(at.servers, 0o700),
    ],
    [
      "has a folder that is a link",
      () => {
        renameSync(at.servers, `${at.servers}-moved`);
        symlinkSync(`${at.servers}-moved`, at.servers);
      },
      () => {
        unlinkSync(at.servers);
        renameSync(`${at.servers}-moved`, at.servers);
      },
    ],
    ["could not answer in time", () => ({ HEED_RECHECK_MS: "9000" })],
    ["has other clocks", () => ({ TZ: "Asia/Tokyo" })],
    ["is looked at", () => ({ HEED_DEBUG: "1" })],
  ])("answers itself where the server %s", async (_what, change, undo) => {
    await served(event(at));
    if (undo) onTestFinished(undo);
    expect(hook(at, event(at), change() ?? {})).toContain("WHOLE");
  });

  test("takes no answer from what did not take its event, and removes what a killed hook left", async () => {
    const [name = ""] = readdirSync(at.servers);
    const left = join(at.servers, "event-999999999-left");
    writeFileSync(left, "what somebody said");
    const planted = createServer((socket) => void socket.end("PLANTED\n"));
    onTestFinished(() => void planted.close());
    planted.listen(join(at.servers, name.replace(/\d+$/, `${process.pid}`)));
    await new Promise((resolve) => planted.once("listening", resolve));
    const said = await answered(() => clientsHook(at, event(at)));
    expect(said).toContain("never edit package-lock.json by hand");
    expect(existsSync(left)).toBe(false);
  });

  test.each([
    ["the hook answers itself, and the server cannot count it any more", false, "WHOLE\n"],
    ["nothing is said where the server counted it already", true, ""],
  ])("of what a server took and does not answer in time %s", async (_, isCounted, said) => {
    const [name = ""] = readdirSync(at.servers);
    let taken = "";
    const slow = createServer((socket) =>
      socket.once("data", (line) => {
        const id = line.toString().trim().split(" ")[2] ?? "";
        taken = join(at.servers, `taken-${id}`);
        renameSync(join(at.servers, `event-${id}`), taken);
        if (isCounted) unlinkSync(taken);
      }),
    );
    onTestFinished(() => void slow.close());
    slow.listen(join(at.servers, name.replace(/\d+$/, `${process.pid}`)));
    await new Promise((resolve) => slow.once("listening", resolve));
    expect(await clientsHook(at, event(at, PROMPT))).toBe(said);
    expect(taken).toContain("taken-");
    expect(existsSync(taken)).toBe(false);
  });

  test("counts once what a server finds when it wakes", async () => {
    const whole = place({ isWhole: true });
    const stopped = begin(whole);
    await expect.poll(() => existsSync(whole.servers) && readdirSync(whole.servers)).toHaveLength(1);
    stopped.kill("SIGSTOP");
    await clientsHook(whole, event(whole, PROMPT));
    expect(turns(whole)).toBe(1);
    stopped.kill("SIGCONT");
    await sleep(1000);
    expect(turns(whole)).toBe(1);
  });

  test.skipIf(process.platform !== "linux")("takes an event from nobody but the process itself", async () => {
    const before = turns(at);
    // A hook of the user's own client, which waits for its input.
    const waiting = asClient(["claude"], [at.heed, "hook"], { cwd: at.home.work, env: at.home.env });
    onTestFinished(async () => {
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
      if (!id.includes("/")) {
        writeFileSync(file, JSON.stringify({ ...forged, input }));
        onTestFinished(() => rmSync(file, { force: true }));
      }
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
    expect(turns(at)).toBe(before);
  });

  test("answers itself where the server was killed, and one that ends leaves nothing behind", async () => {
    server.stdin?.end();
    await expect.poll(() => readdirSync(at.servers)).toEqual([]);
    expect(hook(at, event(at))).toBe("WHOLE\n");
    (await serve(at)).kill("SIGKILL");
    expect(hook(at, event(at))).toBe("WHOLE\n");
  });
});
