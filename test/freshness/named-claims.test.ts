import { afterAll, expect, test } from "vitest";
import { namedClaims } from "../../src/freshness/claims-of-text.ts";
import { WorkTree } from "../../src/freshness/work-tree.ts";
import { cpuMsOf } from "../cpu-time.ts";
import { TemporaryRepository } from "./temporary-repository.ts";

const repository = new TemporaryRepository({ "src/a.ts": "export const a = 1;\n", "README.md": "# x\n" });
afterAll(() => repository.remove());

test.each([
  ["see src/a.ts and `src/gone.ts:12`", ["path:src/gone.ts", "path:src/a.ts"]],
  ["`lib/router.js` is new, [docs](docs/x.md#top) too", ["path:lib/router.js", "path:docs/x.md"]],
  ["run `node scripts/seed.mjs --all` in `src/auth`", ["path:scripts/seed.mjs", "path:src/auth"]],
  ["`computeTax` in `src/tax.ts`", ["path:src/tax.ts", "path:src/tax.ts::computeTax"]],
  ["`src/tax.ts::rate`, by 2026-08-20", ["path:src/tax.ts", "path:src/tax.ts::rate"]],
  ["`README.md` and `gone.md`", ["path:README.md"]],
  ["`maxItems` of `src/a.ts` or `src/b.ts`", ["path:src/a.ts", "path:src/b.ts"]],
  ["`computeTax` and/or `input/output`, origin/main, `origin/main`, `application/json`", []],
  ["https://example.com/a/b.html and `example.com/a/b.html`, `src/*.ts`, `src/{a,b}.ts`, `../x/y.ts`", []],
  ["`/etc/app/x.conf`, `~/x/y.toml`, `1/2.5`, 12026-08-20", []],
])("%s names %j", (text, names) => {
  expect(namedClaims(text, new WorkTree(repository.root), [repository.root])).toEqual(names);
});

test("a hostile text costs no time", () => {
  const tree = new WorkTree(repository.root);
  const text = `${"a/".repeat(200)}b.ts `.repeat(400) + "`".repeat(20_000) + "a".repeat(50_000);
  const tookMs = cpuMsOf(() => expect(namedClaims(text, tree, []).length).toBeLessThanOrEqual(30));
  expect(tookMs).toBeLessThan(2_000);
});
