import { execFileSync, spawn } from "node:child_process";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { holderName, withLock } from "../../src/machine/file-lock.ts";
import { temporaryFolder } from "../store/temporary-store.ts";

function plantLock(path: string, holder: Parameters<typeof holderName>[1] = {}): string {
  mkdirSync(path, { recursive: true });
  const file = join(path, holderName("planted", holder));
  writeFileSync(file, JSON.stringify({ what: "a long job", since: "now" }));
  return file;
}
const DEAD = 2 ** 22 + 1;

// Of many processes one holds it, and a killed one loses it at once: test/torture ("many writers", "kill -9").
describe("the store's lock", () => {
  it("runs the tasks of one process in the order in which they came", async () => {
    const lock = join(temporaryFolder(), "lock");
    const order: number[] = [];
    await Promise.all(
      [1, 2, 3, 4].map((n) =>
        withLock(lock, { what: "test" }, async () => {
          await new Promise((resolve) => setTimeout(resolve, 5 - n));
          order.push(n);
        }),
      ),
    );
    expect(order).toEqual([1, 2, 3, 4]);
  });

  it("is given back when the task fails", async () => {
    const lock = join(temporaryFolder(), "lock");
    await expect(withLock(lock, { what: "a" }, () => Promise.reject(new Error("x")))).rejects.toThrow("x");
    await expect(withLock(lock, { what: "b", waitMs: 0 }, () => "in")).resolves.toBe("in");
  });

  it("gives up after the limit and names the holder", async () => {
    const lock = join(temporaryFolder(), "lock");
    plantLock(lock);
    await expect(withLock(lock, { what: "b", waitMs: 50 }, () => 1)).rejects.toMatchObject({
      code: "locked",
      message: expect.stringContaining(`process ${process.pid} (a long job`) as string,
      data: { lock, holder: { pid: process.pid } },
    });
  });

  it.each([
    ["a file", (path: string) => writeFileSync(path, "")],
    ["a device or pipe", (path: string) => execFileSync("mkfifo", [path])],
  ])("says at once that %s stands in its place", async (what, plant) => {
    const lock = join(temporaryFolder(), "lock");
    plant(lock);
    const started = withLock(lock, { what: "b", waitMs: 1_000_000 }, () => 1);
    await expect(started).rejects.toMatchObject({
      code: "io-failed",
      message: `${lock} is ${what}, where heed puts a folder as its lock: move it away`,
    });
  });

  it.each([
    ["whose pid is no process's", { pid: DEAD }],
    ["whose pid belongs to a younger process", { startedAt: "1" }],
  ])("is taken over from a holder %s", async (_, owner) => {
    const lock = join(temporaryFolder(), "lock");
    plantLock(lock, owner);
    await expect(withLock(lock, { what: "b", waitMs: 50 }, () => "in")).resolves.toBe("in");
  });

  it("is taken over from another machine's holder when its heartbeat stopped, not before", async () => {
    const lock = join(temporaryFolder(), "lock");
    const holder = plantLock(lock, { machine: "elsewhere" });
    await expect(withLock(lock, { what: "b", waitMs: 50 }, () => 1)).rejects.toMatchObject({
      code: "locked",
    });
    const before = new Date(Date.now() - 11_000);
    utimesSync(holder, before, before);
    await expect(withLock(lock, { what: "b", waitMs: 50 }, () => "in")).resolves.toBe("in");
  });

  it("has a heartbeat, for those who cannot see its holder", async () => {
    const lock = join(temporaryFolder(), "lock");
    await withLock(lock, { what: "a" }, async () => {
      const owner = join(lock, readdirSync(lock)[0] ?? "");
      const before = new Date(Date.now() - 60_000);
      utimesSync(owner, before, before);
      await expect.poll(() => statSync(owner).mtimeMs).toBeGreaterThan(Number(before) + 1);
    });
  });

  it.runIf(process.platform === "linux")(
    "is taken over from a holder that ended and that nobody has buried",
    async () => {
      // `exec`, before the child ends, leaves it to a program that never waits for it.
      const parent = spawn("sh", ["-c", "sleep 1 & echo $!; exec sleep 1000"]);
      const pid = Number(await new Promise<string>((resolve) => parent.stdout.once("data", resolve)));
      const stateOf = (): string => readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1] ?? "";
      await expect.poll(() => stateOf()[0]).toBe("Z");
      const lock = join(temporaryFolder(), "lock");
      plantLock(lock, { pid, startedAt: stateOf().split(" ")[19] ?? "" });
      await expect(withLock(lock, { what: "b", waitMs: 50 }, () => "in")).resolves.toBe("in");
      parent.kill();
    },
  );

  it("is free where a process was killed while it gave it back", async () => {
    const lock = join(temporaryFolder(), "lock");
    mkdirSync(lock);
    await expect(withLock(lock, { what: "b", waitMs: 0 }, () => "in")).resolves.toBe("in");
  });

  // A disk that answers again: the next task must not wait ten seconds for its own process.
  it("is taken back at once by a process that could not give it back", async () => {
    const lock = join(temporaryFolder(), "lock");
    await withLock(lock, { what: "a" }, () => {
      const own = join(lock, readdirSync(lock)[0] ?? "");
      unlinkSync(own);
      // A folder is no file to remove.
      mkdirSync(own);
    });
    expect(readdirSync(lock)).toHaveLength(1);
    await expect(withLock(lock, { what: "b", waitMs: 0 }, () => "in")).resolves.toBe("in");
  });

  it("tells a holder that slept too long that the lock is lost", async () => {
    const lock = join(temporaryFolder(), "lock");
    const task = withLock(lock, { what: "a" }, (held) => {
      renameSync(join(lock, readdirSync(lock)[0] ?? ""), join(lock, holderName("somebody-else")));
      held.assertHeld();
    });
    await expect(task).rejects.toMatchObject({ code: "locked" });
  });
});
