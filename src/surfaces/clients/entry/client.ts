import type { ClientPlaces } from "./client-places.ts";

/** How heed is started: by absolute paths for the user, by its name in a repository, which others read too. */
export interface Launch {
  command: string;
  /** Arguments before the subcommand. */
  args: readonly string[];
}

/** Folders of heed's that a model's own tools have nothing to write in; absolute. */
export interface ProtectedFolders {
  /** What heed knows of the user's word: never written by a tool. */
  records: readonly string[];
  /** Memories that take force: the client asks first. */
  stores: readonly string[];
}

/** One thing that heed puts into a client's configuration. */
export type Piece =
  /** A value under a path of keys. Keys that the user added beside heed's stay. */
  | { kind: "json-value"; path: readonly string[]; value: unknown }
  /** One item of a list under a path of keys; heed's item of before is replaced in its place. */
  | { kind: "json-item"; path: readonly string[]; value: unknown }
  /** Values that a list must hold: at its end, or at its start where the client takes the first that fits. */
  | { kind: "json-values"; path: readonly string[]; values: readonly unknown[]; isFirst?: boolean }
  /**
   * Entries that an object must hold, after its others. A text that stands in place of the object, or above it, says
   * the same as the entry `rest` of one.
   */
  | {
      kind: "json-entries";
      path: readonly string[];
      entries: Readonly<Record<string, unknown>>;
      rest: string;
    }
  /** A block of tables at the end of a TOML file, between two comments. */
  | { kind: "toml"; text: string; table: readonly string[] }
  /** An entry of a mapping or list under a top-level key of a YAML file. */
  | { kind: "yaml"; key: string; name: string; value: Readonly<Record<string, unknown>>; isList: boolean }
  /** A file that is heed's alone. */
  | { kind: "file"; text: string; mode?: number };

/** What heed puts into one file. */
export interface FilePlan {
  file: string;
  pieces: readonly Piece[];
  /** The client's own rules about heed's folders: left out, and that said, where the file has no room for them. */
  rules?: readonly Piece[];
  /** What `rules` are, for people. Default: rules about heed's folders. */
  rulesName?: string;
}

interface RuleFile {
  file: string;
  rules: readonly Piece[];
}

/** Where heed is to be put. */
export interface Target {
  places: ClientPlaces;
  launch: Launch;
  /** For the user everywhere, or for the repository: then other people's machines read it too. */
  scope: "user" | "project";
  /** The repository's root. */
  root: string;
  /** Folders of heed's that a model's own tools have nothing to write in. */
  protectedFolders: ProtectedFolders;
  /** heed's folder for the starts of programs; absolute. */
  starts: string;
}

/** Whether the model's first request has the text that a server gives about itself. */
type ServerInstructions = "read" | "not read" | "no server" | "unknown";

/** A client that heed can be connected with: data, and what to write as values. */
export interface Client {
  name: string;
  title: string;
  /** Names of its program on the PATH. */
  programs: readonly string[];
  /** Folders that only it makes. */
  folders: (places: ClientPlaces) => readonly string[];
  /** What is written for the user, or for a repository where it can have that. Undefined: not there. */
  plan: (target: Target) => FilePlan[] | undefined | Promise<FilePlan[] | undefined>;
  /**
   * What the client's own permissions are told of heed's folders, in the user's files. Absent where it has no rule for
   * a path, or none that can be written without choosing something else for the user.
   */
  permissions?: (target: Target) => readonly RuleFile[];
  /** What its shells start is checked by guards: tried (where shells are there: not on Windows). Absent: it is not. */
  checksStarts?: boolean;
  instructions: ServerInstructions;
  /** What to do after, or to know. */
  notes?: readonly string[];
}
