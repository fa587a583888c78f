import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { HeedError } from "../../../src/heed.ts";
import { type Scenario, type ScenarioResult, inHome } from "../scenario.ts";
import type { TortureHome } from "../torture-home.ts";

/** What only the system itself can refuse, git's own writes too. */
export const fullDisk: Scenario = { name: "full disk", run: () => inHome(onFullDisk) };

/** A file system of 600 kB that is filled to the last byte. */
async function onFullDisk(home: TortureHome, result: ScenarioResult): Promise<void> {
  const place = join(home.folder, "small-disk");
  mkdirSync(place);
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=600k", "tmpfs", place]).status !== 0) {
    result.skipped.push("a disk that is really full: mounting a small tmpfs is refused here");
    return;
  }
  const env = {
    HEED_DIR: join(place, "memory"),
    HEED_STATE_DIR: join(place, "state"),
    HEED_CACHE_DIR: join(place, "cache"),
  };
  const heed = home.open(env);
  const written: string[] = [];
  const write = async (number: number): Promise<string> => {
    result.operations += 1;
    const name = `full-${number}`;
    const body = `https://example.org/${name} ${"fills the disk with text ".repeat(300)}`;
    try {
      const draft = {
        type: "reference",
        name,
        statement: `text number ${number} of ${name}`,
        body,
        store: "user",
      } as const;
      const { outcome } = await heed.memories.write(draft, { kind: "import" });
      if (outcome === "written") written.push(name);
      return outcome;
    } catch (error) {
      if (error instanceof HeedError && /free some space/.test(error.message)) return "full";
      throw error;
    }
  };
  try {
    await heed.setup.init("user");
    let outcome = "";
    for (let number = 0; number < 400 && outcome !== "full"; number++) outcome = await write(number);
    if (outcome !== "full") result.findings.push("a full disk was not told as such");
    for (let number = 1_000; number < 1_005; number++) await write(number);
    const listed = new Set((await heed.memories.list()).map(({ name }) => name));
    for (const name of written)
      if (!listed.has(name)) result.findings.push(`${name} was lost on a full disk`);
    rmSync(join(place, "cache"), { recursive: true, force: true, maxRetries: 10 });
    const [first = ""] = written;
    await heed.memories.remove(first, "to have space", { kind: "person" }).catch(() => undefined);
    const { stores } = await heed.maintenance.check();
    const errors = stores.flatMap(({ problems }) => problems).filter(({ severity }) => severity === "error");
    result.findings.push(...errors.map(({ file, message }) => `after a full disk: ${file}: ${message}`));
    const left = readdirSync(place, { recursive: true })
      .map(String)
      .filter((file) => file.endsWith("/lock"));
    result.findings.push(...left.map((file) => `a lock is left on a full disk: ${file}`));
  } catch (error) {
    result.findings.push(`on a full disk: ${error instanceof Error ? (error.stack ?? "") : String(error)}`);
  } finally {
    await heed.close();
    // Lazily: an index may still be open.
    spawnSync("umount", ["-l", place]);
  }
}
