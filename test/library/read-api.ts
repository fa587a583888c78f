import { readFileSync } from "node:fs";
import { join } from "node:path";

const SRC = join(import.meta.dirname, "../../src");

/** The interfaces of the façade: where each stands in it, and in which file. */
const GROUPS = [
  ["MemoriesApi", "memories", "facade/memories.ts"],
  ["InboxApi", "inbox", "facade/inbox.ts"],
  ["ConsentApi", "consent", "facade/consent.ts"],
  ["HistoryApi", "history", "facade/history.ts"],
  ["ConversationsApi", "conversations", "facade/conversations.ts"],
  ["GuardsApi", "guards", "facade/guards.ts"],
  ["SessionApi", "session", "facade/session.ts"],
  ["LearningApi", "learning", "facade/learning.ts"],
  ["MaintenanceApi", "maintenance", "facade/maintenance.ts"],
  ["MemoryToolApi", "memoryTool", "facade/memory-tool.ts"],
  ["ExchangeApi", "exchange", "facade/exchange.ts"],
  ["SetupApi", "setup", "facade/setup.ts"],
  ["Heed", "", "heed.ts"],
] as const;

/** A method as its comment tells it. */
export interface DocumentedMethod {
  /** `memories.list` */
  path: string;
  /** `list(filter?)` */
  signature: string;
  /** The first sentence. */
  summary: string;
  /** What it says of errors, and the codes that it names. */
  throws: string;
  codes: string[];
  example: string;
}

export interface InjectedGroup {
  path: string;
  about: string;
  methods: DocumentedMethod[];
}

/** Every group of the façade with its methods, as the comments of src/facade tell them. */
export function readApi(): InjectedGroup[] {
  return GROUPS.map(([name, path, file]) => {
    const source = readFileSync(join(SRC, file), "utf8");
    const head = new RegExp(
      `(/\\*\\*(?:(?!\\*/)[^])*\\*/)\\nexport interface ${name} \\{\\n([^]*?)^\\}`,
      "m",
    ).exec(source);
    const [, comment = "", body = ""] = head ?? [];
    const methods = [...body.matchAll(/^ {2}(\/\*\*(?:(?!\*\/)[^])*\*\/)\n {2}(\w+)\(([^]*?)\): [^]*?;\n/gm)];
    return {
      path,
      about: oneLine(partsOf(comment).get("") ?? ""),
      methods: methods.map(([, injected = "", method = "", parameters = ""]) => ({
        path: path === "" ? method : `${path}.${method}`,
        signature: `${method}(${namesOf(parameters).join(", ")})`,
        ...readComment(injected),
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
    example: parts.get("example") ?? "",
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

/** The names of parameters, without their types: `request?`. */
function namesOf(parameters: string): string[] {
  const flat = parameters.replace(/\{[^}]*\}/g, "").replace(/<[^>]*>/g, "");
  return [...flat.matchAll(/(\w+\??):/g)].map(([, name = ""]) => name);
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
