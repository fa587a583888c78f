import type { ForeignReading, ForeignSource, ImportFormat } from "./import-format.ts";
import { readNote, readStatements } from "./read-statements.ts";

interface NotesTool {
  name: string;
  title: string;
  /** The path of its folder or file. */
  path: RegExp;
  /** A file that no other tool's folder has. */
  has?: RegExp;
  /** Files of statements. */
  notes: RegExp;
  /** Files that are one note each, or the log of a day. */
  whole?: RegExp;
  /** Those that speak of the user. */
  aboutUser?: RegExp;
  /** Files that are no notes, and why; the rest is passed over. */
  leftOut?: readonly (readonly [RegExp, string])[];
}

const OF_A_DAY = /(?:^|\/)\d{4}-\d\d-\d\d[^/]*\.md$/;
const SKILL = "a skill: it stays with the agent that runs it";

const TOOLS: readonly NotesTool[] = [
  {
    name: "codex-memories",
    title: "memories of Codex",
    path: /\/\.codex\/memories(?:\/|$)/,
    has: /^(?:memory_summary|raw_memories)\.md$/,
    notes: /^(?!rollout_summaries\/|raw_memories\.md|memory_summary\.md).*\.md$/,
    leftOut: [
      [/^rollout_summaries\//, "the summary of one session: sessions are searched where they are kept"],
      [/^raw_memories\.md$/, "raw notes that MEMORY.md is made from"],
      [/^memory_summary\.md$/, "a summary of MEMORY.md"],
    ],
  },
  {
    name: "hermes",
    title: "memories of Hermes",
    path: /\/\.hermes(?:\/profiles\/[^/]+)?(?:\/memories)?$/,
    notes: /^(?:(?:profiles\/[^/]+\/)?memories\/)?memory\.md$/i,
    aboutUser: /^(?:(?:profiles\/[^/]+\/)?memories\/)?user\.md$/i,
    leftOut: [[/(?:^|\/)skills\/(?:.*\/)?SKILL\.md$/, SKILL]],
  },
  {
    name: "openclaw",
    title: "workspace of OpenClaw",
    path: /\/\.openclaw(?:\/workspace[\w-]*)?$/,
    has: /^(?:SOUL|IDENTITY|DREAMS|HEARTBEAT)\.md$/,
    notes: /^(?:workspace[\w-]*\/)?(?:MEMORY\.md|memory\/(?!\d{4}-\d\d-\d\d).*\.md)$/,
    whole: OF_A_DAY,
    leftOut: [[/(?:^|\/)USER\.md$/, "a form about the user, with the template's own words"]],
  },
  {
    name: "serena-memories",
    title: "memories of Serena",
    path: /\/\.serena(?:\/memories)?$/,
    notes: /^$/,
    whole: /\.md$/,
  },
  {
    name: "letta",
    title: "memory files of Letta",
    path: /\/\.letta\/agents\/[^/]+\/memory$/,
    has: /^(?:memory\/)?system\/.*\.md$/,
    notes: /^(?!(?:memory\/)?(?:skills\/|system\/(?:persona|soul))|(?:.*\/)?(?:human|user)[^/]*\.md$).*\.md$/,
    aboutUser: /(?:^|\/)(?:human|user)[^/]*\.md$/,
    leftOut: [
      [/^(?:memory\/)?skills\//, SKILL],
      [/^(?:memory\/)?system\/(?:persona|soul)/, "who the agent is, not what it knows"],
    ],
  },
];

/** Notes of agents in plain markdown; a folder that is told by these alone comes after all that says what it is. */
export const NOTES_FORMATS: readonly ImportFormat[] = TOOLS.map(formatOfTool);
export const ANY_NOTES_FORMAT: ImportFormat = formatOfTool({
  name: "markdown-memory",
  title: "notes and logs in markdown",
  path: /\/memory\.md$/i,
  has: /^(?:memory\/)?(?:memory\.md|\d{4}-\d\d-\d\d[\w-]*\.md)$/i,
  notes: /^(?:memory\/)?memory\.md$/i,
  whole: OF_A_DAY,
});

function formatOfTool(tool: NotesTool): ImportFormat {
  const { name, title } = tool;
  const read = (reading: ForeignReading): void => readNotes(reading, tool);
  return { name, title, author: "model", recognise: (source) => isOf(source, tool), read };
}

function isOf({ path, files }: ForeignSource, tool: NotesTool): boolean {
  const { has, notes, aboutUser = notes, whole = notes, leftOut = [] } = tool;
  const isThere = tool.path.test(path.replaceAll("\\", "/")) || files.some((file) => has?.test(file));
  const known = [notes, aboutUser, whole, ...leftOut.map(([of]) => of)];
  return isThere && files.some((file) => known.some((of) => of.test(file)));
}

function readNotes(reading: ForeignReading, { notes, aboutUser, whole, leftOut = [] }: NotesTool): void {
  for (const file of reading.source.files) {
    const reason = leftOut.find(([of]) => of.test(file))?.[1];
    if (reason !== undefined) reading.leave(file, file, reason);
    else if (aboutUser?.test(file))
      readStatements(reading, file, { type: "user", fields: { source: "inferred" } });
    else if (notes.test(file))
      readStatements(reading, file, { fields: { source: "observed" }, isIndex: true });
    else if (whole?.test(file)) readNote(reading, file);
  }
}
