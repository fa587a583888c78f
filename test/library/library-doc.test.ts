import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readApi } from "./read-api.ts";

// docs/library.md tells the methods as their comments do: `UPDATE_DOCS=1 npx vitest run library-doc` writes them into it.
const FILE = join(import.meta.dirname, "../../docs/library.md");
const MARKS = /(<!-- methods: from src\/methods -->\n)[^]*?(<!-- end of methods -->)/;

function methodTable(): string {
  const groups = readApi().filter(({ path }) => path !== "");
  const sections = groups.map(({ path, about, methods }) =>
    [
      `### heed.${path}`,
      "",
      about,
      "",
      "| method | what it does |",
      "|---|---|",
      ...methods.map(({ signature, summary }) => `| \`${signature}\` | ${summary} |`),
      "",
    ].join("\n"),
  );
  return `\n${sections.join("\n")}\n`;
}

describe("docs/library.md", () => {
  it("tells every method in the first sentence of its comment", () => {
    const page = readFileSync(FILE, "utf8");
    const wanted = page.replace(MARKS, (_, from: string, to: string) => from + methodTable() + to);
    if (process.env["UPDATE_DOCS"] === "1") writeFileSync(FILE, wanted);
    expect(readFileSync(FILE, "utf8")).toBe(wanted);
  });

  it("tells every code as its definition does", () => {
    const source = readFileSync(join(FILE, "../../src/errors/heed-error.ts"), "utf8");
    const codes = [...source.matchAll(/^ \* - `([\w-]+)`: (.*?)\. data: (\{[^}]*\})$/gm)];
    const rows = codes.map(([, code, meaning, data]) => `| \`${code}\` | ${meaning} | \`${data}\` |`);
    const page = readFileSync(FILE, "utf8");
    expect([...page.matchAll(/^\| `[a-z-]+` \|.*\{.*$/gm)].map(([row]) => row)).toEqual(rows);
  });
});
