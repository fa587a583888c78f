/** Source of the same length and lines with comments blanked, and by default the insides of strings. Linear in the text. */
export function maskSource(text: string, language: Language, keepsStrings = false): string {
  // Text outside of `<?php … ?>` is no code: that before the first mark is read as if a mark had ended code.
  const source = language === "php" ? `?>${text}` : text;
  const masked = source.replace(
    (patterns ??= languagePatterns())[language],
    (token: string, comment?: string, string?: string) => {
      if (comment !== undefined) return blank(token);
      if (string === undefined || keepsStrings || token.length < 2) return token;
      return token.charAt(0) + blank(token.slice(1, -1)) + token.slice(-1);
    },
  );
  return masked.slice(masked.length - text.length);
}

function blank(text: string): string {
  return text.replace(/[^\n]+/g, (line) => " ".repeat(line.length));
}

// Each pattern reads to its end without a second try, to the end of the line or the text where none comes, or no further
// than a limit, so that no text makes reading slow.
const SLASHES = String.raw`\/\/[^\n]*`;
const BLOCK = String.raw`\/\*[^]*?(?:\*\/|$)`;
const IN_BLOCK = String.raw`[^*\/]*(?:(?:\*(?!\/)|\/(?!\*))[^*\/]*)*`;
const NESTED = String.raw`\/\*${IN_BLOCK}(?:\/\*${IN_BLOCK}\*\/${IN_BLOCK})*(?:\*\/)?`;
const LINE = (quote: string): string =>
  String.raw`${quote}[^${quote}\\\n]*(?:\\[^][^${quote}\\\n]*)*${quote}?`;
const LONG = (quote: string): string =>
  String.raw`${quote}[^${quote}\\]*(?:\\[^][^${quote}\\]*)*(?:${quote}|$)`;
const TRIPLE = (quote: string): string =>
  String.raw`${quote}{3}[^${quote}\\]*(?:(?:\\[^]|${quote}(?!${quote}{2}))[^${quote}\\]*)*(?:${quote}{3}|$)`;
const RAW_TRIPLE = String.raw`"{3}[^]*?(?:"{3}|$)`;
/** A slash divides unless one of these precedes it. */
const REGEX = String.raw`(?<=(?:^|[(,=:[!&|?{};+\-*%~^\n>]|\b(?:return|typeof|case|in|of|do|else|if|unless|and|or|not|when|then))[ \t]{0,20})\/(?![\/*])(?:[^\/\\\n[]|\\[^\n]|\[(?:[^\]\\\n]|\\[^\n]){0,200}\]){1,1000}\/`;
/** The first `<` of a line may begin a heredoc: from a word to a line that begins with it. */
const HEREDOC = (opening: string): string =>
  String.raw`(?=<)(?<=(?:^|\n)[^\n<]{0,200})${opening}[^\n]{0,200}\n(?:[^\n]*\n){0,200}?[ \t]*\k<word>(?![\w-])`;
let patterns: Readonly<Record<Language, RegExp>> | undefined;

