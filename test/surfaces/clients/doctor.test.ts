import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { tryHeed } from "../../../src/surfaces/clients/doctor/diagnose.ts";
import { Machine } from "../cli/run-heed.ts";

const HEED = join(import.meta.dirname, "../../../plugin/dist/heed.cjs");

test.each([
  ["heed", { command: process.execPath, args: [HEED] }, "ok"],
  ["what answers nothing", { command: process.execPath, args: ["-e", "0"] }, "wrong"],
  ["no program", { command: "no-such-program", args: [] }, "wrong"],
])("hook and server of %s are run", async (_what, launch, state) => {
  expect(await tryHeed(launch, process.env)).toMatchObject([
    { what: "server", state },
    { what: "hook", state },
  ]);
});

interface Answer {
  isWell: boolean;
  findings: { about: string; what: string; state: string; detail: string; remedy?: string }[];
}

describe("heed doctor", () => {
  async function connected(): Promise<{ machine: Machine; state: string; userStore: string }> {
    const machine = new Machine();
    onTestFinished(() => machine.remove());
    await machine.run(["init", "--client", "codex,qwen"]);
    const { places } = (await machine.json(["doctor", "--quick"])).value as {
      places: { state: string; userStore: string };
    };
    return { machine, ...places };
  }
  const doctor = async (machine: Machine): Promise<Answer> => {
    const { value } = await machine.json(["doctor"]);
    expect(value).toHaveProperty("findings");
    return value as Answer;
  };

  test("finds nothing wrong with what heed init left", async () => {
    const { machine } = await connected();
    const { isWell, findings } = await doctor(machine);
    expect(findings.filter(({ state }) => state !== "ok")).toEqual([]);
    expect(isWell).toBe(true);
    expect(new Set(findings.map(({ about }) => about))).toEqual(new Set(["machine", "codex", "qwen"]));
    // What a client cannot do is said, and is no finding.
    const guards = findings.find(({ about, what }) => about === "codex" && what === "guards");
    expect(guards?.detail).toMatch(/^all checks.*no turn is sent back.*cannot tell whether a command passed/);
  });

  test("what waits for an approval is told, and is nothing wrong", async () => {
    const { machine } = await connected();
    mkdirSync(join(machine.work, ".git"));
    mkdirSync(join(machine.work, ".heed/feedback"), { recursive: true });
    writeFileSync(
      join(machine.work, ".heed/feedback/brief.md"),
      "---\nname: brief\ndescription: be brief\nmetadata:\n  type: feedback\n---\nbe brief\n",
    );
    const { isWell, findings } = await doctor(machine);
    expect(isWell).toBe(true);
    const notes = findings.filter(({ state }) => state === "note").map(({ what }) => what);
    expect(notes).toEqual(expect.arrayContaining(["stores", "waiting"]));
  });

  test("says what is wrong, each with the command that mends it, and changes nothing", async () => {
    const { machine, state, userStore } = await connected();
    const hooks = join(machine.home, ".codex/hooks.json");
    rmSync(hooks);
    writeFileSync(join(machine.home, ".qwen/settings.json"), "broken {");
    for (const folder of [state, userStore]) chmodSync(folder, 0o755);
    const injected = await machine.run(["doctor"]);
    expect(injected.exitCode).toBe(1);
    expect(injected.stdout).toContain("is gone");
    expect(injected.stdout).toContain("heed init --client qwen");
    expect(injected.stdout).toContain("open to others");
    expect(existsSync(hooks)).toBe(false);
    const wrong = (await doctor(machine)).findings.filter((one) => one.state === "wrong");
    expect(wrong.map(({ remedy }) => remedy)).toEqual([
      `chmod 700 ${state}`,
      `chmod 700 ${userStore}`,
      "heed init --client codex",
      "Repair the file, then: heed init --client qwen",
    ]);
    await machine.run(["init", "--client", "codex"]);
    expect(readFileSync(hooks, "utf8")).toContain("hook --client codex");
  });

  test("tells of a client's own rules about heed's folders that are gone or cannot be there", async () => {
    const machine = new Machine();
    onTestFinished(() => machine.remove());
    const settings = join(machine.home, ".claude/settings.json");
    await machine.run(["init", "--client", "claude-code"]);
    const { permissions, ...rest } = JSON.parse(readFileSync(settings, "utf8")) as Record<string, unknown>;
    expect(permissions).toBeDefined();
    writeFileSync(settings, JSON.stringify(rest));
    expect((await doctor(machine)).findings).toContainEqual(
      expect.objectContaining({
        state: "wrong",
        detail: `${settings} is not as heed writes it now`,
      }),
    );
    writeFileSync(settings, JSON.stringify({ ...rest, permissions: "none", sandbox: {} }));
    const { isWell, findings } = await doctor(machine);
    expect(isWell).toBe(true);
    expect(findings).toContainEqual(expect.objectContaining({ what: "rules", state: "note" }));
  });

  test("says in one line what heed is not connected with, which is wrong where it is connected with nothing", async () => {
    const machine = new Machine();
    onTestFinished(() => machine.remove());
    machine.variables["PATH"] = "/usr/bin:/bin";
    const clients = async (): Promise<unknown[]> =>
      (await doctor(machine)).findings.filter(({ what }) => what === "clients");
    for (const folder of [".codex", ".gemini"]) mkdirSync(join(machine.home, folder));
    expect(await clients()).toMatchObject([
      { state: "wrong", detail: "heed is not connected with Codex CLI, Gemini CLI", remedy: "heed init" },
    ]);
    await machine.run("init --client codex");
    expect(await clients()).toMatchObject([
      { state: "note", detail: "heed is not connected with Gemini CLI", remedy: "heed init" },
    ]);
  });

  test("names a file of settings that cannot be read, its line and what to do", async () => {
    const { machine, userStore } = await connected();
    const file = join(userStore, "config.yaml");
    writeFileSync(file, "mode: [\n");
    const { findings } = await doctor(machine);
    expect(findings.filter(({ state }) => state === "wrong")).toMatchObject([
      { what: "stores", detail: expect.stringMatching(`${file}, line 2: .*, or remove it$`) as string },
    ]);
    expect((await machine.run("check health")).stdout).not.toMatch(/\n +\n/);
  });
});
