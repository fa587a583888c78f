import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import type { ScenarioResult } from "../scenario.ts";
import { inHome } from "../scenario.ts";
import type { Scenario } from "../scenario.ts";
import type { TortureHome } from "../torture-home.ts";
import { runTogether } from "./side-by-side.ts";

/** One store under two paths at once, and a store where `A` and `a` are one file. */
export const otherPaths: Scenario = {
  name: "other paths",
  run: (size, random) =>
    inHome(async (home, result) => {
      const linkedHome = join(home.folder, "linked-home");
      const linkedProject = join(home.folder, "linked-project");
      symlinkSync(home.home, linkedHome);
      symlinkSync(home.project, linkedProject);
      for (let round = 0; round < size.rounds; round++)
        await runTogether(home, result, random, 12 * size.share, [
          {},
          { cwd: linkedProject, env: { HEED_DIR: join(linkedHome, "memory") } },
        ]);
      await onFoldedCases(home, result);
    }),
};

/** Folds cases: ext4 in a directory, where kernel and tools have it; else the NTFS driver of FUSE. */
async function onFoldedCases(home: TortureHome, result: ScenarioResult): Promise<void> {
  const [image, place] = [join(home.folder, "folded.img"), join(home.folder, "folded")];
  mkdirSync(place);
  writeFileSync(image, "");
  const store = join(place, "memory");
  const ways = [
    [
      ["mkfs.ext4", "-q", "-O", "casefold", "-E", "encoding=utf8", image],
      ["mount", "-o", "loop", image, place],
      ["mkdir", store],
      ["chattr", "+F", store],
    ],
    [
      ["mkntfs", "-Q", "-F", "-q", image],
      ["lowntfs-3g", "-o", "ignore_case", image, place],
      ["mkdir", store],
    ],
  ];
  const isFolded = ways.some((steps) =>
    [["truncate", "-s", "16M", image], ...steps].every(
      ([command = "", ...args]) => spawnSync(command, args).status === 0,
    ),
  );
  try {
    if (!isFolded) {
      result.skipped.push("a case-insensitive file system: neither ext4 nor lowntfs-3g makes one here");
      return;
    }
    const heed = home.open({ HEED_DIR: store });
    await heed.setup.init("user");
    for (const name of ["README-note", "readme-NOTE"])
      await heed.memories.write(
        {
          type: "reference",
          name,
          statement: `the ${name} of ${name}`,
          body: `see https://example.org/${name}`,
          store: "user",
        },
        { kind: "import" },
      );
    await heed.memories.rename("README-note", "Readme-Note", { kind: "person" }).catch(() => undefined);
    const memories = (await heed.memories.list()).filter(({ name }) => name.toLowerCase() === "readme-note");
    await heed.close();
    if (memories.length === 0) result.losses.push("a store that folds cases lost a memory");
  } finally {
    // Lazily: an index may still be open.
    spawnSync("umount", ["-l", place]);
    rmSync(image, { force: true });
  }
}
