import type { Language } from "./language-of.ts";

/** How a language writes comments and strings. */
export interface Lexicon {
  line: readonly string[];
  block?: readonly [open: string, close: string];
  isBlockNested?: boolean;
  quotes: string;
  /** Quotes inside which nothing is escaped by a backslash. */
  rawQuotes?: string;
  hasTriple?: boolean;
  /** Quotes that may span lines. */
  multiline?: string;
}

const C_LIKE: Lexicon = { line: ["//"], block: ["/*", "*/"], quotes: "\"'" };

/** The lexicon of each language. */
export const LEXICONS: Readonly<Record<Language, Lexicon>> = {
  typescript: { ...C_LIKE, quotes: "\"'`", multiline: "`" },
  javascript: { ...C_LIKE, quotes: "\"'`", multiline: "`" },
  python: { line: ["#"], quotes: "\"'", hasTriple: true },
  go: { ...C_LIKE, quotes: "\"'`", rawQuotes: "`", multiline: "`" },
  rust: { ...C_LIKE, isBlockNested: true, multiline: '"' },
  java: { ...C_LIKE, hasTriple: true },
  c: C_LIKE,
  cpp: C_LIKE,
  csharp: { ...C_LIKE, hasTriple: true },
  ruby: { line: ["#"], quotes: "\"'`", multiline: "\"'`" },
  php: { line: ["//", "#"], block: ["/*", "*/"], quotes: "\"'`", multiline: "\"'`" },
  kotlin: { ...C_LIKE, isBlockNested: true, hasTriple: true },
  swift: { ...C_LIKE, isBlockNested: true, hasTriple: true, quotes: '"' },
  shell: { line: ["#"], quotes: "\"'`", rawQuotes: "'", multiline: "\"'`" },
};
