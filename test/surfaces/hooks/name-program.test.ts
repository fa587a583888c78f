import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { nameProgram } from "../../../src/surfaces/hooks/name-program.ts";

const folder = mkdtempSync(join(tmpdir(), "heed-program-"));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, "heed.cjs"), "");
const program = join(folder, "hook.cjs");
const NOTICE = "1 rule was changed outside heed and waits for your look: heed trust";

test("a notice that names a command says how to run it where there is no heed", () => {
  const told = nameProgram(NOTICE, { PATH: "/nowhere" }, program);
  expect(told).toBe(
    `${NOTICE} (there is no heed on the PATH: type node "${join(folder, "heed.cjs")}" in its place)`,
  );
});

test("nothing is added where there is one, where no command is named, and where no program is known", () => {
  writeFileSync(join(folder, "heed"), "");
  chmodSync(join(folder, "heed"), 0o755);
  expect(nameProgram(NOTICE, { PATH: `/nowhere:${folder}` }, program)).toBe(NOTICE);
  expect(nameProgram("heed: use pnpm is in force", { PATH: "/nowhere" }, program)).toBe(
    "heed: use pnpm is in force",
  );
  expect(nameProgram(NOTICE, { PATH: "/nowhere" }, "/else/hook.cjs")).toBe(NOTICE);
});
