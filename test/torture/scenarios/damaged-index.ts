import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expectEnd, lookOver, inHome } from "../scenario.ts";
import type { Scenario } from "../scenario.ts";
import type { SeededWords } from "../seeded-words.ts";

/** The index is deleted, cut at any byte, or has a wrong byte: while nobody looks, and while others work. */
export const damagedIndex: Scenario = {
  name: "damaged index",
  run: (size, random) =>
    inHome(async (home, result) => {
      const index = join(home.home, "cache", "index");
      for (let round = 0; round < size.rounds * 2; round++) {
        const working = home.run({ task: home.task(random, 6 * size.share) });
        const done: string[] = [];
        // Some damage while the process works, some after it.
        for (let blow = 0; blow < 3; blow++) {
          done.push(damage(index, random));
          await new Promise((resolve) => setTimeout(resolve, 150));
        }
        expectEnd(await working, result, "a process over a damaged index");
        done.push(damage(index, random));
        await lookOver(home, result, `round ${round + 1}: ${done.join(", ")}`);
      }
    }),
};

function damage(index: string, random: SeededWords): string {
  if (!existsSync(index)) return "nothing there";
  const files = readdirSync(index, { recursive: true }).map((file) => join(index, String(file)));
  const file = random.pick(
    files.filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile()).sort(),
  );
  if (file === undefined) return "nothing there";
  const kind = random.below(4);
  try {
    if (kind === 0)
      rmSync(random.below(2) === 0 ? index : file, { recursive: true, force: true, maxRetries: 10 });
    else if (kind === 1) truncateSync(file, random.below(statSync(file).size + 1));
    else {
      const bytes = readFileSync(file);
      bytes[random.below(bytes.length)] = random.below(256);
      writeFileSync(file, kind === 2 ? bytes : bytes.subarray(0, random.below(bytes.length + 1)));
    }
  } catch {
    return "gone meanwhile";
  }
  return `${["deleted", "cut", "a wrong byte in", "cut and wrong"][kind] ?? ""} ${file.slice(index.length + 1)}`;
}