/** Made when a source is first read: most events read none. */
function languagePatterns(): Readonly<Record<Language, RegExp>> {
  const PERCENT = ["()", "{}", "[]", "<>", "||", "!!"].map(
    ([open, close]) =>
      `(?<![\\w)\\]]\\s?)%[qQwWiIrsx]?\\${open}(?:[^\\${close}\\\\]|\\\\[^]){0,300}\\${close}`,
  );
  const C_STRINGS = [LINE('"'), LINE("'")];
  const LONG_STRINGS = [LONG('"'), LONG("'"), LONG("`")];
  const SCRIPT = tokens([SLASHES, BLOCK], [...C_STRINGS, LONG("`"), REGEX]);
  const C = tokens(
    [SLASHES, BLOCK],
    // 1'000'000 holds no string.
    [
      String.raw`R"(?<raw>[^()\\\s"]{0,16})\([^]*?(?:\)\k<raw>"|$)`,
      LINE('"'),
      `(?<![0-9a-fA-F])${LINE("'")}`,
    ],
  );

  return {
    typescript: SCRIPT,
    javascript: SCRIPT,
    python: tokens(["#[^\n]*"], [TRIPLE('"'), TRIPLE("'"), ...C_STRINGS]),
    go: tokens([SLASHES, BLOCK], [...C_STRINGS, "`[^`]*(?:`|$)"]),
    rust: tokens(
      [SLASHES, NESTED],
      [
        String.raw`(?<![\w$])b?r(?<raw>#{0,20})"[^]*?(?:"\k<raw>|$)`,
        LONG('"'),
        String.raw`'(?:\\[^\n][^'\n]{0,10}|[^\\'\n])'`,
      ],
    ),
    java: tokens([SLASHES, BLOCK], [TRIPLE('"'), ...C_STRINGS]),
    c: C,
    cpp: C,
    csharp: tokens([SLASHES, BLOCK], [RAW_TRIPLE, '(?:@\\$?|\\$@)"[^"]*(?:""[^"]*)*(?:"|$)', ...C_STRINGS]),
    ruby: tokens(
      [String.raw`(?<=^|\n)(?:=begin\b[^]*?(?:\n=end[^\n]*|$)|__END__\n[^]*)`, "#[^\n]*"],
      [
        "(?<![\\w)])[$?][\"'`]",
        HEREDOC(String.raw`(?:<<[~-]|(?<![\w)\]])<<)["'\x60]?(?<word>[A-Z_]\w*)`),
        ...LONG_STRINGS,
        REGEX,
        ...PERCENT,
      ],
    ),
    php: tokens(
      [String.raw`\?>[^]*?(?:<\?(?:php\b|=)|$)`, String.raw`(?:\/\/|#(?!\[))(?:[^\n?]|\?(?!>))*`, BLOCK],
      [HEREDOC(String.raw`<<<[ \t]*["']?(?<word>[A-Za-z_]\w*)`), ...LONG_STRINGS],
    ),
    kotlin: tokens([SLASHES, NESTED], [RAW_TRIPLE, ...C_STRINGS]),
    swift: tokens(
      [SLASHES, NESTED],
      [String.raw`(?<raw>#{1,5})(?<quote>"""|")[^]*?(?:\k<quote>\k<raw>|$)`, TRIPLE('"'), LINE('"')],
    ),
    shell: tokens(
      ["(?<![^\\s;&|()`])#[^\n]*"],
      [
        HEREDOC(
          String.raw`<<-?[ \t]*(?:(?<quote>["'])(?=[^\n]{1,60}?\k<quote>)|\\?)(?<word>(?<=["'])[^\n"']{1,60}|[A-Za-z_][^\s;&|<>()'"\x60$\\]*)`,
        ),
        LONG('"'),
        "'[^']*(?:'|$)",
        LONG("`"),
      ],
    ),
  };
}

/** One pattern with comments in its first group and strings in its second; a backslash hides the quote behind it. */
function tokens(comments: readonly string[], strings: readonly string[]): RegExp {
  return new RegExp(
    String.raw`(?=["'\x60\/#\\%$?=<@_]|[brR][r"#])(?:(${comments.join("|")})|(${strings.join("|")})|\\[^\n])`,
    "g",
  );
}

/** A name that a source file gives a meaning: a function, a type, a constant, a member. */
export interface Definition {
  name: string;
  /** The names of what contains it, from the outside in: classes, modules, receivers. */
  container: readonly string[];
  kind: "function" | "type" | "variable";
  /** Where it begins and ends in the text, in characters; without a body, its own statement. */
  start: number;
  end: number;
}

/** What a statement defines, before the blocks around it are known. */
export interface Found extends Omit<Definition, "kind"> {
  /** `scope`: it defines nothing and adds its name to its contents (`impl Router`, `extension Router`). */
  kind: Definition["kind"] | "scope";
}

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
