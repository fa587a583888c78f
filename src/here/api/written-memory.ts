import type { SectionChanges } from "../../memory/codec/sections.ts";
import type { GateRefusal, MemoryMetadata, MemoryDraft, NearMemory } from "../../memory/memory.ts";
import type { Problem } from "../../machine/problem.ts";

export type { GateName } from "../../machine/heed-error.ts";
export type { Actor } from "../../memory/memory.ts";
export type { GateRefusal, NearMemory } from "../../memory/memory.ts";
export type { MemoryDraft } from "../../memory/memory.ts";

/** Why a memory goes, and the user's words that ask for it, letter by letter. */
export interface RemovalReason {
  reason: string;
  quote?: string | undefined;
}

/** A memory to be written. Everything but type and description has a default. */
export interface NewMemory extends Omit<MemoryDraft, "body"> {
  /** Markdown, with the sections that the type needs. Default: the description. */
  body?: string;
  /**
   * The guard that enforces a rule, as under `guard` in its file, or that as YAML or JSON text. A person's is
   * put into force; anybody else's waits for a person.
   */
  guard?: Record<string, unknown> | string;
}

/** The file of a memory as somebody edited it. */
export interface EditedFile {
  /** The whole text, front matter included. */
  text: string;
  /** The content hash that the editor saw. */
  ifHash: string;
}

/** What a markdown text says as a draft. A key that the text does not have is absent. */
export interface DraftReading {
  /** Undefined when the text cannot be read at all. */
  draft: (Partial<MemoryDraft> & Pick<MemoryDraft, "description" | "body">) | undefined;
  problems: Problem[];
}

/** Changes to a memory; what is absent stays. A description that the text begins with is changed in it too, unless `body` is given. */
export interface MemoryChanges extends Partial<
  Omit<NewMemory, "name" | "store" | "relation" | "expires" | "quote" | "reason">
> {
  /** The user's words on which the change rests, verbatim; they take the place of those that the text quotes. */
  quote?: string;
  /** The reason that the user gave, where the text has none yet. */
  reason?: string;
  /** Labelled parts of the text that get another text, the rest of it staying: `{ solution: "…" }`; `null` takes one away. */
  sections?: SectionChanges;
  /** `null` removes it. */
  expires?: string | null;
  /** The content hash that the writer saw; refused when the file has changed since (`changed-outside`). */
  ifHash?: string;
}

/** Result of a write. Where a new statement resembles others, `near` has their texts: merge, replace or leave them. */
export type WriteResult =
  | ({
      outcome: "written" | "amended" | "unchanged";
      metadata: MemoryMetadata;
      path: string;
      /** One line that announces the change to the user. */
      announcement: string;
      /** Unified diff of an amendment. */
      diff?: string;
      warnings: string[];
    } & WithNear)
  | ({
      outcome: "pending";
      /** The proposal's handle in the inbox. */
      name: string;
      /** What the user types to approve exactly this: `heed yes CODE`. */
      code: string;
      announcement: string;
      /** Why it waits, and how it is approved. */
      reason: string;
      diff?: string;
    } & WithNear)
  | { outcome: "refused"; refusals: GateRefusal[] };

interface WithNear {
  near?: NearMemory[];
}

/** Whose changes are taken back. */
export interface RollBackRequest {
  session?: string | undefined;
  actor?: string | undefined;
  since?: string | undefined;
  isApplied?: boolean | undefined;
}

/** Which change to take back. */
export interface UndoRequest {
  change?: string | undefined;
  handle?: string | undefined;
  isApplied?: boolean | undefined;
}

/** What is, or would be, taken back. */
export interface RollBackReport {
  /** The changes that are taken back, newest first. */
  takenBack: Change[];
  /** Those that stay, each with the reason. */
  kept: (Change & { why: string })[];
  /** The changes that took them back, one a store. */
  changes: Change[];
  isApplied: boolean;
}

/** One entry of the history of a store. */
export interface Change {
  /** Commit, or entry of the change journal where the store is no git repository of heed's. */
  id: string;
  time: string;
  actor: string;
  /** What and why, one line. */
  summary: string;
  files: string[];
}

/** A command of the memory tool (`memory_20250818`) of Anthropic's API, as the model sends it. */
export type MemoryToolCommand =
  | { command: "view"; path: string; view_range?: readonly number[] | null }
  | { command: "create"; path: string; file_text: string }
  | { command: "str_replace"; path: string; old_str: string; new_str?: string | null }
  | { command: "insert"; path: string; insert_line: number; insert_text: string }
  | { command: "delete"; path: string }
  | { command: "rename"; old_path: string; new_path: string };
