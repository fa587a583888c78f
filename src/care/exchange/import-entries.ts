import { createHash } from "node:crypto";
import { basename } from "node:path";
import type {
  ForeignAuthor,
  ForeignMemory,
  ForeignReading,
  ForeignSource,
  ImportFormat,
} from "../formats/import-format.ts";
import type { MemoryDraft } from "../../memory/memory.ts";
import { newId } from "../../memory/handle.ts";
import { findProjectRoot } from "../../store/find-stores.ts";
import { projectSlug } from "../../here/client-memory.ts";
import type { Place } from "../../here/place.ts";

/** A statement on its way in. */
export interface Entry {
  foreign: ForeignMemory;
  draft: MemoryDraft;
  /** Made of its source, so that it is found again. */
  id: string;
  /** Where it was imported from. */
  from: string;
}

/** What to import, and as what. */
export interface ImportRequest {
  /** The file or folder of the other tool. */
  from: string;
  /** Name of the format; default: recognised. */
  format?: string;
  /** The other tool's name of this repository, where its records name projects; default: the repository's own. */
  project?: string;
  /** What is imported holds everywhere, whatever project it names; default: where its source says, else as its type does. */
  isEverywhere?: boolean;
  /** All of it is of this type; default: as the source says, else as `types` says. */
  type?: string;
  /** What each statement of an instruction file is, by its place: `feedback`, `project`; what is not named is left. */
  types?: Readonly<Record<string, string>>;
  /** The kind of store that takes it; default: as for a write. What other stores hold is then not taken for known. */
  store?: "user" | "project" | "team";
  /** Write; default: only tell. */
  isApplied?: boolean;
}

/** Statements as drafts, without those that belong to other projects. */
export function entriesOf(
  place: Place,
  format: ImportFormat,
  source: ForeignSource,
  reading: ForeignReading,
  request: ImportRequest,
): { entries: Entry[]; leftOut: ForeignReading["leftOut"] } {
  const root = findProjectRoot(place.cwd);
  const isHere = root !== undefined && (source.path === root || source.path.startsWith(`${root}/`));
  const names = new Set([
    request.project,
    ...(root === undefined ? [] : [basename(root), projectSlug(root)]),
  ]);
  const here = place.here();
  const passedOver = source.passedOver.map((one) => ({ ...one, what: one.place }));
  const leftOut = [...passedOver, ...reading.leftOut];
  const entries: Entry[] = [];
  const seen = new Set<string>();
  for (const foreign of reading.memories) {
    // What heed wrote says where it holds; another tool's file says where it was written.
    const repo = foreign.id === undefined ? foreign.origin?.repo : undefined;
    const project = foreign.project ?? repo ?? projectOf(source.path);
    const isOfHere = names.has(project) || (repo !== undefined && here.isRepositoryHere(repo));
    const isOther = project !== undefined && request.isEverywhere !== true && !isOfHere;
    if (isOther) {
      const reason = `it belongs to the project ${project}: import it there, or with --project ${project} if that is this one, or with --everywhere`;
      leftOut.push({ place: foreign.place, what: foreign.draft.statement, reason });
      continue;
    }
    const id = foreign.id ?? idOf(format.name, foreign, place.now());
    // The same statement twice in one source is one.
    if (seen.has(id)) continue;
    seen.add(id);
    // What lies in no repository and names none holds everywhere, as it did in the other tool.
    const isPlaceless = !isHere && (project ?? request.project) === undefined && foreign.id === undefined;
    const isWide = request.isEverywhere === true || isPlaceless;
    const draft: MemoryDraft = {
      ...foreign.draft,
      type: request.type ?? request.types?.[foreign.place] ?? foreign.draft.type,
      ...(isWide &&
        foreign.draft.scope === undefined &&
        foreign.scope === undefined && { scope: "everywhere" as const }),
      ...fieldsBy(format.author),
    };
    const policy = place.types.get(draft.type);
    if (foreign.isOnRequest === true && policy?.injection === "always") {
      leftOut.push({ place: foreign.place, what: foreign.draft.statement, reason: ON_REQUEST });
      continue;
    }
    // It is over: nobody goes on with it here.
    if (policy?.layer === "episodic" && foreign.id === undefined) draft.status = "confirmed";
    entries.push({ foreign, id, draft, from: fromOf(source, foreign) });
  }
  return { entries, leftOut };
}

const ON_REQUEST =
  "its tool gives it to the agent on request, so it is no rule of every session: take it as a fact (--as project)";

const MAX_FROM_CHARS = 200;

function fromOf({ isFile, name, placeOf }: ForeignSource, { from, place }: ForeignMemory): string {
  const made = isFile ? (place === name ? placeOf(name) : `${placeOf(name)}, ${place}`) : placeOf(place);
  return (from ?? made).slice(0, MAX_FROM_CHARS);
}

function fieldsBy(author: ForeignAuthor): Partial<MemoryDraft> {
  return author === "tool" ? { source: "inferred", status: "provisional", confidence: "low" } : {};
}

/** Claude Code and Qwen Code name a project's folder by its path, with dashes. */
function projectOf(path: string): string | undefined {
  return /[/\\]\.(?:claude|qwen)[/\\]projects[/\\]([^/\\]+)/.exec(path)?.[1];
}

function idOf(format: string, { key, created }: ForeignMemory, now: Date): string {
  const digest = createHash("sha256").update(`${format}\n${key}`).digest();
  const time = created === undefined ? new Date(digest.readUIntBE(10, 4)) : new Date(created);
  return newId(Number.isNaN(time.getTime()) || time > now ? new Date(0) : time, digest);
}
