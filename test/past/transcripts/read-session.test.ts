import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import type { ReadProgress } from "../../../src/past/transcripts/read-session.ts";
import { readSessionOn } from "../../../src/past/transcripts/read-session.ts";
import { temporaryFolder } from "../../store/temporary-store.ts";

const MIB = 1024 * 1024;
let folder: string;
let file: string;
let progress: ReadProgress;

beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, "session.jsonl");
  progress = { offsets: {}, client: "" };
});

function line(text: string): string {
  const message = { role: "user", content: text };
  return `${JSON.stringify({ type: "user", uuid: "u", sessionId: "s", timestamp: "2026-11-22T10:00:00Z", message })}\n`;
}

function readOn(): string[] {
  const said: string[] = [];
  const onEvent = (event: { kind: string; text?: string }): void => {
    if (event.kind === "user") said.push((event.text ?? "").slice(0, 20));
  };
  readSessionOn(progress, file, onEvent);
  return said;
}

test("one line of any length costs that line", () => {
  writeFileSync(file, line("before"));
  for (let i = 0; i < 50; i++) appendFileSync(file, "x".repeat(MIB));
  appendFileSync(file, `\n${line("after")}`);
  const half = line("an open line");
  appendFileSync(file, half.slice(0, 40));
  expect(readOn()).toEqual(["before", "after"]);
  appendFileSync(file, half.slice(40));
  expect(readOn()).toEqual(["an open line"]);
});

test("one in UTF-16 is refused by that name, and not taken for an empty one", () => {
  writeFileSync(file, Buffer.from(`\uFEFF${line("said")}`, "utf16le"));
  expect(readOn).toThrow("is UTF-16");
  expect(progress.offsets).toEqual({});
});
