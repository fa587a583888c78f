import { readFileSync } from "node:fs";
import { join } from "node:path";

const SRC = join(import.meta.dirname, "../../src");

/** The interfaces of the façade: where each stands in it, and in which file. */
const GROUPS = [
  ["MemoriesApi", "memories", "methods/memories.ts"],
  ["InboxApi", "inbox", "methods/inbox.ts"],
  ["ConsentApi", "consent", "methods/consent.ts"],
  ["HistoryApi", "history", "methods/history.ts"],
  ["ConversationsApi", "conversations", "methods/conversations.ts"],
  ["GuardsApi", "guards", "methods/guards.ts"],
  ["SessionApi", "session", "methods/session.ts"],
  ["LearningApi", "learning", "methods/learning.ts"],
  ["MaintenanceApi", "maintenance", "methods/maintenance.ts"],
  ["MemoryToolApi", "memoryTool", "methods/memory-tool.ts"],
  ["ExchangeApi", "exchange", "methods/exchange.ts"],
  ["SetupApi", "setup", "methods/setup.ts"],
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

/** Every group of the façade with its methods, as the comments of src/methods tell them. */
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
