import { createHash } from "node:crypto";
import { parseDocument } from "yaml";
import { canonicalBody, splitFrontMatter } from "./front-matter.ts";
import type { Memory, Source, Status } from "./memory.ts";
import { CONFIDENCES, SALIENCES, SOURCES, STATUSES } from "./memory.ts";
import type { TypePolicy } from "./memory-type.ts";
import type { TypeTable } from "./memory-type.ts";
import type { Problem } from "./problem.ts";
import { asRecord, FieldReader, readLinks, readOrigin, readScope } from "./read-fields.ts";

/** What is known about a file besides its text. */
export interface MemoryPlace {
  /** Path relative to the store's root, with forward slashes. */
  file: string;
  /** Identity of the store: part of the derived id of a memory whose file gives none. */
  storeId: string;
}

/** What came of reading one file: a memory where the file allows one at all, and everything that is wrong with it. */
export interface ParsedMemory {
  memory: Memory | undefined;
  problems: Problem[];
}

/** Aliases in YAML (`*x`) are resolved at most this often: a real memory has none, a bomb has thousands. */
export const MAX_YAML_ALIASES: number = 16;

/** Other tools' words for how a memory came to be known. */
const FOREIGN_SOURCES: Record<string, Source> = {
  "explicit-statement": "instructed",
  explicit: "instructed",
  "user-inference": "inferred",
  inference: "inferred",
};

/** Claude Memory names layers where heed names types. */
const FOREIGN_TYPES: Record<string, string> = {
  procedural: "feedback",
  semantic: "project",
  episodic: "episode",
  preference: "user",
};

/**
 * Reads one memory file. Forgiving: unknown keys, odd order, CRLF, a byte order mark, keys at the top level, and the
 * fields of bettermemory, Claude Memory and Claude Code's own client are all taken. Never throws; whatever is wrong
 * comes back as problems with line and remedy, and a file that yields no memory at all yields at least one error.
 */
export function parseMemory(text: string, place: MemoryPlace, types: TypeTable): ParsedMemory {
  const problems: Problem[] = [];
  const report = (
    severity: Problem["severity"],
    code: string,
    line: number,
    message: string,
    remedy: string,
  ): void => {
    problems.push({ file: place.file, line, severity, code, message, remedy });
  };
  const split = splitFrontMatter(text);
  if (split.isUnclosed) {
    report(
      "error",
      "unclosed-front-matter",
      1,
      "the front matter is never closed",
      "add a line `---` after it",
    );
    return { memory: undefined, problems };
  }
  const document = parseDocument(split.yaml ?? "", {
    logLevel: "silent",
    uniqueKeys: false,
    prettyErrors: false,
  });
  const lineAt = (offset: number): number =>
    split.yamlLine + (split.yaml ?? "").slice(0, offset).split("\n").length - 1;
  for (const error of document.errors.slice(0, 5)) {
    report(
      "error",
      "yaml",
      lineAt(error.pos[0]),
      `the front matter is no valid YAML: ${error.message}`,
      "mend the YAML at this line",
    );
  }
  if (document.errors.length > 0) return { memory: undefined, problems };
  let frontMatter: Record<string, unknown>;
  try {
    frontMatter = asRecord(document.toJS({ maxAliasCount: MAX_YAML_ALIASES })) ?? {};
  } catch (error) {
    report(
      "error",
      "yaml",
      split.yamlLine,
      `the front matter cannot be read: ${String(error)}`,
      "remove the YAML aliases",
    );
    return { memory: undefined, problems };
  }
  const lineOf = (...keys: string[]): number => {
    for (const path of keys.flatMap((key) => [["metadata", key], [key]])) {
      const node = document.getIn(path, true);
      const range = asRecord(node)?.["range"];
      if (Array.isArray(range) && typeof range[0] === "number") return lineAt(range[0]);
    }
    return 1;
  };

  const fields = new FieldReader(frontMatter);
  const body = canonicalBody(split.body);
  const fallbackName = nameFromFile(place.file);
  const name = slugOf(fields.text("name") ?? "") || fallbackName;
  const type = readType(fields, place.file, types);
  if (!type.name) {
    report(
      "error",
      "no-type",
      1,
      "no type is given, and neither folder nor name tells one",
      `add \`metadata.type\`: one of ${types
        .all()
        .map((t) => t.name)
        .join(", ")}`,
    );
  } else if (!types.get(type.name)) {
    report(
      "error",
      "unknown-type",
      lineOf("type"),
      `type "${type.name}" is not declared`,
      `use one of ${types
        .all()
        .map((t) => t.name)
        .join(", ")}, or declare it with its policy in the store's config.yaml`,
    );
  }
  const policy = types.get(type.name ?? "");
  const description =
    fields.text("description", "summary") ??
    firstLine(body) ??
    humanName(fields.text("name", "title") ?? name);
  if (!fields.text("description", "summary")) {
    report(
      "warning",
      "no-description",
      1,
      "no description: selection reads this one line",
      "add `description`: what it says, in one line",
    );
  }
  if (body === "")
    report(
      "warning",
      "empty-body",
      split.bodyLine,
      "the memory has no text",
      "write the memory below the front matter",
    );
  for (const key of ["created", "updated", "verified", "expires", "decay_after"]) {
    if (fields.get(key) !== undefined && !fields.time(key)) {
      report(
        "warning",
        "bad-time",
        lineOf(key),
        `${key} is no date: ${JSON.stringify(fields.get(key))}`,
        "write it as 2026-03-05 or 2026-03-05T10:23:00Z",
      );
    }
  }
  const enums = {
    confidence: CONFIDENCES,
    source: [...SOURCES, ...Object.keys(FOREIGN_SOURCES)],
    status: STATUSES,
    salience: SALIENCES,
  };
  for (const [key, words] of Object.entries(enums)) {
    if (fields.get(key) !== undefined && !fields.word<string>(words, key)) {
      report(
        "warning",
        "bad-word",
        lineOf(key),
        `${key} is ${JSON.stringify(fields.get(key))}`,
        `use one of ${words.join(", ")}`,
      );
    }
  }

  const times = readTimes(fields);
  const memory: Memory = {
    id: fields.text("id") ?? derivedId(place),
    name,
    description,
    type: type.name ?? "",
    ...times,
    tags: fields.list("tags", "scopes"),
    aliases: fields.list("aliases"),
    trigger: fields.list("trigger", "triggers"),
    confidence: fields.word(CONFIDENCES, "confidence") ?? policy?.defaults.confidence ?? "medium",
    source: readSource(fields) ?? policy?.defaults.source ?? "observed",
    status: readStatus(fields) ?? policy?.defaults.status ?? "confirmed",
    salience: fields.word(SALIENCES, "salience") ?? policy?.defaults.salience ?? "medium",
    scope: readScope(fields.get("scope")),
    claims: fields.list("claims"),
    links: readLinks(fields.get("links"), fields.list("related")),
    origin: readOrigin(fields.get("origin"), fields.text("originSessionId")),
    body,
  };
  const guard = fields.get("guard", "guards");
  if (guard !== undefined) memory.guard = guard;
  return { memory, problems };
}

