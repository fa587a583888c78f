import { closeSync, fstatSync, openSync, readSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** One line of an instruction file that the agent's client loads by itself. */
export interface InstructionLine {
  /** Path relative to the repository's root. */
  file: string;
  /** 1-based. */
  line: number;
  text: string;
}

const FILES = ["CLAUDE.md", "AGENTS.md", "CLAUDE.local.md", ".claude/CLAUDE.md", "GEMINI.md"];
const RULES_FOLDER = ".claude/rules";
/** Instruction files are read up to here: a longer one would not fit a context either. */
const MAX_FILE_BYTES = 128 * 1024;
const MAX_RULE_FILES = 50;

/**
 * Reads what the instruction files of a repository say, line by line, without headings and blank lines. Bounded in
 * files and bytes; a missing or unreadable file counts as empty.
 */
export function readInstructions(root: string): InstructionLine[] {
  return [...FILES, ...listRules(root)].flatMap((file) =>
    readStart(join(root, file))
      .split(/\r?\n/)
      .map((text, index) => ({ file, line: index + 1, text: text.trim() }))
      .filter(({ text }) => text !== "" && !text.startsWith("#")),
  );
}

function listRules(root: string): string[] {
  try {
    return readdirSync(join(root, RULES_FOLDER))
      .filter((name) => name.endsWith(".md"))
      .sort()
      .slice(0, MAX_RULE_FILES)
      .map((name) => `${RULES_FOLDER}/${name}`);
  } catch {
    return [];
  }
}

function readStart(path: string): string {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    // A directory or a pipe of that name must not be read.
    if (!fstatSync(file).isFile()) return "";
    const buffer = Buffer.alloc(Math.min(fstatSync(file).size, MAX_FILE_BYTES));
    return buffer.toString("utf8", 0, readSync(file, buffer, 0, buffer.length, 0));
  } catch {
    return "";
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
