import { createHash } from "node:crypto";
import { renderInline } from "../../memory/codec/encode-memory.ts";
import { asRecord } from "../../machine/read-fields.ts";
import { readSections } from "../../memory/codec/sections.ts";
import { timeOfId } from "../../memory/handle.ts";
import { LIMITS } from "../../memory/limits.ts";
import type { Memory } from "../../memory/memory.ts";
import { foldText } from "../../search/index/analysis/tokenize.ts";
import {
  type ImportFormat,
  type ForeignReading,
  type ForeignSource,
  type Fields,
  splitFile,
  textOf,
  textIn,
  listOf,
} from "./import-format.ts";
import { type SaidOfAll, statementOf, readNote, readStatements } from "./read-statements.ts";
import { jsonListOf, RECORD_FORMATS } from "./record-formats.ts";
import { HEED_EXPORT_FORMAT, TYPED_FILE_FORMATS } from "./typed-files.ts";

/** Bounds of the Agent Skills format (agentskills.io/specification). */
const MAX_NAME_CHARS = 64;
const MAX_DESCRIPTION_CHARS = 1024;

/** The file in a skill's folder that clients read. */
export const SKILL_FILE = "SKILL.md";

type Said = Pick<Memory, "name" | "statement" | "body">;

/** A procedure as an Agent Skill, whose name is its folder's: its front matter says when, its text is the memory's own. */
export function skillOf({ id, ...said }: Said & Pick<Memory, "id">): { name: string; text: string } {
  // Marks of other scripts are letters' own.
  const words = said.name
    .replace(/\p{Script=Latin}\p{M}*/gu, (letter) => foldText(letter))
    .normalize("NFKC")
    .toLowerCase()
    .match(/[\p{L}\p{N}\p{M}]+/gu) ?? [id.toLowerCase()];
  // A file may say any name: here it becomes a path.
  const name = words.join("-").slice(0, MAX_NAME_CHARS).replace(/-$/, "");
  const statement = `${said.statement}${whenIn(said.body)}`.slice(0, MAX_DESCRIPTION_CHARS);
  const body = said.body.trim();
  const mark = `${id} ${digestOf({ name, statement, body })}`;
  const head = `name: ${name}\ndescription: ${renderInline(statement)}\nmetadata:\n  heed: ${mark}`;
  return { name, text: `---\n${head}\n---\n${body}\n` };
}

function whenIn(body: string): string {
  const when = readSections(body).sections["how-to-apply"];
  return when === undefined ? "" : ` (${when.replace(/\s+/g, " ")})`;
}

function digestOf({ name, statement, body }: Said): string {
  return createHash("sha256").update(`${name}\n${statement}\n${body}`).digest("hex").slice(0, 12);
}

/** What a `SKILL.md` says; where heed wrote it, of which memory, and whether somebody has edited it since. */
export function readSkill(text: string): Said & { id?: string; isEdited: boolean } {
  const { fields, body } = splitFile(text);
  const said = {
    name: textOf(fields, "name"),
    statement: textOf(fields, "description"),
    body: body.trim(),
  };
  const [id = "", digest] = textOf(asRecord(fields["metadata"]) ?? {}, "heed").split(" ");
  return { ...said, ...(timeOfId(id) !== undefined && { id }), isEdited: digest !== digestOf(said) };
}

/** Agent Skills: one folder, or a folder of these. A skill's text alone is read: heed runs nothing and permits nothing. */
const SKILL_FORMAT: ImportFormat = {
  name: "agent-skills",
  title: "Agent Skills (SKILL.md)",
  recognise: ({ files }) => files.some(isSkillFile),
  read(reading) {
    for (const file of reading.source.files.filter(isSkillFile)) {
      const read = reading.text(file);
      if (read === undefined) continue;
      const { id, name, statement: given, body } = readSkill(read);
      const statement = given.replace(/\s+/g, " ");
      if (name === "" || statement === "" || body === "") {
        reading.leave(file, file, "it lacks a name, a description or a text");
        continue;
      }
      const when = whenIn(body);
      const own = when !== "" && statement.endsWith(when) ? statement.slice(0, -when.length) : statement;
      // What is too long for a line of the map is kept whole below it.
      const isLong = own.length > LIMITS.statementChars;
      const draft = { type: "procedure", name, statement: isLong ? statementOf(own) : own };
      const text = isLong && when === "" ? `${body}\n\n**How to apply:** ${own}` : body;
      const memory = { key: name, place: file, draft: { ...draft, body: text } };
      reading.memories.push({ ...memory, ...(id !== undefined && { id }) });
    }
  },
};

