import { type Fields, textOf } from "./foreign-fields.ts";
import type { ForeignReading, ForeignSource, ImportFormat } from "./import-format.ts";
import { type SaidOfAll, readStatements } from "./read-statements.ts";

/** Name, title, path from the repository or the home on, and the key of the front matter that holds path globs. */
const KINDS: readonly (readonly [name: string, title: string, path: RegExp, globs?: string])[] = [
  ["claude-md", "CLAUDE.md", /(?:^|\/)claude(?:\.local)?\.md$/i],
  ["claude-rules", "rules of Claude Code", /(?:^|\/)\.claude\/rules\/.*\.md$/i, "paths"],
  ["agents-md", "AGENTS.md", /(?:^|\/)agents(?:\.override)?\.md$/i],
  [
    "cursor-rules",
    "rules of Cursor",
    /(?:^|\/)(?:\.cursorrules|\.cursor\/rules\/.*\.mdc?|[^/]+\.mdc)$/i,
    "globs",
  ],
  [
    "copilot-instructions",
    "instructions of Copilot",
    /(?:^|\/)(?:copilot-instructions\.md|[^/]+\.instructions\.md)$/i,
    "applyTo",
  ],
  [
    "windsurf-rules",
    "rules of Windsurf",
    /(?:^|\/)(?:\.windsurfrules|\.windsurf\/rules\/.*\.md|global_rules\.md)$/i,
    "globs",
  ],
  ["cline-rules", "rules of Cline", /(?:^|\/)(?:\.clinerules(?:\/.*\.(?:md|txt))?)$/i, "paths"],
  [
    "roo-rules",
    "rules of Roo",
    /(?:^|\/)(?:\.roorules(?:-[\w-]+)?|\.roo\/rules(?:-[\w-]+)?\/.*\.(?:md|txt))$/i,
  ],
  ["continue-rules", "rules of Continue", /(?:^|\/)(?:\.continuerules|\.continue\/rules\/.*\.md)$/i, "globs"],
  ["junie-guidelines", "guidelines of Junie", /(?:^|\/)\.junie\/guidelines\.md$/i],
  ["kiro-steering", "steering of Kiro", /(?:^|\/)\.kiro\/steering\/.*\.md$/i, "fileMatchPattern"],
  ["memory-bank", "memory bank of Cline", /(?:^|\/)memory-bank\/.*\.md$/i],
  ["gemini-md", "GEMINI.md", /(?:^|\/)gemini\.md$/i],
  ["qwen-md", "QWEN.md", /(?:^|\/)qwen(?:\.local)?\.md$/i],
];

const TEXT = /\.(?:md|mdc|txt)$/i;

/** One format for each kind of rule file: a file of it, or a folder that holds nothing else. */
export const RULE_FILE_FORMATS: readonly ImportFormat[] = KINDS.map(([name, title, path, globs]) => ({
  name,
  title,
  author: "person",
  isOfRepository: true,
  recognise(source) {
    const rules = rulesIn(source, path).length;
    // A repository in which such files lie among others is none.
    const texts = source.files.filter((file) => TEXT.test(file)).length;
    return rules > 0 && (source.isFile || rules === texts);
  },
  read(source) {
    const reading: ForeignReading = { memories: [], leftOut: [] };
    const said = (frontMatter: Fields): SaidOfAll => {
      const paths = globs === undefined ? [] : globsOf(frontMatter[globs]);
      if (paths.length > 0) return { draft: { scope: { paths } } };
      return isOnRequest(frontMatter, name) ? { when: textOf(frontMatter, "description") } : {};
    };
    // Somebody who names the format knows better than the file's name.
    const named = rulesIn(source, path);
    const files = named.length > 0 ? named : source.files.filter((file) => TEXT.test(file));
    const including = { files: new Set(files), depth: 0 };
    for (const file of files)
      readStatements(reading, source, file, { type: "", fields: { source: "instructed" }, said, including });
    return reading;
  },
}));

/** Whether the tool gives a rule without paths to its agent only when that asks for it. */
function isOnRequest(fields: Fields, name: string): boolean {
  const { alwaysApply, trigger, inclusion, applyTo, globs } = fields;
  const mode = trigger ?? inclusion;
  if (typeof mode === "string") return /^(?:manual|model_decision|auto)$/.test(mode);
  const isForAll = alwaysApply === true || Boolean(applyTo ?? globs);
  const isByDescription = /^c(?:ursor-rules|opilot-instructions)$/.test(name);
  return alwaysApply === false || (isByDescription && !isForAll && textOf(fields, "description") !== "");
}

/** The whole path tells, as `rules/a.md` alone does not. */
function rulesIn({ path, files, isFile }: ForeignSource, pattern: RegExp): string[] {
  const whole = path.replaceAll("\\", "/");
  return files.filter((file) => pattern.test(isFile ? whole : `${whole}/${file}`));
}

/** Everything is no restriction. */
function globsOf(value: unknown): string[] {
  const globs = (Array.isArray(value) ? value : typeof value === "string" ? value.split(",") : [])
    .filter((glob): glob is string => typeof glob === "string")
    .map((glob) => glob.trim().replace(/^["']|["']$/g, ""))
    .filter((glob) => glob !== "");
  return globs.some((glob) => /^\*\*?(?:\/\*)?$/.test(glob)) ? [] : globs;
}
