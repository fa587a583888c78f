import { readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { TemporaryHeed } from "../../home/temporary-heed.ts";

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

const fact = (i: number): { type: string; statement: string } => ({
  type: "reference",
  statement: `the ledger of team${i * 7919} is kept at https://ledger${i * 104729}.example.com/${i}`,
});

test.skipIf(process.platform !== "linux")(
  "files of the index are closed once they are replaced, whoever writes, where a process moves and asks at once",
  async () => {
    const place = new TemporaryHeed();
    const other = place.open();
    await place.heed.setup.init("user");
    const own = (): string[] => openFiles(process.pid).filter((file) => file.includes(place.home));
    for (let i = 0; i < 30; i++) {
      const writer = i % 3 === 0 ? other : place.heed;
      expect(await writer.memories.write(fact(i), { kind: "person" })).toMatchObject({ outcome: "written" });
      const cwd = join(place.folder, `elsewhere-${i}`);
      await Promise.all([
        place.heed.memories.search({ query: `ledger team${i * 7919}` }),
        place.heed.conversations.search({ text: "ledger" }),
        place.event({ kind: "prompt", prompt: `where is the ledger of team${i * 7919}?`, cwd }),
        place.heed.memories.list(),
      ]);
    }
    expect(own().filter((file) => file.endsWith("(deleted)"))).toEqual([]);
    expect(own().length).toBeLessThan(24);
    await other.close();
    await place.heed.close();
    expect(own().filter((file) => file.endsWith(".segment"))).toEqual([]);
    await place.remove();
  },
);
