import type { ForeignSource, ImportFormat } from "../import-format.ts";
import type { StatementKind } from "../read-statements.ts";
import { readStatements } from "../read-statements.ts";
import type { MarkdownItem } from "../markdown-items.ts";

interface NotesTool {
  name: string;
  title: string;
  recognise(source: ForeignSource): boolean;
  /** What a file holds; a text: it is left out, with this as reason; undefined: it is not one of the tool's. */
  kindOf(file: string): StatementKind | string | undefined;
}

const OBSERVED = { source: "observed" } as const;
const ABOUT_USER = { type: "user", fields: { source: "inferred" } } as const;

/** A log of a day or a session, whole, as the record that it is; a long one in parts, cut at the ends of lines. */
function logOf(file: string): StatementKind {
  const created = /\d{4}-\d\d-\d\d/.exec(file)?.[0];
  const title = `Log${created === undefined ? "" : ` of ${created}`}`;
  const items = (log: string): MarkdownItem[] =>
    (log.match(/[^]{1,18000}(?:\n|$)|[^]{1,18000}/g) ?? []).map((part, i) => {
      const text = part.replace(/^\s*(?:#+[ \t]+)?/, "").trimEnd();
      return { headings: ["", i === 0 ? title : `${title}, part ${i + 1}`], text, line: 1, kind: "item" };
    });
  return { type: "episode", created, items };
}

const TOOLS: readonly NotesTool[] = [
  {
    name: "codex-memories",
    title: "memories of Codex",
    recognise: (source) =>
      source.files.includes("memory_summary.md") ||
      source.files.includes("raw_memories.md") ||
      (source.isFile && /\/\.codex\/memories\//.test(slashed(source))),
    kindOf: (file) => {
      if (file.startsWith("rollout_summaries/"))
        return "the summary of one session: sessions are searched where they are kept";
      if (file === "raw_memories.md") return "raw notes, of which MEMORY.md is made";
      if (file === "memory_summary.md") return "a summary of MEMORY.md";
      return file.endsWith(".md") ? { fields: OBSERVED } : undefined;
    },
  },
  ...(["Gemini CLI", "Qwen Code"] as const).map((client): NotesTool => {
    const name = client.split(" ", 1)[0]!.toLowerCase();
    return {
      name: `${name}-memories`,
      title: `memories that ${client} added to ${name.toUpperCase()}.md`,
      recognise: (source) =>
        source.isFile &&
        source.name.toLowerCase() === `${name}.md` &&
        ADDED.test(source.read(source.name) ?? ""),
      kindOf: () => ({ fields: OBSERVED, prepare: belowAddedHeading }),
    };
  }),
  {
    name: "hermes",
    title: "memories of Hermes",
    recognise: (source) =>
      source.files.some(
        (file) => /^(?:memory|user)\.md$/i.test(file) && /^§$/m.test(source.read(file) ?? ""),
      ) ||
      (/\/\.hermes(?:\/profiles\/[^/]+)?(?:\/memories)?$/.test(slashed(source)) &&
        source.files.some((file) => HERMES_FILE.test(file))),
    kindOf: (file) => {
      if (/(?:^|\/)skills\/(?:.*\/)?SKILL\.md$/.test(file))
        return "a skill: it stays with the agent that runs it";
      const which = HERMES_FILE.exec(file)?.[1]?.toLowerCase();
      if (which === "user") return { ...ABOUT_USER, items: entriesBetweenSigns };
      return which === undefined ? undefined : { fields: OBSERVED, items: entriesBetweenSigns };
    },
  },
  {
    name: "total-recall",
    title: "registers of total-recall",
    recognise: ({ files }) => files.some((file) => /(?:^|\/)registers\/[a-z-]+\.md$/.test(file)),
    kindOf: (file) => {
      if (/(?:^|\/)(?:daily|archive)\/.*\.md$/.test(file)) return logOf(file);
      const register = /(?:^|\/)registers\/([a-z-]+)\.md$/.exec(file)?.[1];
      if (register === undefined || register.startsWith("_")) return undefined;
      if (register === "open-loops") return "open loops are the state of running work";
      const entries = { items: registerItems, refuse: isSuperseded };
      if (register === "preferences") return { ...ABOUT_USER, ...entries };
      return { fields: { ...OBSERVED, tags: [register] }, ...entries };
    },
  },
  {
    name: "openclaw",
    title: "workspace of OpenClaw",
    recognise: (source) =>
      (source.files.includes("MEMORY.md") &&
        (source.files.some((file) => /^(?:SOUL|IDENTITY|DREAMS|HEARTBEAT|USER)\.md$/.test(file)) ||
          source.files.some((file) => /^memory\/\d{4}-\d\d-\d\d[\w-]*\.md$/.test(file)))) ||
      (/\/\.openclaw(?:\/workspace[\w-]*)?$/.test(slashed(source)) &&
        source.files.some((file) => /(?:^|\/)(?:MEMORY|USER|memory\/.*)\.md$/.test(file))),
    kindOf: (path) => {
      const file = path.replace(/^workspace[\w-]*\//, "");
      if (file === "MEMORY.md") return { fields: OBSERVED };
      if (file === "USER.md") return { ...ABOUT_USER, refuse: isOfTemplate };
      if (/^memory\/\d{4}-\d\d-\d\d[^/]*\.md$/.test(file)) return logOf(file);
      return /^memory\/.*\.md$/.test(file) ? { fields: OBSERVED } : undefined;
    },
  },
  {
    name: "letta",
    title: "memory files of Letta",
    recognise: (source) =>
      source.files.some((file) => /^(?:memory\/)?system\/.*\.md$/.test(file)) ||
      /\/\.letta\/agents\/[^/]+\/memory$/.test(slashed(source)),
    kindOf: (file) => {
      if (/^(?:memory\/)?skills\//.test(file)) return "a skill: it stays with the agent that runs it";
      if (/^(?:memory\/)?system\/(?:persona|soul)/.test(file)) return "who the agent is, not what it knows";
      if (/(?:^|\/)(?:human|user)[^/]*\.md$/.test(file)) return ABOUT_USER;
      return file.endsWith(".md") ? { fields: OBSERVED } : undefined;
    },
  },
  {
    name: "recall",
    title: "sessions of Recall (.recall)",
    recognise: (source) =>
      (source.files.includes("history.md") && /^## Session \S+ — /m.test(source.read("history.md") ?? "")) ||
      (/^\.recall$/.test(source.name) && source.files.includes("context.md")),
    kindOf: (file) => {
      if (file === "context.md") return logOf(file);
      return file === "history.md"
        ? "the record of sessions, not a memory: `heed capture --backfill` reads the sessions themselves"
        : undefined;
    },
  },
];

const HERMES_FILE = /^(?:(?:profiles\/[^/]+\/)?memories\/)?(memory|user)\.md$/i;

/** A field of an entry: `- **rationale**: row locks`; several may stand in one line, between bars. */
const FIELD = /\*\*([a-z_ ]{2,30})\*\*:[ \t]*([^|\n]*)/gi;
/** What says how sure the tool is, and since when: not what it knows. */
const KEPT_BESIDE = new Set(["confidence", "last_verified", "last_interaction", "evidence", "status"]);
const ENDED = /\b(?:superseded|cancelled)\b/i;

interface Entry {
  heading: string;
  line: number;
  text: string;
}

/**
 * The entries of a register of total-recall: a heading with fields below it, a claim with the fields that follow it, or a
 * plain line of a list. Quotations and placeholders are the template's; what is superseded is left to `refuse`.
 */
function registerItems(markdown: string): MarkdownItem[] {
  const entries: Entry[] = [];
  let heading = "";
  let open: Entry | undefined;
  const lines = markdown
    .replace(/\r\n?/g, "\n")
    .replace(/<!--[\s\S]{0,20000}?-->/g, (comment) => comment.replace(/[^\n]/g, ""))
    .split("\n");
  for (const [i, raw] of lines.entries()) {
    // The ids that stand in its lines are not part of what they say.
    const line = raw.replace(/[ \t]*\^tr[0-9a-f]{10}\b/g, "").trimEnd();
    const title = /^#{2,6}\s+(.+)$/.exec(line)?.[1];
    if (title !== undefined) {
      heading = title.trim();
      open = undefined;
      continue;
    }
    if (line.trim() === "" || /^\s*>|^#\s|^\s*-\s+\[[^\]]*(?:yet|none)[^\]]*\]$/i.test(line)) continue;
    const isField = /^\s*(?:-\s+)?\*\*[a-z_ ]{2,30}\*\*:/i.test(line);
    const isNext = /^-\s/.test(line) && (!isField || /^-\s+\*\*claim\*\*:/i.test(line) || !open);
    if (isNext || !open) entries.push((open = { heading, line: i + 1, text: line.trim() }));
    else open.text += `\n${line.trim()}`;
  }
  return entries.map(({ heading: above, line, text }) => ({
    headings: ["", above],
    line,
    text: statementOf(text),
    kind: "item",
  }));
}

/** The first field says it; the others stand below it by their names. */
function statementOf(text: string): string {
  const fields = [...text.matchAll(FIELD)].map(([, key = "", value = ""]) => ({
    key: key.trim().toLowerCase(),
    value: value.trim(),
  }));
  if (fields.length === 0) return text.replace(/^-\s+/, "");
  const ended = fields.find(({ key, value }) => key === "status" && ENDED.test(value));
  const [first, ...more] = fields.filter(({ key, value }) => value !== "" && !KEPT_BESIDE.has(key));
  const said = [
    first?.value ?? "",
    ...more.map(({ key, value }) => `- ${key.replaceAll("_", " ")}: ${value}`),
  ];
  return `${ended ? "[superseded] " : ""}${said.join("\n")}`;
}

function isSuperseded({ text }: MarkdownItem): string | undefined {
  return /\[superseded\b/i.test(text) ? "it is marked as superseded there" : undefined;
}

/** Entries of Hermes stand between section signs, each a text of its own. */
function entriesBetweenSigns(text: string): MarkdownItem[] {
  let line = 1;
  return text
    .replace(/\r\n?/g, "\n")
    .split(/\n§\n/)
    .flatMap((entry): MarkdownItem[] => {
      const start = line + (/^\n*/.exec(entry)?.[0].length ?? 0);
      line += entry.split("\n").length + 1;
      return entry.trim() === "" ? [] : [{ headings: [], text: entry.trim(), line: start, kind: "item" }];
    });
}

/** What OpenClaw's template asks for and nobody filled in, and what it tells the agent. */
function isOfTemplate({ text }: MarkdownItem): string | undefined {
  const isEmpty = /^\*\*[^*]{1,60}:?\*\*:?\s*(?:_[^_]*_)?$/.test(text) || /^_[^_]*_$/.test(text);
  return isEmpty || /not building a dossier/.test(text) ? "the template's, not filled in" : undefined;
}

const ADDED = /^##[ \t]+(?:gemini|qwen) added memories[ \t]*$/im;

/** Notes of agents in plain markdown. */
export const NOTES_FORMATS: readonly ImportFormat[] = TOOLS.map((tool) => ({
  name: tool.name,
  title: tool.title,
  author: "model",
  recognise: (source) => tool.recognise(source),
  read: (source) => readStatements(source, source.files, (file) => tool.kindOf(file)),
}));

/** The section that the client itself writes; what stands above it are the person's instructions. */
function belowAddedHeading(text: string): string {
  const start = ADDED.exec(text);
  if (!start) return "";
  const before = text.slice(0, start.index).replace(/[^\n]/g, "");
  const section = text.slice(start.index + start[0].length);
  const end = section.search(/^#{1,2}[ \t]/m);
  return before + (end < 0 ? section : section.slice(0, end));
}

function slashed(source: ForeignSource): string {
  return source.path.replaceAll("\\", "/");
}
