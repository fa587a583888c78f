/** A programming language whose definitions can be found. */
export type Language =
  | "typescript"
  | "javascript"
  | "python"
  | "go"
  | "rust"
  | "java"
  | "c"
  | "cpp"
  | "csharp"
  | "ruby"
  | "php"
  | "kotlin"
  | "swift"
  | "shell";

const BY_EXTENSION: Readonly<Record<string, Language>> = {
  ts: "typescript",
  mts: "typescript",
  cts: "typescript",
  tsx: "typescript",
  js: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  jsx: "javascript",
  py: "python",
  pyi: "python",
  pyw: "python",
  go: "go",
  rs: "rust",
  java: "java",
  c: "c",
  h: "cpp",
  cc: "cpp",
  cpp: "cpp",
  cxx: "cpp",
  "c++": "cpp",
  hh: "cpp",
  hpp: "cpp",
  hxx: "cpp",
  inl: "cpp",
  ipp: "cpp",
  cs: "csharp",
  rb: "ruby",
  rake: "ruby",
  gemspec: "ruby",
  podspec: "ruby",
  php: "php",
  phtml: "php",
  kt: "kotlin",
  kts: "kotlin",
  swift: "swift",
  sh: "shell",
  bash: "shell",
  zsh: "shell",
  ksh: "shell",
};

const BY_NAME: Readonly<Record<string, Language>> = {
  rakefile: "ruby",
  gemfile: "ruby",
  podfile: "ruby",
  ".bashrc": "shell",
  ".zshrc": "shell",
  ".profile": "shell",
  ".envrc": "shell",
};

/** The language of a file by its name, else by its `#!` line; undefined for what is no known source. */
export function languageOf(path: string, text?: string): Language | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const byName = Object.hasOwn(BY_NAME, name) ? BY_NAME[name] : undefined;
  if (byName) return byName;
  const dot = name.lastIndexOf(".");
  if (dot > 0) {
    const extension = name.slice(dot + 1);
    return Object.hasOwn(BY_EXTENSION, extension) ? BY_EXTENSION[extension] : undefined;
  }
  const first = /^#![^\n]{0,200}/.exec(text ?? "")?.[0] ?? "";
  const program = /(?:\/|\s)(bash|zsh|ksh|dash|sh|python|ruby|node|php)[\d.]*(?=\s|$)/.exec(first)?.[1];
  if (program === undefined) return undefined;
  if (program === "python" || program === "ruby" || program === "php") return program;
  return program === "node" ? "javascript" : "shell";
}
