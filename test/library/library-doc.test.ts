import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { METHODS } from "../../src/heed.ts";
import { EVENT_FIELDS } from "../../src/facade/session.ts";
import { readApi } from "./read-api.ts";

// docs/reference/library.md names the methods that there are: `UPDATE_DOCS=1 npx vitest run library-doc` writes them into it.
const FILE = join(import.meta.dirname, "../../docs/reference/library.md");
const SRC = join(import.meta.dirname, "../../src");
const PARTS = { methods: methodTable, draft: draftTable, events: eventTable };
const MARKS = /(<!-- (methods|draft|events): [^\n]* -->\n)[^]*?(<!-- end of \2 -->)/g;

function draftTable(): string {
  const fields = Object.entries(METHODS["memories.write"]?.takes["draft"]?.properties ?? {});
  const rows = fields.map(([name, { description = "" }]) => `| \`${name}\` | ${description} |`);
  return `\n| field | means |\n|---|---|\n${rows.join("\n")}\n\n`;
}

function eventTable(): string {
  const rows = Object.entries(EVENT_FIELDS).map(([kind, fields]) => {
    const words = Object.entries(fields).map(
      ([name, { isOptional }]) => `\`${name}\`${isOptional ? "" : " (needed)"}`,
    );
    return `| \`${kind}\` | ${words.join(", ")} |`;
  });
  return `\n| \`kind\` | fields of its own |\n|---|---|\n${rows.join("\n")}\n\n`;
}

function methodTable(): string {
  const rows = readApi().map(({ path, about, methods }) => {
    const signatures = methods.map(({ signature }) => `\`${signature}\``).join(", ");
    return `| \`heed.${path}\` | ${about} | ${signatures} |`;
  });
  return `\n| group | for | methods |\n|---|---|---|\n${rows.join("\n")}\n\n`;
}

describe("docs/reference/library.md", () => {
  it("names every method, each field of a draft and of an event", () => {
    const page = readFileSync(FILE, "utf8");
    const wanted = page.replace(MARKS, (_, from: string, part: keyof typeof PARTS, to: string) =>
      [from, PARTS[part](), to].join(""),
    );
    if (process.env["UPDATE_DOCS"] === "1") writeFileSync(FILE, wanted);
    expect(readFileSync(FILE, "utf8")).toBe(wanted);
  });

  it("tells every code as its definition does; each is used, and comments name no other", () => {
    const source = readFileSync(join(SRC, "machine/heed-error.ts"), "utf8");
    const codes = [...source.matchAll(/^ \* - `([\w-]+)`: (.*?)\. data: (\{[^}]*\})$/gm)];
    const rows = codes.map(([, code, meaning, data]) => `| \`${code}\` | ${meaning} | \`${data}\` |`);
    const page = readFileSync(FILE, "utf8");
    expect([...page.matchAll(/^\| `[a-z-]+` \| [^{|]+ \| `\{[^|]*\}` \|$/gm)].map(([row]) => row)).toEqual(
      rows,
    );
    const all = codes.map(([, code]) => code);
    const named = readApi().flatMap(({ methods }) => methods.flatMap(({ codes }) => codes));
    expect(named.filter((code) => !all.includes(code))).toEqual([]);
    const text = readdirSync(SRC, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !file.endsWith("heed-error.ts"))
      .map((file) => readFileSync(join(SRC, file), "utf8"))
      .join("\n");
    expect(all.filter((code) => !new RegExp(`HeedError\\(\\s*"${code}"`).test(text))).toEqual([]);
  });
});
