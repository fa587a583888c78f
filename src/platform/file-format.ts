import { noteNewer } from "./newer-files.ts";

/** The form of one kind of file that heed keeps for itself. */
export interface FileFormat {
  /** The version that is written; raise it when an older heed would misread what is written now. */
  readonly version: number;
  /** Under which key a file, or a line of a log, says its version. What says none is of version 1. */
  readonly key: string;
  /** What makes of each older version the next one: the first makes version 2 of version 1. */
  readonly upgrades?: readonly Upgrade[];
}

/** Makes the next version of a file's content, or of a line of a log. */
export type Upgrade = (content: Record<string, unknown>) => Record<string, unknown>;

/** The content as the current version has it, without the version; undefined for that of a newer heed, which is noted. */
export function contentOf(
  record: Record<string, unknown>,
  format: FileFormat,
  file: string,
): Record<string, unknown> | undefined {
  const { [format.key]: said, ...rest } = record;
  const version = typeof said === "number" && said >= 1 ? Math.floor(said) : 1;
  if (version > format.version) {
    noteNewer({ file, version, known: format.version });
    return undefined;
  }
  return (format.upgrades ?? []).slice(version - 1).reduce((content, upgrade) => upgrade(content), rest);
}
