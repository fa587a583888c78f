import type { ForeignSource } from "../../../src/care/formats/import-format.ts";

const BOUNDS = {
  passedOver: [],
  include: (_: string, named: string) => ({ reason: `it includes ${named}, which is not there` }),
  placeOf: (file: string) => file,
};

/** A source that is in memory: files by path, rows by file for databases. */
export function folder(
  path: string,
  files: Readonly<Record<string, string>>,
  rows: Readonly<Record<string, Record<string, unknown>[]>> = {},
): ForeignSource {
  return {
    ...BOUNDS,
    path,
    name: path.split("/").at(-1) ?? "",
    isFile: false,
    files: [...Object.keys(files), ...Object.keys(rows)].sort(),
    read: (file) => saidOf(files[file]),
    query: (file) => Promise.resolve(rows[file] ?? []),
  };
}

/** A source of one file. */
export function file(path: string, text: string): ForeignSource {
  const name = path.split("/").at(-1) ?? "";
  return {
    ...BOUNDS,
    path,
    name,
    isFile: true,
    files: [name],
    read: (asked) => saidOf(asked === name ? text : undefined),
    query: () => Promise.resolve([]),
  };
}

const saidOf = (text: string | undefined): ReturnType<ForeignSource["read"]> =>
  text === undefined ? { reason: "it cannot be read" } : { text };
