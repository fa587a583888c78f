import type { MemoryDraft } from "../memory/memory-draft.ts";
import type { Gate, GateContext, GateAnswer, InstructionLine } from "./gate.ts";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readRegularFile } from "../platform/regular-file.ts";

/** A shorter text stands in many files by chance. */
const MIN_CHARS = 12;

/** Refuses what an instruction file says word for word: the client loads that file anyway. */
export const derivableGate: Gate = {
  name: "derivable",
  check(draft: MemoryDraft, context: GateContext): GateAnswer {
    const statements = [draft.description, firstParagraph(draft.body)].map(plain);
    const copied = context.instructions.find(({ text }) => {
      const line = plain(text);
      return line.length >= MIN_CHARS && statements.includes(line);
    });
    if (!copied) return {};
    const reason = `${copied.file}:${copied.line} says it already: "${copied.text.slice(0, 120)}"`;
    const remedy = "say only what that file does not say, or nothing";
    return { refusals: [{ gate: "derivable", reason, remedy }] };
  },
};

function firstParagraph(body: string): string {
  return body.trim().split(/\n\s*\n|\n(?=\*\*)/)[0] ?? "";
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/^[\s>*#-]+|[`*_]+/g, "")
    .replace(/\s+/g, " ")
    .replace(/[.!\s]+$/, "");
}

const FILES = ["CLAUDE.md", "AGENTS.md", "CLAUDE.local.md", ".claude/CLAUDE.md", "GEMINI.md", ".cursorrules"];
const RULES_FOLDER = ".claude/rules";
/** Instruction files are read up to here: a longer one would not fit a context either. */
const MAX_FILE_BYTES = 128 * 1024;
const MAX_RULE_FILES = 50;

/** The lines of the instruction files but headings and blanks. Unreadable files count as empty. */
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
