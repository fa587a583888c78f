import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { readLabelledTurns } from "../../bench/extraction-data.ts";
import { readInjectionData } from "../../bench/injection-data.ts";
import { readRecallData } from "../../bench/recall-data.ts";
import { temporaryFolder } from "../store/temporary-store.ts";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

function put(file: string, ...records: readonly unknown[]): void {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
}

const memory = {
  id: "m1",
  store_id: "s",
  type: "project",
  name: "host",
  statement: null,
  body: "on kestrel",
};
const label = { prompt_id: "p1", store_id: "s", prompt: "which host?" };

describe("data of the benches", () => {
  test("labels without rules, without anything relevant, and memories without a description are read", () => {
    put("inject-half/memories.jsonl", memory);
    put("inject-half/labels.jsonl", label, {
      ...label,
      relevant: [{ memory_id: "m1", type: "project", grade: 2 }],
    });
    const { memories, prompts, turns } = readInjectionData(join(folder, "inject-half"));
    expect(memories[0]?.text).toContain('description: ""\n');
    expect(prompts.map(({ relevant, applies }) => [relevant.length, applies.length])).toEqual([
      [0, 0],
      [1, 0],
    ]);
    expect(turns).toEqual([]);
    const [store] = readRecallData(join(folder, "inject-half"));
    expect(store?.documents).toEqual([{ id: "m1", name: "host", description: "", text: "on kestrel" }]);
    expect(store?.questions).toHaveLength(1);
  });

  test("a conversation keeps the name that it is published under; questions without evidence are left out", () => {
    const qa = [
      { question: "what?", category: 1 },
      { question: "who?", category: 4, evidence: ["D1:1; D9:9"] },
    ];
    const turns = [{ speaker: "Ana", dia_id: "D1:1", text: "It was me." }];
    const sample = { sample_id: "c", conversation: { session_1: turns }, qa };
    writeFileSync(join(folder, "locomo10.json"), JSON.stringify([sample]));
    expect(readRecallData(folder)).toMatchObject([
      { id: "c", questions: [{ text: "who?", relevant: ["D1:1"], category: "single_hop" }] },
    ]);
  });

  test("a line that is no JSON is named", () => {
    writeFileSync(join(folder, "turns.jsonl"), `\uFEFF{"id":"t"}\r\n\r\n{"id":\n`);
    expect(() => readLabelledTurns(folder)).toThrow(`${join(folder, "turns.jsonl")}:3 is not JSON`);
  });
});
