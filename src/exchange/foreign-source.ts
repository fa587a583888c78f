/** A row of a database: its columns by name. */
export type Row = Readonly<Record<string, unknown>>;

/** What somebody wants imported: a file, or a folder with its files. Reading is bounded and follows no link. */
export interface ForeignSource {
  /** Absolute path. */
  readonly path: string;
  /** The path's last part. */
  readonly name: string;
  readonly isFile: boolean;
  /** Paths relative to the folder, with forward slashes, sorted; of a file its name alone. */
  readonly files: readonly string[];
  /** The text of one of the files; undefined when it cannot be read, is too large, or is no text. */
  read(file: string): string | undefined;
  /**
   * Asks one of the files that is an SQLite database.
   *
   * @throws HeedError `invalid-input` where this Node has no SQLite, with the remedy.
   */
  query(file: string, sql: string): Promise<Row[]>;
}

/** The files of a source below a folder, by the end of their names. */
export function filesIn(source: ForeignSource, folder: string, ending: string): string[] {
  const prefix = folder === "" ? "" : `${folder}/`;
  return source.files.filter((file) => file.startsWith(prefix) && file.toLowerCase().endsWith(ending));
}

/** The JSON of a file; undefined when it is none. */
export function readJson(source: ForeignSource, file: string): unknown {
  const text = source.read(file);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}