function readTimes(
  fields: FieldReader,
): Partial<Pick<Memory, "created" | "updated" | "verified" | "expires" | "decayAfter">> {
  const created = fields.time("created", "created_at");
  const updated = fields.time("updated", "modified", "updated_at");
  const verified = fields.time("verified", "last_verified_at");
  const expires = fields.time("expires", "valid_until");
  const decayAfter = fields.time("decay_after");
  return {
    ...(created && { created }),
    ...(updated && { updated }),
    ...(verified && { verified }),
    ...(expires && { expires }),
    ...(decayAfter && { decayAfter }),
  };
}

/** How heed came to know a memory, other tools' words translated; undefined when the file does not say. */
export function readSource(fields: FieldReader): Source | undefined {
  const word = fields.text("source")?.toLowerCase() ?? "";
  return (
    fields.word(SOURCES, "source") ??
    FOREIGN_SOURCES[word] ??
    (fields.text("category") === "user-inference" ? "inferred" : undefined)
  );
}

function readStatus(fields: FieldReader): Status | undefined {
  return fields.word(STATUSES, "status");
}

/** A type in heed's words: what other tools call a layer becomes the type that holds it. */
export function heedType(word: string): string {
  const lower = word.toLowerCase();
  return FOREIGN_TYPES[lower] ?? lower;
}

/** The type: what the file says, else the folder it lies in, else a prefix of its name (`feedback_x.md`). */
function readType(fields: FieldReader, file: string, types: TypeTable): { name: string | undefined } {
  const said = fields.text("type")?.toLowerCase();
  // The client's own files say `type: memory` about the node and the real type in metadata; FieldReader reads that first.
  if (said) return { name: types.get(said) ? said : (FOREIGN_TYPES[said] ?? said) };
  const known = (word: string | undefined): TypePolicy | undefined =>
    types.get(word ?? "") ?? types.get(FOREIGN_TYPES[word ?? ""] ?? "");
  const folders = file.split("/").slice(0, -1).reverse();
  const prefix = /^([a-z]+)[-_]/.exec(file.split("/").at(-1) ?? "")?.[1];
  const found = [...folders.map((folder) => folder.replace(/s$/, "")), ...folders, prefix]
    .map(known)
    .find(Boolean);
  if (found) return { name: found.name };
  // bettermemory has no types: its memories carry scopes and are facts.
  return { name: fields.get("scopes") !== undefined ? "project" : undefined };
}

/** A handle from free text: lower case, words joined by dashes, at most 80 characters. */
export function slugOf(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/['’]/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .slice(0, 80)
    .replace(/^-+|-+$/g, "");
}

function nameFromFile(file: string): string {
  return slugOf((file.split("/").at(-1) ?? file).replace(/\.(md|markdown)$/i, "")) || "memory";
}

function humanName(name: string): string {
  return name.replaceAll("-", " ");
}

/** The first line of text without markdown marks, at most 160 characters. */
function firstLine(body: string): string | undefined {
  const line = body
    .split("\n")
    .map((text) => text.replace(/^[#>*\-\s]+|[*_`]+/g, "").trim())
    .find((text) => text !== "");
  return line === undefined ? undefined : line.slice(0, 160);
}

/** A stable id for a file that gives none: the same file in the same store has the same id on every run. */
function derivedId(place: MemoryPlace): string {
  return `F${createHash("sha256").update(`${place.storeId}\n${place.file}`).digest("hex").slice(0, 25).toUpperCase()}`;
}
