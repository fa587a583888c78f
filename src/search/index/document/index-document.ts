import { parseClaim, pathOfClaim } from "../../../memory/claims/parse-claim.ts";
import { readSections, withoutNotes } from "../../../memory/codec/sections.ts";
import { commandsIn } from "../../../machine/shell-word.ts";
import type { MemoryMetadata } from "../../../memory/memory.ts";

/** The indexed fields of a memory, in the order in which segments store them (part of the file format). */
export const FIELDS = ["name", "trigger", "aliases", "tags", "statement", "body"] as const;
export type Field = (typeof FIELDS)[number];

export const FIELD_COUNT: number = FIELDS.length;
/** Fields whose length may count in a ranking; the others are short. */
export const MEASURED_FIELDS: readonly Field[] = ["statement", "body"];
/** Place of the body in {@link FIELDS}; most postings are in the body alone and have a shorter code. */
export const BODY_FIELD = 5;

export interface IndexDocument {
  metadata: MemoryMetadata;
  body: string;
  /** What it is looked up by, at an event; default: {@link namesOf}. */
  names?: readonly string[];
}

/** Identity of a document in its store's index: the file, `#`, and the section for files that hold several memories. */
export function documentKeyOf(metadata: { file: string; section?: number }): string {
  return `${metadata.file}#${metadata.section ?? ""}`;
}

/** The texts of each field, in the order of {@link FIELDS}. */
export function fieldValuesOf({ metadata, body }: IndexDocument): (readonly string[])[] {
  const { name, trigger, aliases, tags, statement } = metadata;
  return [[name], trigger, aliases, tags, [statement], [withoutNotes(body)]];
}

export function specialTermsOf(document: IndexDocument): string[] {
  const { metadata, names = namesOf(document) } = document;
  const terms = [
    ...names.map((name) => SPECIAL.names + name),
    SPECIAL.key + documentKeyOf(metadata),
    SPECIAL.id + metadata.id,
    SPECIAL.name + metadata.name,
    SPECIAL.type + metadata.type,
    SPECIAL.status + metadata.status,
    ...metadata.tags.map((tag) => SPECIAL.tag + tag.toLowerCase()),
    ...metadata.links.map((link) => SPECIAL.linkTo + link.to),
    ...METADATA_PARTS.filter((part) => hasPart(metadata, part)).map((part) => SPECIAL.has + part),
  ].map((term) => term.toWellFormed());
  return [...new Set(terms)];
}

/** Terms that begin with a control character, which no text has: they list documents by type, id, link or key. */
export const SPECIAL = {
  key: "\u0001",
  id: "\u0002",
  name: "\u0003",
  type: "\u0004",
  status: "\u0005",
  tag: "\u0006",
  linkTo: "\u0008",
  /** What a memory has, of {@link METADATA_PARTS}. */
  has: "\u000f",
  /** What it names, see {@link namesOf}. */
  names: "\u0010",
  /** A word as it is written, where its stem does not start with it: lets `migrati*` find the stem `migrat`. No documents. */
  surface: "\u000e",
} as const;

/** What few memories have and each event asks for: those are listed, so that nobody reads all metadata for them. */
const METADATA_PARTS = ["guard", "claims"] as const;
export type MetadataPart = (typeof METADATA_PARTS)[number];

export function hasPart(metadata: Pick<MemoryMetadata, "guard" | "claims">, part: MetadataPart): boolean {
  return part === "guard" ? metadata.guard !== undefined : metadata.claims.length > 0;
}

/** Looks up what must be so and is decided by manifests, by their names alone. */
export const NORMS = "norms";
const MAX_NAME_CHARS = 300;
const MAX_FAILED = 20;

export const fileName = (path: string): string => `file ${path}`;
export const failedName = (commands: readonly (readonly string[])[]): string =>
  `failed ${commands.map((words) => words.join(" ")).join(" && ")}`;

/** What a memory names that an event may be about: files of its claims, and commands that a solution says failed, as code or as a line of their own. */
function namesOf({ metadata, body }: IndexDocument): string[] {
  const claims = metadata.claims.flatMap((text) => parseClaim(text).claim ?? []);
  const files = claims.flatMap((claim) => {
    const path = pathOfClaim(claim);
    return path === undefined ? (claim.isInvariant === true ? NORMS : []) : fileName(path);
  });
  if (metadata.type !== "solution" && metadata.trigger.length === 0) return files;
  const { symptom = "", failed = "", solution = "" } = readSections(body).sections;
  const codeIn = (text: string): string[] =>
    Array.from(text.matchAll(/`([^`\n]+)`/g), ([, code = ""]) => code);
  const worked = new Set(codeIn(solution));
  const lines = failed.split("\n").map((line) => line.replace(/^\s*(?:[-*+$]|\d+[.)])\s+/, ""));
  const tries = [...codeIn(`${symptom}\n${failed}`), ...lines].filter((one) => !worked.has(one));
  const commands = tries.slice(0, MAX_FAILED).map((text) => failedName(commandsIn(text)));
  return [...files, ...commands.filter((name) => name !== failedName([]) && name.length <= MAX_NAME_CHARS)];
}
