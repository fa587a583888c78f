import { execFileSync, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { readGiven } from "../../../src/surfaces/cli/terminal/read-given.ts";
import { temporaryFolder } from "../../store/temporary-store.ts";

let folder: string;
let pipe: string;
beforeEach(() => {
  folder = temporaryFolder();
  pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
});

test("a file or a device, bounded in size", async () => {
  writeFileSync(join(folder, "file"), "text");
  expect(await readGiven(join(folder, "file"))).toBe("text");
  expect(await readGiven("/dev/null")).toBe("");
  await expect(readGiven("/dev/zero", 10)).rejects.toMatchObject({ code: "io-failed" });
  await expect(readGiven(folder)).rejects.toMatchObject({ code: "invalid-input" });
  await expect(readGiven(join(folder, "none"))).rejects.toThrow(/none cannot be read \(ENOENT\)/);
});

test("a pipe to its end, however late it begins", async () => {
  const writer = spawn("sh", ["-c", `exec > "${pipe}"; printf one; sleep 0.2; printf two`]);
  expect(await readGiven(pipe)).toBe("onetwo");
  await new Promise((done) => (writer.exitCode === null ? writer.on("exit", done) : done(0)));
});

test("a pipe that goes on and on, up to the bound", async () => {
  const writer = spawn("sh", ["-c", `exec cat /dev/zero > "${pipe}"`]);
  await expect(readGiven(pipe, 100_000)).rejects.toThrow("at most are read");
  writer.kill();
});
