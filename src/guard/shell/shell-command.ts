/** Stands for a piece of text that only the running shell knows: NUL, which no argument of a program can hold. */
export const HOLE: string = "\0";

export interface ShellWord {
  /** The text, with a HOLE for each piece that is not literal. */
  text: string;
  /** Holds a wildcard that the shell expands to files. */
  isGlob?: boolean;
  /** May be the value of the option before it; heed does not know whether that option takes one. */
  isMaybeValue?: boolean;
}

export function knownWord(text: string): ShellWord {
  return { text };
}

export function isKnown({ text }: ShellWord): boolean {
  return !text.includes(HOLE);
}

/** A word as people read it, with an ellipsis for each piece that is not literal. */
export function showWord({ text }: ShellWord): string {
  return text.replaceAll(HOLE, "…");
}

export interface ShellAssignment {
  name: string;
  value: ShellWord;
}

/** A file that is touched, or with `isTree` all of a folder. */
export interface TouchedPath extends ShellWord {
  isTree?: boolean;
  /** Removed, moved away or emptied. */
  isGone?: boolean;
}

export interface RedirectedFile extends TouchedPath {
  isAppended: boolean;
}

export interface ShellCommand {
  words: readonly ShellWord[];
  /** Exported variables and the assignments in front of the command; the last of a name wins. */
  environment: readonly ShellAssignment[];
  writes: readonly RedirectedFile[];
  /** The file that is its input. */
  from?: ShellWord | undefined;
  /** The literal text that is its input: a here-document, what `echo` prints. */
  input?: string | undefined;
  /** The absolute directory in which it works; undefined where the text does not tell. */
  cwd: string | undefined;
  /** The commands around it, outermost first: `sh -c`, `xargs`, `sudo`. */
  route: readonly string[];
}

export interface ShellPipeline {
  text: string;
  commands: readonly ShellCommand[];
}

export interface ShellReading {
  commands: readonly ShellCommand[];
  pipelines: readonly ShellPipeline[];
  /** Why reading ended before the text did; undefined: it did not. */
  cutShort: string | undefined;
}

export function commandText({ words }: Pick<ShellCommand, "words">): string {
  return words.map(showWord).join(" ");
}

/** A command for people: words with blanks and empty words are quoted. */
export function shownCommand({ words, writes }: ShellCommand): string {
  const said = (text: string): string =>
    /^[^\s"'`$\\|&;<>()]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
  return [
    ...words.map((word) => said(showWord(word))),
    ...writes.map((word) => `${word.isAppended ? ">>" : ">"} ${showWord(word)}`),
  ].join(" ");
}

/** Makes a path absolute without asking the file system; undefined when the directory is not known or too deep. */
export function absolutePath(path: string, cwd: string | undefined): string | undefined {
  const whole = path.startsWith("/") ? path : (cwd?.length ?? Infinity) > 4096 ? undefined : `${cwd}/${path}`;
  if (whole === undefined || !/\/(?:\.|\/|$)/.test(whole)) return whole;
  const segments: string[] = [];
  for (const segment of whole.split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  return `/${segments.join("/")}`;
}
