/** File names and extensions of each language whose definitions can be found. */
const NAMES = {
  typescript: "ts mts cts tsx",
  javascript: "js mjs cjs jsx",
  python: "py pyi pyw",
  go: "go",
  rust: "rs",
  java: "java",
  c: "c",
  cpp: "h cc cpp cxx c++ hh hpp hxx inl ipp",
  csharp: "cs",
  ruby: "rb rake gemspec podspec rakefile gemfile podfile",
  php: "php phtml",
  kotlin: "kt kts",
  swift: "swift",
  shell: "sh bash zsh ksh .bashrc .zshrc .profile .envrc",
} as const;

/** A programming language whose definitions can be found. */
export type Language = keyof typeof NAMES;

const BY_NAME = new Map(
  Object.entries(NAMES).flatMap(([language, names]) =>
    names.split(" ").map((name) => [name, language as Language] as const),
  ),
);

/** The language of a file by its name, else by its `#!` line; undefined for a file in no known language. */
export function languageOf(path: string, text?: string): Language | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const dot = name.lastIndexOf(".");
  if (dot > 0) return BY_NAME.get(name.slice(dot + 1));
  // A whole name has a dot in front or more than an extension's letters: a file called `go` is no Go.
  if (name.startsWith(".") || name.length > 6) {
    const byName = BY_NAME.get(name);
    if (byName) return byName;
  }
  const first = /^#![^\n]{0,200}/.exec(text ?? "")?.[0] ?? "";
  const program = /(?:\/|\s)(bash|zsh|ksh|dash|sh|python|ruby|node|php)[\d.]*(?=\s|$)/.exec(first)?.[1];
  if (program === undefined) return undefined;
  if (program === "python" || program === "ruby" || program === "php") return program;
  return program === "node" ? "javascript" : "shell";
}
