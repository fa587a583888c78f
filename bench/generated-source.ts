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
  function: (name: string, n: number) => string;
  constant: (name: string, n: number) => string;
  comment: string;
  head?: string;
}

const braces = (head: string) => (name: string, n: number) =>
  `${head.replace("NAME", name)} {\n  step${n}(${n});\n  step${n + 1}(${n + 1});\n  return finish(${n});\n}\n`;

/** One template a language: the ending of its files, and how it writes functions, constants and comments. */
export const TEMPLATES: Readonly<Record<string, Template>> = {
  ts: {
    function: braces("export function NAME(input: number): number"),
    constant: (name, n) => `export const ${name} = ${n};\n`,
    comment: "//",
  },
  js: {
    function: braces("function NAME(input)"),
    constant: (name, n) => `const ${name} = ${n};\n`,
    comment: "//",
  },
  py: {
    function: (name, n) =>
      `def ${name}(value):\n    step${n}(${n})\n    step${n + 1}(${n + 1})\n    return finish(${n})\n`,
    constant: (name, n) => `${name} = ${n}\n`,
    comment: "#",
  },
  go: {
    function: braces("func NAME(input int) int"),
    constant: (name, n) => `const ${name} = ${n}\n`,
    comment: "//",
    head: "package main\n",
  },
  rs: {
    function: braces("pub fn NAME(input: u32) -> u32"),
    constant: (name, n) => `pub const ${name}: u32 = ${n};\n`,
    comment: "//",
  },
  java: {
    function: (name, n) =>
      `final class Of${name} {\n  ${braces("static int NAME(int input)")(name, n).replaceAll("\n", "\n  ")}\n}\n`,
    constant: (name, n) => `final class Value${name} {\n  static final int ${name} = ${n};\n}\n`,
    comment: "//",
  },
  c: {
    function: braces("int NAME(int input)"),
    constant: (name, n) => `#define ${name} ${n}\n`,
    comment: "//",
  },
  rb: {
    function: (name, n) =>
      `def ${name}(value)\n  step${n}(${n})\n  step${n + 1}(${n + 1})\n  finish(${n})\nend\n`,
    constant: (name, n) => `${name} = ${n}\n`,
    comment: "#",
  },
  php: {
    function: braces("function NAME($input)"),
    constant: (name, n) => `const ${name} = ${n};\n`,
    comment: "//",
    head: "<?php\n",
  },
  kt: {
    function: braces("fun NAME(input: Int): Int"),
    constant: (name, n) => `const val ${name} = ${n}\n`,
    comment: "//",
  },
  cs: {
    function: (name, n) =>
      `public static class Of${name}\n{\n  ${braces("public static int NAME(int input)")(name, n).replaceAll("\n", "\n  ")}\n}\n`,
    constant: (name, n) => `public static class Value${name}\n{\n  public const int ${name} = ${n};\n}\n`,
    comment: "//",
  },
  swift: {
    function: braces("func NAME(_ input: Int) -> Int"),
    constant: (name, n) => `let ${name} = ${n}\n`,
    comment: "//",
  },
  sh: {
    function: (name, n) => `${name}() {\n  step${n} ${n}\n  step${n + 1} ${n + 1}\n  finish ${n}\n}\n`,
    constant: (name, n) => `${name}=${n}\n`,
    comment: "#",
  },
};

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
    template.head ?? "",
    ...file.notes.map((note) => `${comment} ${note}\n`),
    ...[...file.constants].map(([name, n]) => template.constant(name, n)),
    ...[...file.functions].map(([name, n]) => template.function(name, n)),
    ...file.buried.map((name) => `${commented(template.function(name, 1))}\n`),
  ].join("\n");
}
