import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..");

interface Seen {
  problems: string[];
}
const { lookOver } = (await import(join(ROOT, "scripts/structure.mjs"))) as {
  lookOver: (root: string) => Seen;
};
const { RESERVED } = (await import(join(ROOT, "scripts/layers.mjs"))) as {
  RESERVED: Readonly<Record<string, readonly string[]>>;
};

/** Files that break a rule each, with what the check has to say of them; one copy of the sources holds them all. */
const SLY: readonly { what: string; folder: string; text: string; words: string }[] = [
  ...Object.keys(RESERVED).map((reserved) => ({
    what: `anybody else who imports ${reserved}, which changes memories`,
    folder: "here/reading",
    text: `export const sly = (): Promise<unknown> => import("../../${reserved}");`,
    words: `src/${reserved} is reserved for`,
  })),
  ...[
    "import { FileMemoryStore } from '../../store/file-memory-store.ts';",
    'export * from"../../store/file-memory-store.ts";',
    '  import "../../store/file-memory-store.ts";',
    "const late = import(`../../store/file-memory-store.ts`);",
    'const late = import(/* late */ "../../store/file-memory-store.ts");',
    'const late = createRequire(import.meta.url)("../../store/file-memory-store.ts");',
  ].map((text) => ({
    what: text,
    folder: "here/reading",
    text,
    words: "src/store/file-memory-store.ts is reserved for",
  })),
  {
    what: "a path that is computed",
    folder: "here/reading",
    text: "const late = import(folder + name);",
    words: "import() of what is computed",
  },
  ...[
    ["a room that uses the one above", "store", "../here/place.ts", "store may not import here"],
    ["a lower room that uses a higher one", "here", "../session/tell-readers.ts", "may not import session"],
    ["rooms of one floor", "search", "../store/file-memory-store.ts", "search may not import store"],
    [
      "a surface past the façade",
      "surfaces",
      "../store/file-memory-store.ts",
      "surfaces may not import store",
    ],
  ].map(([what = "", folder = "", target, words = ""]) => ({
    what,
    folder,
    text: `import type {} from "${target}";`,
    words,
  })),
];

const fileOf = (index: number): string => `${SLY[index]?.folder}/sly-${index}.ts`;

describe("the structure check", () => {
  const root = mkdtempSync(join(tmpdir(), "heed-structure-"));
  let problems: readonly string[] = [];
  beforeAll(() => {
    cpSync(join(ROOT, "src"), join(root, "src"), { recursive: true });
    for (const [index, { text }] of SLY.entries())
      writeFileSync(join(root, "src", fileOf(index)), `${text}\n`);
    ({ problems } = lookOver(root));
  });
  afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 10 }));

  it("finds nothing wrong with the sources", () => {
    expect(lookOver(ROOT).problems).toEqual([]);
  });

  it.each(SLY.map(({ what, words }, index) => [what, words, index] as const))(
    "refuses %s",
    (_what, words, index) => {
      const own = problems.filter((problem) => problem.startsWith(`src/${fileOf(index)}:`));
      expect(own.join("\n")).toContain(words);
    },
  );
});
