/**
 * The rooms of heed, folders of `src/` from the bottom up, and the arrows that are allowed between them, each with its
 * reason. A room may import from itself and from the rooms listed; anything else fails `npm run check`, which prints this
 * table with what is really there.
 */
export const ROOMS = {
  machine: { job: "this machine: files, locks, logs, places, git as a program, errors", uses: {} },
  memory: {
    job: "what a memory is, what may not stand in it, its file; pure",
    uses: { machine: "errors, fields of a record" },
  },
  store: {
    job: "memories on disk: lock, journal, git history, sync, scrub, team servers",
    uses: { machine: "atomic writes, locks, git", memory: "reads and writes memories" },
  },
  search: {
    job: "words to ranked, explained hits; the derived index",
    uses: { machine: "atomic writes", memory: "indexes the fields of a memory" },
  },
  freshness: {
    job: "whether a claim is true in the work tree, and the repair",
    uses: { machine: "stats of files, git", memory: "claims and dates" },
  },
  guard: {
    job: "rules at tool use: conditions, shell texts, starts of programs",
    uses: { machine: "a list of arguments as a shell reads it", memory: "guards are part of a rule" },
  },
  here: {
    job: "where a call stands: stores, settings, repository, session log, consent, what is in force",
    uses: {
      machine: "files, git",
      memory: "memories at hand",
      store: "opens stores",
      search: "the collection",
      freshness: "verdicts",
      guard: "guards of a rule are read and approved",
    },
  },
  write: {
    job: "every change of a memory: gates, consent, the one writer, undo",
    uses: {
      machine: "errors",
      memory: "drafts",
      store: "changes",
      search: "near memories",
      freshness: "claims of a text",
      guard: "guards of a rule",
      here: "the call's place",
    },
  },
  past: {
    job: "transcripts to episodes and past conversations; an optional model that reads them",
    uses: {
      machine: "files",
      memory: "screening",
      search: "passages found",
      guard: "names of tools, files of a call",
      here: "the call's place",
      write: "episodes and proposals",
    },
  },
  session: {
    job: "events to answers: what a context lacks, rules, map, facts, tool use, questions, receipts",
    uses: {
      machine: "files",
      memory: "shown as data",
      store: "signatures",
      search: "facts for a prompt",
      freshness: "verdicts in the text",
      guard: "guards in force",
      here: "the call's place",
      write: "an answer is a change",
      past: "the line about a conversation",
    },
  },
  care: {
    job: "check, verify, tidy, health, import, export, setup, status",
    uses: {
      machine: "files",
      memory: "files of others",
      store: "settings, sync, scrub",
      search: "letters folded",
      freshness: "claims checked and repaired",
      guard: "guards in health",
      here: "the call's place",
      write: "each step is a change",
      past: "where old records go",
      session: "the map as it is injected",
    },
  },
};

/**
 * Modules that only those named may import: what changes memory files is behind one writer, which knows who asked, what
 * for, and which gates that has to pass.
 */
export const RESERVED = {
  // What changes a store: without its type nobody can take a reader for one.
  "store/file-memory-store.ts": ["store/", "here/opened-stores.ts", "write/memory-writer.ts"],
  "store/history/change-journal.ts": ["store/", "care/setup/sync-stores.ts"],
  "store/sync/sync-user-store.ts": ["care/setup/sync-stores.ts"],
  "store/scrub/scrub-file.ts": ["care/setup/scrub-value.ts"],
};

/** `src/heed.ts` and `src/facade/`, the rows of its methods, put all together; the surfaces may use it alone. */
export const ROOT = "heed.ts";
export const SURFACES = "surfaces";

/** What surfaces may use before heed is loaded: tables, for schemas and help texts, the grammar of formulas, suggestions for mistyped names, where heed keeps things, the one reader and the one writer of files, a hash, the names of tools. */
export const TABLES = [
  "memory/nearest-names.ts",
  "here/schema.ts",
  "memory/handle.ts",
  "memory/limits.ts",
  "memory/write-guide.ts",
  "memory/formula.ts",
  "machine/places.ts",
  "machine/atomic-file.ts",
  "machine/regular-file.ts",
  "machine/sha256.ts",
  "guard/tools.ts",
];
