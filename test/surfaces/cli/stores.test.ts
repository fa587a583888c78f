import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HealthReport } from "../../../src/heed.ts";
import { Machine } from "./run-heed.ts";

const machine = new Machine();
const store = join(machine.home, "memory");
beforeAll(async () => {
  machine.variables["HEED_DIR"] = store;
  await machine.start("git", ["init", "--quiet"], {});
  await machine.run("init");
  await machine.run("write --type=feedback --name=no-verify 'never use --no-verify' --reason=x --how=y");
});
afterAll(() => machine.remove());

describe("history", () => {
  it("tells when and why, newest first, and takes a change back by the id that was printed", async () => {
    await machine.run("write --type=reference --name=runbook 'runbook: https://wiki.example.com/runbook'");
    await machine.run("edit runbook --statement 'runbook: https://wiki.example.com/runbook-2'");
    const { value } = await machine.json("show runbook --log");
    expect((value as { changes: { summary: string }[] }).changes.map(({ summary }) => summary)).toEqual([
      "amend reference/runbook: changed statement, body",
      "write reference/runbook: runbook: https://wiki.example.com/runbook",
    ]);
    expect((await machine.run("show runbook --diff")).stdout).toMatch(
      /\n-description: [^]*\n\+description: /,
    );
    const { stdout } = await machine.run("remove runbook --reason moved");
    const id = /heed undo (\w+) takes it back/.exec(stdout)?.[1] ?? "";
    expect((await machine.run(["undo", id])).exitCode).toBe(0);
    expect((await machine.run("show runbook")).exitCode).toBe(0);
  });
});

describe("checking", () => {
  it("exits with 1 on an error, with file, line, code and remedy; with 0 without", async () => {
    expect((await machine.run("check")).exitCode).toBe(0);
    const file = join(store, "reference/broken.md");
    writeFileSync(file, "---\nname: x\n");
    const { exitCode, stdout } = await machine.run("check");
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      /reference\/broken\.md:1 error unclosed-front-matter: .+ → .+\n✗ .+1 error, \d+ warnings?\n$/,
    );
    const { value } = await machine.json("check");
    expect(value).toMatchObject({ errors: 1, stores: [{ store: { root: store } }] });
    rmSync(file);
  });

  it("says each thing once and counts what it lists, memories that do not hold among the errors", async () => {
    const fields = {
      over: "expires: 2024-01-01",
      gone: 'claims: ["path:gone.ts"]',
      lone: "links: [{ rel: related, to: nowhere }]",
    };
    mkdirSync(join(store, "project"), { recursive: true });
    const files = Object.entries(fields).map(([name, field]) => {
      const file = join(store, `project/${name}.md`);
      writeFileSync(
        file,
        `---\nname: ${name}\ndescription: ${name} page\nmetadata:\n  type: project\n  updated: ${new Date().toISOString()}\n  ${field}\n---\nhttps://a.example/${name}\n`,
      );
      return file;
    });
    const { stdout, exitCode } = await machine.run("check");
    const { value } = await machine.json("check");
    const { errors, warnings, health } = value as Record<"errors" | "warnings", number> & {
      health: HealthReport;
    };
    expect(stdout.match(/expired on 2024-01-01/g)).toHaveLength(1);
    expect(stdout.match(/"nowhere"/g)).toHaveLength(1);
    const ofKind = (isWrong: boolean): number =>
      health.sections.filter((one) => one.isWrong === isWrong).flatMap(({ findings }) => findings).length;
    expect([errors, warnings]).toEqual([ofKind(true), ofKind(false)]);
    expect(health).toMatchObject({ errors, warnings });
    expect(stdout).toMatch(/gone\.ts.*\n(?:.*\n)*✗ .+: 1 error, \d+ warnings\n$/);
    expect(exitCode).toBe(1);
    for (const file of files) rmSync(file);
  });
});

describe("registering with a client", () => {
  it("tells what it would do, does it, and leaves other servers' secrets out of its answer", async () => {
    const file = join(machine.home, ".cursor/mcp.json");
    mkdirSync(join(machine.home, ".cursor"));
    const before = JSON.stringify({
      mcpServers: { other: { command: "x", env: { TOKEN: "hidden-token" } } },
    });
    writeFileSync(file, before);
    const dry = await machine.run("init --client cursor --print --json");
    expect(JSON.parse(dry.stdout)).toMatchObject({
      isApplied: false,
      clients: [{ client: "cursor", files: [{ file, action: "changed" }, { action: "created" }] }],
    });
    expect(readFileSync(file, "utf8")).not.toContain("heed");
    const done = await machine.run("init --client cursor --json");
    expect(`${dry.stdout}${done.stdout}`).not.toContain("hidden-token");
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
      mcpServers: {
        other: { env: { TOKEN: "hidden-token" } },
        heed: { args: [machine.environment()["HEED"], "mcp"] },
      },
    });
    expect((await machine.run("init --client curser")).stderr).toContain("Did you mean cursor?");
    const given = await machine.run("uninit --json");
    expect(given.stdout).not.toContain("hidden-token");
    expect(readFileSync(file, "utf8")).toBe(before);
  });

  it("finds clients, and connects them once it is told to", async () => {
    mkdirSync(join(machine.home, ".gemini"));
    const settings = join(machine.home, ".gemini/settings.json");
    const asked = await machine.run("init");
    expect(asked.stdout).toContain("heed init --yes");
    expect(existsSync(settings)).toBe(false);
    const shown = await machine.run("init --print");
    expect(shown.stdout).toContain('+   "mcpServers": {');
    expect(existsSync(settings)).toBe(false);
    expect((await machine.run("init --yes")).exitCode).toBe(0);
    expect(readFileSync(settings, "utf8")).toContain("hook --client gemini");
    expect((await machine.run("init --yes")).stdout).toContain("as it should be");
    writeFileSync(settings, "{ broken");
    const refused = await machine.run("init --yes");
    expect(refused.exitCode).toBe(1);
    expect(refused.stdout).toContain("left alone: line 1");
    expect(readFileSync(settings, "utf8")).toBe("{ broken");
  });
});

describe("what is said once", () => {
  it("of Claude Code's own memory, where nobody can answer, only while heed is being connected", async () => {
    const fresh = new Machine();
    mkdirSync(join(fresh.home, ".claude"), { recursive: true });
    writeFileSync(join(fresh.home, ".claude/settings.json"), "{}");
    const saysIt = async (): Promise<boolean> =>
      (await fresh.run("init --yes")).stderr.includes("Claude Code has its own memory");
    // What was not connected cannot be spoken to.
    expect((await fresh.run("init")).stderr).toContain("next: heed write");
    expect([await saysIt(), await saysIt()]).toEqual([true, false]);
    rmSync(join(fresh.home, ".claude.json"));
    expect(await saysIt()).toBe(true);
    fresh.remove();
  });

  it("of a guard: each recipe by its name, added as it is", async () => {
    const { stdout } = await machine.run("guard add no-verify");
    expect(stdout).toContain(
      "\n  heed guard add no-verify push-main\n  heed guard add no-verify --guard '{ command: git push, branches: [main, master], say: open a pull request }'\n",
    );
    expect((await machine.run("guard add no-verify remote")).stdout).not.toContain("push-main");
    expect((await machine.run("guard add no-verify nothing-like-it")).stdout).toMatch(/^No recipe matches/);
    expect((await machine.run("guard add no-verify push-main")).stdout).toContain("git push");
  });
});
