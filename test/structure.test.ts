import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "./store/temporary-store.ts";

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

/** What the check says of the sources when a file like this is among them. */
function problemsWith(file: string, text: string): string[] {
  const root = temporaryFolder();
  cpSync(join(ROOT, "src"), join(root, "src"), { recursive: true });
  mkdirSync(dirname(join(root, "src", file)), { recursive: true });
  writeFileSync(join(root, "src", file), text);
  return lookOver(root).problems.filter((problem) => problem.includes(file));
}

describe("the structure check", () => {
  it("finds nothing wrong with the sources", () => {
    expect(lookOver(ROOT).problems).toEqual([]);
  });

  it.each(Object.keys(RESERVED))("lets nobody else import %s, which changes memories", (reserved) => {
    const problems = problemsWith(
      "app/reading/sly.ts",
      `export const sly = (): Promise<unknown> => import("../../${reserved}");\n`,
    );
    expect(problems).toContainEqual(expect.stringContaining(`src/${reserved} is reserved for`));
  });

  it.each([
    "import { writableStore } from '../place/writable-store.ts';",
    'export * from"../place/writable-store.ts";',
    '  import "../place/writable-store.ts";',
    "const late = import(`../place/writable-store.ts`);",
    'const late = import(/* late */ "../place/writable-store.ts");',
    'const late = createRequire(import.meta.url)("../place/writable-store.ts");',
  ])("sees %s", (text) => {
    const problems = problemsWith("app/reading/sly.ts", `${text}\n`);
    expect(problems.join("\n")).toContain("src/app/place/writable-store.ts is reserved for");
  });

  it("refuses a path that is computed", () => {
    const problems = problemsWith("app/reading/sly.ts", "const late = import(folder + name);\n");
    expect(problems).toEqual([expect.stringContaining("import() of what is computed")]);
  });

  it.each([
    [
      "a layer that uses the application",
      "store/sly.ts",
      "../app/place/place.ts",
      "store may not import app/place",
    ],
    [
      "a lower room that uses a higher one",
      "app/place/sly.ts",
      "../session/explain.ts",
      "may not import app/session",
    ],
    [
      "a room that knows an optional part",
      "app/reading/sly.ts",
      "../../optional/judge/judge.ts",
      "optional/judge",
    ],
    [
      "a surface past the façade",
      "surfaces/sly.ts",
      "../store/memory-store.ts",
      "surfaces may not import store",
    ],
  ])("refuses %s", (_what, file, target, words) => {
    const problems = problemsWith(file, `import type {} from "${target}";\n`);
    expect(problems.join("\n")).toContain(words);
  });
});
