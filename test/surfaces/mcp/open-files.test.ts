import { readdirSync, readlinkSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { TemporaryHeed } from "../../home/temporary-heed.ts";
import { sandboxHome } from "../sandbox-home.ts";
import { McpProcess, valueOf } from "./mcp-process.ts";

/** What a process has open, by name. */
function openFiles(pid: number | undefined): string[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).flatMap((name) => {
    try {
      return readlinkSync(join(folder, name));
    } catch {
      // Closed since the folder was listed.
      return [];
    }
  });
}

const isDeleted = (file: string): boolean => file.endsWith("(deleted)");
const fact = (i: number): { type: string; statement: string } => ({
  type: "reference",
  statement: `the ledger of team${i * 7919} is kept at https://ledger${i * 104729}.example.com/${i}`,
});

describe.skipIf(process.platform !== "linux")("files of the index", () => {
  test("are closed by a server once they are replaced, whoever writes", async () => {
    const home = sandboxHome();
    const server = await McpProcess.opened(home, "legacy");
    const other = await McpProcess.opened(home, "legacy");
    const write = async (at: McpProcess, i: number): Promise<unknown> =>
      valueOf(await at.call("memory_write", { type: "reference", statement: fact(i).statement }))["outcome"];
    const search = (i: number): Promise<unknown> => server.call("memory_search", { query: `ledger ${i}` });
    await write(server, 0);
    await search(0);
    const before = openFiles(server.child.pid).length;
    const outcomes = new Set<unknown>();
    for (let i = 1; i <= 30; i++) {
      outcomes.add(await write(i % 3 === 0 ? other : server, i));
      if (i % 5 === 0) await Promise.all([search(i), search(i - 1)]);
    }
    expect([...outcomes]).toEqual(["written"]);
    const after = openFiles(server.child.pid);
    expect(after.filter(isDeleted)).toEqual([]);
    expect(after.length).toBeLessThan(before + 10);
  });

  test("are closed by a process that moves between folders and runs calls at once", async () => {
    const place = new TemporaryHeed();
    await place.heed.setup.init("user");
    const own = (): string[] => openFiles(process.pid).filter((file) => file.includes(place.home));
    const actor = { kind: "person" } as const;
    for (let i = 0; i < 25; i++) {
      const { outcome } = await place.heed.memories.write(fact(i), actor);
      expect(outcome).toBe("written");
      const cwd = join(place.folder, `elsewhere-${i}`);
      await Promise.all([
        place.heed.memories.search({ query: `ledger team${i * 7919}` }),
        place.heed.conversations.search({ text: "ledger" }),
        place.event({ kind: "prompt", prompt: `where is the ledger of team${i * 7919}?`, cwd }),
        place.heed.memories.list(),
      ]);
    }
    expect(own().filter(isDeleted)).toEqual([]);
    expect(own().length).toBeLessThan(12);
    await place.heed.close();
    expect(own().filter((file) => file.endsWith(".segment"))).toEqual([]);
    rmSync(place.folder, { recursive: true, force: true, maxRetries: 10 });
  });
});
