import { readdirSync, statSync } from "node:fs";
import { basename, dirname, extname, join, relative, resolve, sep } from "node:path";
import { invalidInput } from "../../machine/heed-error.ts";
import type { ForeignSource, LeftOutOfImport } from "../formats/import-format.ts";
import {
  isBelow,
  readRegularBytes,
  realPathOf,
  statIfThere,
  systemCode,
  withIoErrors,
} from "../../machine/regular-file.ts";
import { withDatabase } from "../../machine/read-database.ts";
import { findProjectRoot } from "../../store/find-stores.ts";

const MAX_FILES = 20_000;
const MAX_DEPTH = 8;
/** An export of 10,000 records has some 20 MB. */
const MAX_BYTES = 200_000_000;
const MAX_MARKDOWN_BYTES = 5_000_000;
const NO_FILE = "no file, but a pipe, socket or device";
const NOT_ENTERED = new Set([".git", "node_modules", ".obsidian", "hermes-agent", "venv", ".venv"]);

/**
 * What lies at a path, to be imported: regular files of a bounded size, each once. Links and `@imports` lead no further than
 * the repository (the folder where there is none) and ~/.claude; those of a folder like that one anywhere in the home.
 *
 * @throws HeedError `invalid-input` when there is nothing at the path; `io` when it may not be read.
 */
export function openSource(path: string, home: string): ForeignSource {
  const root = resolve(path);
  const stats = withIoErrors("open", root, () => statSync(root, { throwIfNoEntry: false }));
  if (!stats?.isFile() && !stats?.isDirectory())
    throw invalidInput(
      "from",
      path,
      stats
        ? `${root} is ${NO_FILE}: give the path of a file or folder`
        : `there is no file or folder at ${root}: give the path of one`,
    );
  const isFile = stats.isFile();
  const folder = realPathOf(isFile ? dirname(root) : root);
  const repository = findProjectRoot(folder);
  const ownHome = realPathOf(home);
  // A folder such as ~/.gemini is the user's own, and what is linked there too.
  const isOwn = isBelow(folder, ownHome) && relative(ownHome, folder).startsWith(".");
  const bounds = [repository ?? (isOwn ? ownHome : folder), join(ownHome, ".claude")];
  const isAllowed = (file: string): boolean => bounds.some((bound) => isBelow(realPathOf(file), bound));
  const pathOf = (file: string): string => join(folder, file);
  const { files, passedOver } = isFile
    ? { files: [basename(root)], passedOver: [] }
    : filesBelow(root, isAllowed);
  return {
    path: root,
    name: basename(root),
    isFile,
    files,
    passedOver,
    read: (file) =>
      isAllowed(pathOf(file)) ? readText(realPathOf(pathOf(file))) : { reason: linkOut(pathOf(file)) },
    include: (file, named) => {
      const at = /^~[\\/]/.test(named)
        ? join(ownHome, named.slice(2))
        : resolve(dirname(pathOf(file)), named);
      if (!isAllowed(at))
        return { reason: `it includes ${named}, outside of the repository and of ~/.claude` };
      if (!statIfThere(at)?.isFile()) return { reason: `it includes ${named}, which is not there` };
      return /^(?:\.(?:md|mdc|markdown|txt))?$/i.test(extname(at))
        ? { file: relative(folder, realPathOf(at)).replaceAll(sep, "/") }
        : { reason: `it includes ${named}, which is not an instruction file` };
    },
    placeOf: (file) => {
      const at = resolve(folder, file);
      const [bound, before] =
        repository !== undefined && isBelow(at, repository) ? [repository, ""] : [ownHome, "~/"];
      return isBelow(at, bound) ? before + relative(bound, at).replaceAll(sep, "/") : at;
    },
    query: async (file, sql) => withDatabase(pathOf(file), (ask) => ask(sql)),
  };
}

const linkOut = (path: string): string => `a link out of the repository, to ${realPathOf(path)}: import that`;

function filesBelow(
  root: string,
  isAllowed: (path: string) => boolean,
): Pick<ForeignSource, "files" | "passedOver"> {
  const files: string[] = [];
  const links: string[] = [];
  const passedOver: LeftOutOfImport[] = [];
  const pass = (place: string, reason: string): void => void passedOver.push({ place, what: place, reason });
  const visit = (folder: string, depth: number): void => {
    let entries;
    try {
      entries = readdirSync(join(root, folder), { withFileTypes: true });
    } catch (error) {
      return pass(folder, `a folder that cannot be read (${systemCode(error)})`);
    }
    for (const entry of entries) {
      const file = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isFile()) files.push(file);
      else if (entry.isSymbolicLink()) links.push(file);
      else if (NOT_ENTERED.has(entry.name)) continue;
      else if (!entry.isDirectory()) pass(file, NO_FILE);
      else if (depth < MAX_DEPTH) visit(file, depth + 1);
      else pass(file, `a folder more than ${MAX_DEPTH} levels down`);
    }
  };
  visit("", 0);
  const known = new Set(files.map((file) => realPathOf(join(root, file))));
  for (const file of links) {
    const path = join(root, file);
    const real = realPathOf(path);
    if (!isAllowed(path)) pass(file, linkOut(path));
    else if (!statIfThere(path)?.isFile()) pass(file, `a link to ${real}, which is not a file`);
    else if (!known.has(real)) files.push(file);
    known.add(real);
  }
  // One by one: there may be more of them than a call takes arguments.
  for (const file of files.sort().splice(MAX_FILES)) pass(file, `the folder has over ${MAX_FILES} files`);
  return { files, passedOver };
}

function readText(path: string): { text: string } | { reason: string } {
  const maxBytes = /\.(?:md|mdc|txt)$/i.test(path) ? MAX_MARKDOWN_BYTES : MAX_BYTES;
  try {
    return decoded(readRegularBytes(path, { maxBytes, isLinkRefused: true }));
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

/** By its byte order mark or its zeros UTF-16, else UTF-8; old encodings cannot be told apart. */
function decoded(bytes: Buffer): { text: string } | { reason: string } {
  const [first, second] = bytes;
  const is16 = (first === 0xff && second === 0xfe) || second === 0 ? "utf-16le" : undefined;
  const encoding = is16 ?? ((first === 0xfe && second === 0xff) || first === 0 ? "utf-16be" : "utf-8");
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.includes("\0") ? { reason: "it is not text" } : { text };
  } catch {
    return {
      reason:
        encoding !== "utf-8"
          ? "it is not text, or UTF-16 that is damaged"
          : bytes.includes(0)
            ? "it is not text"
            : "it is not UTF-8, but Latin-1 or another old encoding: save it as UTF-8 (iconv -f latin1 -t utf-8)",
    };
  }
}
