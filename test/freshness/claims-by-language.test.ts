import { afterAll, describe, expect, test } from "vitest";
import { SAMPLES } from "./source-samples.ts";
import { TemporaryRepository } from "./temporary-repository.ts";

/** A value that each sample sets: the claim, the edit that breaks it, and what it is then. */
const VALUES: Readonly<Record<string, [claim: string, from: string, to: string, actual: string]>> = {
  typescript: ["LIMIT=1000", "1_000", "2_000", "2_000"],
  javascript: ["after=1", "after = 1", "after = 2", "2"],
  python: ["LIMIT=2.5", "2.5", "3.5", "3.5"],
  go: ["Limit=5", "Limit = 5", "Limit = 7", "7"],
  rust: ["LIMIT=1024", "1_024", "2_048", "2_048"],
  java: ["LIMIT=250", "250L", "500L", "500L"],
  c: ["LIMIT=5", "LIMIT 5", "LIMIT 6", "6"],
  "c++": ["kLimit=1000", "1'000", "2'000", "2'000"],
  "c#": ["Max=12", "Max = 12", "Max = 13", "13"],
  ruby: ["LIMIT=5", "LIMIT = 5", "LIMIT = 6", "6"],
  php: ["LIMIT=5", "const LIMIT = 5", "const LIMIT = 6", "6"],
  kotlin: ["LIMIT=5", "LIMIT = 5", "LIMIT = 6", "6"],
  swift: ["limit=5", "limit = 5", "limit = 6", "6"],
  shell: ["LIMIT=5", "LIMIT=5", "LIMIT=6", "6"],
};

test("there is a value for each language", () => {
  expect(Object.keys(VALUES)).toEqual(Object.keys(SAMPLES));
});

const repository = new TemporaryRepository({ "README.md": "x\n" });
afterAll(() => repository.remove());

describe.each(Object.entries(SAMPLES))("claims about %s", (language, { file, source, breaks: symbol }) => {
  const value = VALUES[language] ?? ["", "", "", ""];

  /** The finding on a claim before and after an edit, with the line ends of either kind of system. */
  async function around(claim: string, from: string, to: string, lineEnd: string): Promise<string[]> {
    expect(source).toContain(from);
    const found: string[] = [];
    for (const text of [source, source.replaceAll(from, to)]) {
      repository.write(file, text.replaceAll("\n", lineEnd));
      found.push(await repository.check(claim));
    }
    return found;
  }

  test.each(["\n", "\r\n"])("a symbol, with line ends %j", async (lineEnd) => {
    const [name, from, to] = symbol;
    expect(await around(`path:${file}::${name}`, from, to, lineEnd)).toEqual([
      "kept",
      `broken: ${file} no longer defines ${name}`,
    ]);
  });

  test.each(["\n", "\r\n"])("a value, with line ends %j", async (lineEnd) => {
    const [claim, from, to, actual] = value;
    const [name] = claim.split("=");
    expect(await around(`path:${file}::${claim}`, from, to, lineEnd)).toEqual([
      "kept",
      `broken: ${name} is ${actual} in ${file}`,
    ]);
  });

  test("bytes that are no UTF-8 beside it do not hide it", async () => {
    const comment = /\.(?:py|rb|sh)$/.test(file) ? "#" : "//";
    const text = file.endsWith(".php")
      ? source.replace("<?php\n", `<?php\n${comment} caf\u00e9\n`)
      : `${source}${comment} caf\u00e9\n`;
    repository.writeBytes(file, Buffer.from(text, "latin1"));
    expect(await repository.check(`path:${file}::${symbol[0]}`)).toBe("kept");
    expect(await repository.check(`path:${file}::${value[0]}`)).toBe("kept");
  });
});
