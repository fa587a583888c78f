import { type ForeignReading, type ForeignSource, type ImportFormat, textIn } from "./import-format.ts";
import { readNote, readStatements } from "./read-statements.ts";

interface NotesTool {
  name: string;
  title: string;
  /** Of these one tells it: the path of its folder or file, a file that no other tool's folder has, a line in its files. */
  path?: RegExp;
  has?: RegExp;
  mark?: RegExp;
  /** What is read in it. */
  files: RegExp;
}

const TOOLS: readonly NotesTool[] = [
  {
    name: "codex-memories",
    title: "memories of Codex",
    path: /\/\.codex\/memories(?:\/|$)/,
    has: /^(?:memory_summary|raw_memories)\.md$/,
    files: /\.md$/,
  },
  {
    name: "hermes",
    title: "memories of Hermes",
    path: /\/\.hermes(?:\/profiles\/[^/]+)?(?:\/memories)?$/,
    files: /^(?:(?:profiles\/[^/]+\/)?memories\/)?(?:memory|user)\.md$/i,
  },
  {
    name: "openclaw",
    title: "workspace of OpenClaw",
    path: /\/\.openclaw(?:\/workspace[\w-]*)?$/,
    has: /^(?:SOUL|IDENTITY|DREAMS|HEARTBEAT)\.md$/,
    files: /^(?:workspace[\w-]*\/)?(?:MEMORY\.md|memory\/.*\.md)$/,
  },
  {
    name: "serena-memories",
    title: "memories of Serena",
    path: /\/\.serena(?:\/memories)?$/,
    files: /\.md$/,
  },
  {
    name: "claude-memory-compiler",
    title: "knowledge of claude-memory-compiler",
    mark: /^(?:aliases|sources|connects|question|consulted):/m,
    files: /(?:^|\/)(?:concepts|connections|qa)\/[^/]+\.md$/,
  },
  { name: "basic-memory", title: "notes of basic-memory", mark: /^permalink:/m, files: /\.md$/i },
];

/** Notes of agents in plain markdown; a folder that is told by these alone comes after all that says what it is. */
export const NOTES_FORMATS: readonly ImportFormat[] = TOOLS.map(formatOfTool);
export const ANY_NOTES_FORMAT: ImportFormat = formatOfTool({
  name: "markdown-memory",
  title: "notes and logs in markdown",
  path: /\/memory\.md$/i,
  has: /^(?:memory\/)?(?:memory\.md|\d{4}-\d\d-\d\d[\w-]*\.md)$/i,
  files: /^(?:memory\/)?memory\.md$|(?:^|\/)\d{4}-\d\d-\d\d[^/]*\.md$/i,
});

function formatOfTool(tool: NotesTool): ImportFormat {
  const { name, title, files } = tool;
  return {
    name,
    title,
    recognise: (source) => source.files.some((file) => files.test(file)) && isOf(source, tool),
    read: (reading) => reading.source.files.filter((file) => files.test(file)).forEach(readOf(reading)),
  };
}

function isOf(source: ForeignSource, { path, has, mark, files }: NotesTool): boolean {
  const isMarked = (): boolean =>
    !source.isFile &&
    source.files
      .filter((file) => files.test(file))
      .slice(0, 20)
      .some((file) => mark?.test(textIn(source, file)));
  return (
    path?.test(source.path.replaceAll("\\", "/")) === true ||
    source.files.some((file) => has?.test(file)) ||
    (mark !== undefined && isMarked())
  );
}

/** Files that are no notes of what was learned. */
const NO_NOTES: readonly (readonly [RegExp, string])[] = [
  [/^rollout_summaries\//, "the summary of one session: sessions are searched where they are kept"],
  [/^raw_memories\.md$/, "raw notes that MEMORY.md is made from"],
  [/^memory_summary\.md$/, "a summary of MEMORY.md"],
];

const readOf =
  (reading: ForeignReading) =>
  (file: string): void => {
    const [, reason] = NO_NOTES.find(([of]) => of.test(file)) ?? [];
    if (reason !== undefined) reading.leave(file, file, reason);
    else if (/(?:^|\/)user\.md$/i.test(file))
      readStatements(reading, file, { type: "user", fields: { source: "inferred" } });
    else if (/(?:^|\/)memory\.md$/i.test(file))
      readStatements(reading, file, { fields: { source: "observed" }, isIndex: true });
    else readNote(reading, file);
  };
