import { readFileSync } from "node:fs";
import { join } from "node:path";
import { METHODS } from "../../src/heed.ts";

const SRC = join(import.meta.dirname, "../../src");

/** A method as its comment tells it. */
export interface DocumentedMethod {
  /** `memories.list` */
  path: string;
  /** `list(filter?)` */
  signature: string;
  summary: string;
  /** What it says of errors, and the codes that it names. */
  throws: string;
  codes: string[];
}

export interface DocumentedGroup {
  path: string;
  about: string;
  example: string;
  methods: DocumentedMethod[];
}

/** Every group of the façade with its methods, as the comments of src/heed.ts and src/facade tell them. */
export function readApi(): DocumentedGroup[] {
  const heed = readFileSync(join(SRC, "heed.ts"), "utf8");
  const groups = [...heed.matchAll(/^ {2}(\/\*\*(?:(?!\*\/)[^])*\*\/)\n {2}readonly (\w+): Api</gm)];
  return groups.map(([, comment = "", path = ""]) => {
    const file = path.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const source = readFileSync(join(SRC, `facade/${file}.ts`), "utf8");
    const rows = [
      ...source.matchAll(/^ {2}(\/\*\*(?:(?!\*\/)[^])*\*\/)\n {2}(\w+): (?:method|onPage|now|always)\(/gm),
    ];
    const parts = partsOf(comment);
    return {
      path,
      about: oneLine(parts.get("") ?? ""),
      example: parts.get("example") ?? "",
      methods: rows.map(([, about = "", method = ""]) => ({
        path: `${path}.${method}`,
        signature: `${method}(${namesOf(`${path}.${method}`).join(", ")})`,
        ...readComment(about),
      })),
    };
  });
}

function readComment(comment: string): Omit<DocumentedMethod, "path" | "signature"> {
  const parts = partsOf(comment);
  const about = oneLine(parts.get("") ?? "");
  const throws = oneLine(parts.get("throws") ?? "");
  return {
    summary: /^.*?\.(?= |$)/.exec(about)?.[0] ?? about,
    throws,
    codes: [...throws.matchAll(/`([a-z]+(?:-[a-z]+)*)`/g)].map(([, code = ""]) => code),
  };
}

/** The text of a comment by its tags; what stands before the first has none. */
function partsOf(comment: string): Map<string, string> {
  const parts = new Map([["", ""]]);
  let tag = "";
  for (const line of comment.replace(/^\s*\/\*\*|\*\/$/g, "").split("\n")) {
    const text = line.replace(/^\s*\* ?/, "").trimEnd();
    const [, begun, rest = ""] = /^@(\w+) ?(.*)$/.exec(text) ?? [];
    if (begun !== undefined) tag = begun;
    parts.set(tag, `${parts.get(tag) ?? ""}${begun === undefined ? text : rest}\n`);
  }
  return new Map([...parts].map(([name, text]) => [name, text.trim()]));
}

/** What a method takes, as it is checked: `request?`. */
function namesOf(path: string): string[] {
  return Object.entries(METHODS[path]?.takes ?? {}).map(([name, { isOptional }]) =>
    isOptional ? `${name}?` : name,
  );
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
