import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { MemoryState } from "../memory-model.ts";
import { expectEnd, lookOver, inHome } from "../scenario.ts";
import type { Scenario } from "../scenario.ts";
import type { TortureHome } from "../torture-home.ts";

/** Another program makes, edits and renames files of the stores while heed works on them. */
export const editedOutside: Scenario = {
  name: "edited outside",
  run: (size, random) =>
    inHome(async (home, result) => {
      for (let round = 0; round < size.rounds; round++) {
        const editor = home.nextWorker();
        const working = home.run({ task: home.task(random, 25 * size.share, { prepared: 3 }) });
        for (let edit = 0; edit < 12; edit++) {
          editOne(home, `key-${editor}-${edit}`, edit);
          await new Promise((resolve) => setTimeout(resolve, 30 + random.below(120)));
        }
        expectEnd(await working, result, "a process beside an editor");
        await lookOver(home, result, `round ${round + 1}`);
      }
    }),
};

/** A file made by hand, edited in place, then moved into another folder under another name, as an editor saves it. */
function editOne(home: TortureHome, key: string, edit: number): void {
  const root = edit % 2 === 0 ? home.userStore : join(home.project, ".heed");
  const folder = join(root, edit % 3 === 0 ? "notes/deep" : "reference");
  mkdirSync(folder, { recursive: true });
  const tokens = [`token-${key}-1`, `token-${key}-2`];
  const text = (count: number): string =>
    `---\nname: hand-${key}\ndescription: written by hand, ${key}\nmetadata:\n  type: reference\n---\n${key}\n\nhttps://example.org/${key}\n${tokens.slice(0, count).join("\n")}\n\nend of ${key}\n`;
  const file = join(folder, `hand-${key}.md`);
  writeFileSync(file, text(1));
  // Saved in place by one editor, by a rename by another.
  if (edit % 4 === 0) writeFileSync(file, text(2));
  else {
    writeFileSync(`${file}~`, text(2));
    renameSync(`${file}~`, file);
  }
  if (edit % 5 === 0) {
    const other = join(dirname(folder), `moved-${key}.md`);
    renameSync(file, other);
  }
  const state: MemoryState = { place: "living", name: `hand-${key}`, tokens };
  home.model.take([{ kind: "done", operation: "edit outside", key, state }]);
  // And a memory of heed's is touched by a program that adds a line at its end.
  const [any] = readdirSync(root, { recursive: true })
    .map(String)
    .filter((name) => name.startsWith("reference/memory-"));
  if (any === undefined || edit % 3 !== 1) return;
  try {
    const before = readFileSync(join(root, any), "utf8");
    writeFileSync(join(root, any), `${before}\nby hand: ${key}\n`, { flag: "r+" });
  } catch {
    // heed has moved it meanwhile: an editor would say so.
  }
}
