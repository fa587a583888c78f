import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import type { ReadProgress, ReadReport } from "../../../src/past/transcripts/read-session.ts";
import { readSessionOn } from "../../../src/past/transcripts/read-session.ts";
import { temporaryFolder } from "../../store/temporary-store.ts";

const MIB = 1024 * 1024;
let folder: string;
let file: string;
let progress: ReadProgress;

beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, "session.jsonl");
  progress = { offsets: {}, format: "" };
});

function line(text: string): string {
  const message = { role: "user", content: text };
  return `${JSON.stringify({ type: "user", uuid: "u", sessionId: "s", timestamp: "2026-11-22T10:00:00Z", message })}\n`;
}

function readOn(isToStop?: () => boolean): { said: string[]; report: ReadReport } {
  const said: string[] = [];
  const onEvent = (event: { kind: string; text?: string }): void => {
    if (event.kind === "user") said.push((event.text ?? "").slice(0, 20));
  };
  return { report: readSessionOn(progress, file, onEvent, isToStop), said };
}

test("of too much at once the beginning and the end are read, and what was passed over is said", () => {
  writeFileSync(file, line("the first turn"));
  const filler = line("x".repeat(MIB));
  for (let i = 0; i < 80; i++) appendFileSync(file, filler);
  appendFileSync(file, line("the last turn"));
  const { said, report } = readOn();
  expect(said.at(0)).toBe("the first turn");
  expect(said.at(-1)).toBe("the last turn");
  expect(said.length).toBeLessThan(36);
  expect(report.passedBytes).toBeGreaterThan(47 * MIB);
  expect(report.lostLines).toBe(1);
  expect(report.bytes).toBe(progress.offsets[file]);
  // The next run goes on behind it.
  appendFileSync(file, line("one turn more"));
  expect(readOn()).toMatchObject({ said: ["one turn more"], report: { passedBytes: 0, lostLines: 0 } });
});

test("a run that is stopped behind the gap loses nothing of the end", () => {
  writeFileSync(file, line("the first turn"));
  for (let i = 0; i < 40; i++) appendFileSync(file, line("x".repeat(MIB)));
  appendFileSync(file, line("the last turn"));
  let asked = 0;
  readOn(() => ++asked > 3);
  expect(readOn().said.at(-1)).toBe("the last turn");
});

test("one line of any length costs that line", () => {
  writeFileSync(file, line("before"));
  for (let i = 0; i < 50; i++) appendFileSync(file, "x".repeat(MIB));
  appendFileSync(file, `\n${line("after")}`);
  const half = line("an open line");
  appendFileSync(file, half.slice(0, 40));
  expect(readOn()).toMatchObject({ said: ["before", "after"], report: { lostLines: 1 } });
  appendFileSync(file, half.slice(40));
  expect(readOn().said).toEqual(["an open line"]);
});
