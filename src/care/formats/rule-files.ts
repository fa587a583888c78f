import { type Fields, type ForeignSource, type ImportFormat, listOf, textOf } from "./import-format.ts";
import { type SaidOfAll, readStatements } from "./read-statements.ts";

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
export const RULE_FILE_FORMATS: readonly ImportFormat[] = KINDS.map(([name, title, places, globs]) => ({
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
