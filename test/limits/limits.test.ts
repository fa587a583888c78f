import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Limits, LIMITS } from "../../src/heed.ts";
import { runGit } from "../../src/machine/run-git.ts";
import { walkStore } from "../../src/store/files/scan-store.ts";
import { TemporaryHeed } from "../home/temporary-heed.ts";
import { temporaryFolder } from "../store/temporary-store.ts";

const ROOT = join(import.meta.dirname, "../..");

/** The rows of the table: the constant, and the limit in figures. */
const rows = [
  ...readFileSync(join(ROOT, "docs/reference/limits.md"), "utf8").matchAll(
    /^\| [^|]+ \| ([^|]+) \| [^|]+ \| `([^`]+)` `(\w+)` \|$/gm,
  ),
].map(([, limit = "", file = "", name = ""]) => ({ file, name, limit: figureOf(limit) }));

/** `512 KiB`, `64 Ki characters`, `20,000 characters`: the figure. */
function figureOf(text: string): number {
  const [, number = "", unit] = /^([\d,]+)(?: (Ki|Mi))?/.exec(text) ?? [];
  return Number(number.replaceAll(",", "")) * (unit === "Ki" ? 1024 : unit === "Mi" ? 1024 ** 2 : 1);
}

/** What a constant is in the source: products of numbers alone. */
function constantIn(file: string, name: string): number | undefined {
  if (file === "memory/limits.ts") return LIMITS[name as keyof Limits];
  const source = readFileSync(join(ROOT, "src", file), "utf8");
  const [, product = ""] = new RegExp(`const ${name}(?:: number)? = ([\\d_* ]+);`).exec(source) ?? [];
  return product.split("*").reduce((all, factor) => all * Number(factor.trim().replaceAll("_", "")), 1);
}

describe("docs/reference/limits.md", () => {
  it.each(rows)("says of $file $name what the code says", ({ file, name, limit }) => {
    expect(constantIn(file, name)).toBe(limit);
  });

  it("has all limits of what may be written and asked for", () => {
    const named = rows.filter(({ file }) => file === "memory/limits.ts").map(({ name }) => name);
    expect(named.toSorted()).toEqual(Object.keys(LIMITS).toSorted());
  });
});

it.each([
  [-1, 4, 0],
  [0, 5, 0],
  [1, 5, 1],
])("%i more files than a store may have: %i are read", (more, read, problems) => {
  const folder = temporaryFolder();
  for (let i = 0; i < 5 + more; i++) writeFileSync(join(folder, `${i}.md`), "text");
  const walk = walkStore(folder, { maxFiles: 5 });
  expect(walk.files).toHaveLength(read);
  expect(walk.problems.map(({ code }) => code)).toEqual(Array(problems).fill("too-many-files"));
});

it("a repository whose configuration is too long is not asked anything", async () => {
  const place = new TemporaryHeed();
  place.configure(`[x]\n\ty = ${"z".repeat(2 * 1024 ** 2)}\n`);
  await expect(runGit(["status", "--porcelain"], { cwd: place.project })).rejects.toThrow(
    "wrote more than 1048576 bytes",
  );
  await place.remove();
});
