import type { BraceGrammar } from "./brace-syntax.ts";
import { C_GRAMMAR } from "./grammar-c.ts";
import { CSHARP_GRAMMAR, JAVA_GRAMMAR } from "./grammar-java.ts";
import { GO_GRAMMAR } from "./grammar-go.ts";
import { JAVASCRIPT_GRAMMAR } from "./grammar-javascript.ts";
import { KOTLIN_GRAMMAR, SWIFT_GRAMMAR } from "./grammar-kotlin.ts";
import type { Language } from "./language-of.ts";
import { PHP_GRAMMAR } from "./grammar-php.ts";
import { RUST_GRAMMAR } from "./grammar-rust.ts";

/** The languages whose blocks stand in braces. */
export type BraceLanguage = Exclude<Language, "python" | "ruby" | "shell">;

/** How each of them defines names. */
export const BRACE_GRAMMARS: Readonly<Record<BraceLanguage, BraceGrammar>> = {
  typescript: JAVASCRIPT_GRAMMAR,
  javascript: JAVASCRIPT_GRAMMAR,
  go: GO_GRAMMAR,
  rust: RUST_GRAMMAR,
  java: JAVA_GRAMMAR,
  csharp: CSHARP_GRAMMAR,
  c: C_GRAMMAR,
  cpp: C_GRAMMAR,
  php: PHP_GRAMMAR,
  kotlin: KOTLIN_GRAMMAR,
  swift: SWIFT_GRAMMAR,
};
