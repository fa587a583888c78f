/** A source file of a generated history, as its generator knows it. */
export interface GeneratedFile {
  path: string;
  language: string;
  /** Functions by name, each with the number that makes its body its own. */
  functions: Map<string, number>;
  /** Functions that are only mentioned: commented out. */
  buried: string[];
  constants: Map<string, number>;
  /** Lines that change nothing. */
  notes: string[];
}

interface Template {
  comment: string;
  /** Names stand as NAME, numbers as N and the one after as M. */
  constant: string;
  function: string;
  head: string;
}

const braces = (head: string): string => `${head} {\n  stepN(N);\n  stepM(M);\n  return finish(N);\n}\n`;
/** In a type of its own, for languages without functions and constants outside of types. */
const inside = (head: string, text: string, open = " {"): string =>
  `${head}${open}\n  ${text.replaceAll("\n", "\n  ")}\n}\n`;

/** By the ending of its files, how each language writes comments, constants and functions. */
export const TEMPLATES: Readonly<Record<string, Template>> = {
  ts: row("//", "export const NAME = N;", braces("export function NAME(input: number): number")),
  js: row("//", "const NAME = N;", braces("function NAME(input)")),
  py: row("#", "NAME = N", "def NAME(value):\n    stepN(N)\n    stepM(M)\n    return finish(N)\n"),
  go: row("//", "const NAME = N", braces("func NAME(input int) int"), "package main\n"),
  rs: row("//", "pub const NAME: u32 = N;", braces("pub fn NAME(input: u32) -> u32")),
  java: row(
    "//",
    "final class ValueNAME {\n  static final int NAME = N;\n}",
    inside("final class OfNAME", braces("static int NAME(int input)")),
  ),
  c: row("//", "#define NAME N", braces("int NAME(int input)")),
  rb: row("#", "NAME = N", "def NAME(value)\n  stepN(N)\n  stepM(M)\n  finish(N)\nend\n"),
  php: row("//", "const NAME = N;", braces("function NAME($input)"), "<?php\n"),
  kt: row("//", "const val NAME = N", braces("fun NAME(input: Int): Int")),
  cs: row(
    "//",
    "public static class ValueNAME\n{\n  public const int NAME = N;\n}",
    inside("public static class OfNAME", braces("public static int NAME(int input)"), "\n{"),
  ),
  swift: row("//", "let NAME = N", braces("func NAME(_ input: Int) -> Int")),
  sh: row("#", "NAME=N", "NAME() {\n  stepN N\n  stepM M\n  finish N\n}\n"),
};

function row(comment: string, constant: string, text: string, head = ""): Template {
  return { comment, constant: `${constant}\n`, function: text, head };
}

function filled(template: string, name: string, n: number): string {
  const values: Readonly<Record<string, string>> = { NAME: name, N: String(n), M: String(n + 1) };
  return template.replace(/NAME|N(?![a-z])|M(?![a-z])/g, (word) => values[word] ?? word);
}

/** The text of a generated file. */
export function sourceOf(file: GeneratedFile): string {
  const template = TEMPLATES[file.language];
  if (!template) throw new Error(`no template for ${file.language}`);
  const { comment } = template;
  const commented = (text: string): string =>
    text
      .trimEnd()
      .split("\n")
      .map((line) => `${comment} ${line}`)
      .join("\n");
  return [
    template.head,
    ...file.notes.map((note) => `${comment} ${note}\n`),
    ...[...file.constants].map(([name, n]) => filled(template.constant, name, n)),
    ...[...file.functions].map(([name, n]) => filled(template.function, name, n)),
    ...file.buried.map((name) => `${commented(filled(template.function, name, 1))}\n`),
  ].join("\n");
}
