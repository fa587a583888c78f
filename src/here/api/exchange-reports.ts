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

/** What became of one statement of a source, or would. */
export interface ImportedMemory {
  /**
   * `new` is written; `waits` is in the inbox for the user's word; `known` was imported before; `changed` too, and the source
   * says something else by now; `refused` by a gate; `open` of an instruction file is not written until somebody says whether
   * it is a rule or a fact.
   */
  outcome: "open" | "new" | "waits" | "known" | "changed" | "refused";
  type: string;
  name: string;
  description: string;
  /** Where it is in the source. */
  place: string;
  /** The heading above it there. */
  section?: string;
  /** Why it waits, is refused or was left as it is; of a new one, what is amiss. */
  detail?: string;
}

/** What is in a source and is not taken. */
export interface LeftOutOfImport {
  place: string;
  what: string;
  reason: string;
}

/** What an import did or would do. */
export interface ImportReport {
  /** Name and title of the format. */
  format: string;
  title: string;
  /** Absolute path of the source. */
  from: string;
  memories: ImportedMemory[];
  leftOut: LeftOutOfImport[];
  isApplied: boolean;
  /** The command line that applies this very import. */
  command: string;
  /** The session of the changes, by which all of them are undone; absent when nothing was written. */
  session?: string;
}

/** Memories that another tool keeps on this machine. */
export interface ForeignStore {
  format: string;
  title: string;
  path: string;
  /** How many files; 1 for a file. */
  files: number;
  /** The command that takes it over: `heed import …` or `heed attach …`. */
  command: string;
  /** heed reads it already, as an attached store. */
  isAttached: boolean;
}

/** Which skills to keep, and where. */
export interface SkillsRequest {
  /** The folder that clients read skills from; default: `.claude/skills` of the repository. */
  folder?: string;
  /** The user's own procedures too, each ignored by git; default: those of the repository's store alone. */
  isPersonal?: boolean;
}

/** What became of the skills of a folder. `another's` and `edited` (by hand): left as they are. */
export interface SkillsReport {
  folder: string;
  skills: {
    name: string;
    action: "created" | "changed" | "unchanged" | "removed" | "another's" | "edited";
  }[];
}

/** In which form memories leave. */
export type ExportFormat = "files" | "json";

/** What is to leave. */
export interface ExportRequest {
  /** Default: `files`. */
  format?: ExportFormat;
  /** Types; default: all but episodes. */
  types?: readonly string[];
  /** Kinds or ids of stores; default: the user's and the project's. */
  stores?: readonly string[];
}

/** What an export holds: nothing is written anywhere. */
export interface ExportReport {
  format: ExportFormat;
  /** Paths relative to wherever they are put, with forward slashes, and texts. */
  files: { path: string; text: string }[];
  memories: number;
  /** What cannot be said in that form, one line each. */
  lost: string[];
}