function isSkillFile(file: string): boolean {
  return /^(?:[^/]+\/)?SKILL\.md$/.test(file);
}

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
const NOTES_FORMATS: readonly ImportFormat[] = TOOLS.map(formatOfTool);
const ANY_NOTES_FORMAT: ImportFormat = formatOfTool({
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

/** Name, title, its files and folders from the repository or the home on, and the key of the front matter that holds path globs. */
const KINDS: readonly (readonly [name: string, title: string, places: string, globs?: string])[] = [
  ["claude-md", "CLAUDE.md", "CLAUDE.md CLAUDE.local.md .claude/CLAUDE.md"],
  ["claude-rules", "rules of Claude Code", ".claude/rules", "paths"],
  ["agents-md", "AGENTS.md", "AGENTS.md AGENTS.override.md"],
  ["cursor-rules", "rules of Cursor", ".cursorrules .cursor/rules *.mdc", "globs"],
  [
    "copilot-instructions",
    "instructions of Copilot",
    ".github/copilot-instructions.md .github/instructions/*.instructions.md *copilot-instructions.md *.instructions.md",
    "applyTo",
  ],
  ["windsurf-rules", "rules of Windsurf", ".windsurfrules .windsurf/rules global_rules.md", "globs"],
  ["cline-rules", "rules of Cline", ".clinerules", "paths"],
  ["roo-rules", "rules of Roo", ".roorules* .roo/rules*"],
  ["continue-rules", "rules of Continue", ".continuerules .continue/rules", "globs"],
  ["junie-guidelines", "guidelines of Junie", ".junie/guidelines.md"],
  ["kiro-steering", "steering of Kiro", ".kiro/steering", "fileMatchPattern"],
  ["memory-bank", "memory bank of Cline", "memory-bank"],
  ["gemini-md", "GEMINI.md", "GEMINI.md"],
  ["qwen-md", "QWEN.md", "QWEN.md QWEN.local.md"],
];

/** Where such files lie in a repository. */
export const RULE_PLACES: readonly string[] = KINDS.flatMap(([, , places]) =>
  places.split(" ").map((place) => place.replace(/\/?\*.*$/, "")),
).filter((place) => place !== "");

const TEXT = /\.(?:md|mdc|txt)$/i;

/** One format for each kind of rule file: a file of it, or a folder that holds nothing else. */
const RULE_FILE_FORMATS: readonly ImportFormat[] = KINDS.map(([name, title, places, globs]) => ({
  name,
  title,
  isOfRepository: true,
  recognise(source) {
    const rules = rulesIn(source, places).length;
    // A repository in which such files lie among others is none.
    const texts = source.files.filter((file) => TEXT.test(file)).length;
    return rules > 0 && (source.isFile || rules === texts);
  },
  read(reading) {
    const { source } = reading;
    const said = (frontMatter: Fields): SaidOfAll => {
      const paths = globs === undefined ? [] : globsOf(frontMatter[globs]);
      if (paths.length > 0) return { draft: { scope: { paths } }, isRule: true };
      if (isOnRequest(frontMatter, name)) return { when: textOf(frontMatter, "description") };
      return { isRule: isForAll(frontMatter) };
    };
    const files = rulesIn(source, places);
    const including = { files: new Set(files), depth: 0 };
    for (const file of files)
      readStatements(reading, file, { type: "", fields: { source: "instructed" }, said, including });
  },
}));

/** Whether the tool gives a rule without paths to its agent only when that asks for it. */
function isOnRequest(fields: Fields, name: string): boolean {
  const mode = fields["trigger"] ?? fields["inclusion"];
  if (typeof mode === "string") return /^(?:manual|model_decision|auto)$/.test(mode);
  const isByDescription = /^c(?:ursor-rules|opilot-instructions)$/.test(name);
  const isAsked = isByDescription && !isForAll(fields) && textOf(fields, "description") !== "";
  return fields["alwaysApply"] === false || isAsked;
}

function isForAll({ alwaysApply, trigger, inclusion, applyTo, globs }: Fields): boolean {
  const isAlways = alwaysApply === true || trigger === "always_on" || inclusion === "always";
  return isAlways || Boolean(applyTo ?? globs);
}

/** The whole path tells, as `rules/a.md` alone does not. */
function rulesIn({ path, files, isFile }: ForeignSource, places: string): string[] {
  const names = places.replaceAll(".", "\\.").replaceAll("*", "[^/]*").split(" ").join("|");
  const pattern = new RegExp(`(?:^|/)(?:${names})(?:/.*\\.(?:md|mdc|txt))?$`, "i");
  const whole = path.replaceAll("\\", "/");
  return files.filter((file) => pattern.test(isFile ? whole : `${whole}/${file}`));
}

function globsOf(value: unknown): string[] {
  const globs = listOf(value).map((glob) => glob.replace(/^["']|["']$/g, ""));
  return globs.some((glob) => /^\*\*?(?:\/\*)?$/.test(glob)) ? [] : globs;
}

/** All formats that can be imported. What says itself what it is comes before what is told by its looks. */
const IMPORT_FORMATS: readonly ImportFormat[] = [
  HEED_EXPORT_FORMAT,
  ...NOTES_FORMATS,
  SKILL_FORMAT,
  ...TYPED_FILE_FORMATS,
  ...RECORD_FORMATS,
  ...RULE_FILE_FORMATS,
  ANY_NOTES_FORMAT,
];

/** The format of a source; undefined for none that heed knows. */
export function formatOf(source: ForeignSource): ImportFormat | undefined {
  return IMPORT_FORMATS.find((format) => format.recognise(source));
}

/** What a source that is no known format looks like, for a refusal that helps. */
export function describeUnknown(source: ForeignSource): string {
  const [left] = source.passedOver;
  if (source.files.length === 0)
    return left ? `a folder that heed cannot read (${left.place || "."}: ${left.reason})` : "an empty folder";
  const { records, damaged } = jsonListOf(source);
  const isDamaged = records.length === 0 && damaged.length > 0;
  const what = isDamaged ? "is no JSON, or damaged" : "has no known form";
  return source.isFile
    ? `a file named ${source.name} that ${what}`
    : "a folder without a file that looks like a memory";
}
