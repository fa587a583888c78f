import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readRegularFile } from "../platform/regular-file.ts";

/** One line of an instruction file that the agent's client loads by itself. */
export interface InstructionLine {
  /** Path relative to the repository's root. */
  file: string;
  /** 1-based. */
  line: number;
  text: string;
}

const FILES = ["CLAUDE.md", "AGENTS.md", "CLAUDE.local.md", ".claude/CLAUDE.md", "GEMINI.md", ".cursorrules"];
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
  try {
    return readRegularFile(path, { maxBytes: MAX_FILE_BYTES, part: "beginning" });
  } catch {
    return "";
  }
}
