import type { ForeignReading, ForeignSource, ImportFormat } from "../import-format.ts";
import { readStatements } from "../read-statements.ts";

interface RuleFileKind {
  name: string;
  title: string;
  /** Its path, from the repository or the home on. */
  path: RegExp;
  /** Keys of the front matter that hold path globs. */
  globs?: readonly string[];
}

const KINDS: readonly RuleFileKind[] = [
  { name: "claude-md", title: "CLAUDE.md", path: /(?:^|\/)claude(?:\.local)?\.md$/i },
  {
    name: "claude-rules",
    title: "rules of Claude Code",
    path: /(?:^|\/)\.claude\/rules\/.*\.md$/i,
    globs: ["paths"],
  },
  { name: "agents-md", title: "AGENTS.md", path: /(?:^|\/)agents(?:\.override)?\.md$/i },
  {
    name: "cursor-rules",
    title: "rules of Cursor",
    path: /(?:^|\/)(?:\.cursorrules|\.cursor\/rules\/.*\.mdc?|[^/]+\.mdc)$/i,
    globs: ["globs"],
  },
  {
    name: "copilot-instructions",
    title: "instructions of Copilot",
    path: /(?:^|\/)(?:copilot-instructions\.md|[^/]+\.instructions\.md)$/i,
    globs: ["applyTo"],
  },
  {
    name: "windsurf-rules",
    title: "rules of Windsurf",
    path: /(?:^|\/)(?:\.windsurfrules|\.windsurf\/rules\/.*\.md|global_rules\.md)$/i,
    globs: ["globs"],
  },
  {
    name: "cline-rules",
    title: "rules of Cline",
    path: /(?:^|\/)(?:\.clinerules(?:\/.*\.(?:md|txt))?)$/i,
    globs: ["paths"],
  },
  {
    name: "roo-rules",
    title: "rules of Roo",
    path: /(?:^|\/)(?:\.roorules(?:-[\w-]+)?|\.roo\/rules(?:-[\w-]+)?\/.*\.(?:md|txt))$/i,
  },
  {
    name: "continue-rules",
    title: "rules of Continue",
    path: /(?:^|\/)(?:\.continuerules|\.continue\/rules\/.*\.md)$/i,
    globs: ["globs"],
  },
  { name: "junie-guidelines", title: "guidelines of Junie", path: /(?:^|\/)\.junie\/guidelines\.md$/i },
  {
    name: "kiro-steering",
    title: "steering of Kiro",
    path: /(?:^|\/)\.kiro\/steering\/.*\.md$/i,
    globs: ["fileMatchPattern"],
  },
  { name: "gemini-md", title: "GEMINI.md", path: /(?:^|\/)gemini\.md$/i },
  { name: "qwen-md", title: "QWEN.md", path: /(?:^|\/)qwen(?:\.local)?\.md$/i },
];

/** One format for each kind of rule file: a file of it, or a folder that holds nothing else. */
export const RULE_FILE_FORMATS: readonly ImportFormat[] = KINDS.map((kind) => ({
  name: kind.name,
  title: kind.title,
  author: "person",
  isOfRepository: true,
  recognise: (source) => rulesIn(source, kind).length > 0 && (source.isFile || isFolderOf(source, kind)),
  read: (source) => readRules(source, kind),
}));

/** The whole path tells, as `rules/a.md` alone does not. */
function rulesIn(source: ForeignSource, { path }: RuleFileKind): string[] {
  const whole = source.path.replaceAll("\\", "/");
  return source.files.filter((file) => path.test(source.isFile ? whole : `${whole}/${file}`));
}

/** A folder of rules, not a repository in which such files lie among others. */
function isFolderOf(source: ForeignSource, kind: RuleFileKind): boolean {
  const texts = source.files.filter((file) => /\.(?:md|mdc|txt)$/i.test(file));
  return texts.length > 0 && rulesIn(source, kind).length === texts.length;
}

function readRules(source: ForeignSource, { globs = [], ...kind }: RuleFileKind): ForeignReading {
  return readStatements(source, rulesIn(source, kind), () => ({
    type: "feedback",
    fields: { source: "instructed" },
    fieldsFrom: (frontMatter) => {
      const paths = globs.flatMap((key) => globsOf(frontMatter[key]));
      return paths.length > 0 ? { scope: { paths } } : {};
    },
    prepare: withoutOwnBlocks,
  }));
}

/** What heed or another program keeps in such a file between marks is not the person's. */
function withoutOwnBlocks(text: string): string {
  return text.replace(
    /<!--\s*([\w:-]{3,40})[ :-](?:start|begin)\s*-->[\s\S]{0,50000}?<!--\s*\1[ :-]end\s*-->/gi,
    (block) => block.replace(/[^\n]/g, ""),
  );
}

/** Everything is no restriction. */
function globsOf(value: unknown): string[] {
  const globs = (Array.isArray(value) ? value : typeof value === "string" ? value.split(",") : [])
    .filter((glob): glob is string => typeof glob === "string")
    .map((glob) => glob.trim().replace(/^["']|["']$/g, ""))
    .filter((glob) => glob !== "");
  return globs.some((glob) => glob === "**" || glob === "*" || glob === "**/*") ? [] : globs;
}
