/**
 * The folders of heed and the arrows that are allowed between them, each with its reason. A folder may import from
 * itself and from the folders listed; anything else fails `npm run check`, which prints these tables with what is really
 * there. Folders stand below whatever uses them: read from the bottom up.
 */

/** `src/<folder>/`: what heed is made of, below the application. */
export const LAYERS = {
  errors: { job: "the one error class, the one kind of problem, the names of gates", uses: {} },
  screening: { job: "secrets and hostile text in what others wrote; pure", uses: {} },
  memory: {
    job: "what a memory is: types, policies, schema, codec, claims; pure, no I/O",
    uses: { errors: "bad input has a code", screening: "a card names what is hostile in its text" },
  },
  platform: {
    job: "files, locks, event logs and directories of this machine",
    uses: { errors: "what the file system refuses has a remedy" },
  },
  git: {
    job: "git as a program and as files: which repository this is, and what it knows",
    uses: {
      errors: "a refusal of git has a code",
      memory: "fields of a record",
      platform: "places, small files",
    },
  },
  store: {
    job: "files to memories and back: layout, history, sync, trust, scrub",
    uses: {
      errors: "refusals with codes",
      screening: "no secret in a generated file",
      memory: "reads and writes memories",
      platform: "atomic writes, locks",
      git: "history of the user store",
    },
  },
  index: {
    job: "the derived search index",
    uses: { memory: "indexes the fields of a memory", platform: "atomic writes" },
  },
  recall: {
    job: "query to ranked, explained hits",
    uses: { memory: "filters by type and scope", index: "walks postings" },
  },
  freshness: {
    job: "claims checked against the work tree, to a verdict",
    uses: {
      screening: "a value that is cut for a finding has no secret in it",
      memory: "reads claims and dates",
      platform: "stats of files",
      git: "asks git what became of a claim",
    },
  },
  inject: {
    job: "what enters the context now: selection, budget, rendering",
    uses: {
      screening: "fences what is shown",
      memory: "type policies",
      recall: "ranked facts",
      freshness: "verdicts in the text",
    },
  },
  guard: { job: "rules enforced at tool use", uses: { memory: "guards are part of a rule" } },
  capture: {
    job: "transcripts to turns, episodes, passages; cues; pure",
    uses: { screening: "no secret is kept" },
  },
  curate: {
    job: "gates on write, the inbox, likeness of memories",
    uses: {
      errors: "refusals with codes",
      screening: "secret and hostile gates",
      memory: "schema of the type",
      platform: "the inbox is private to the machine",
      store: "tombstones and siblings",
      recall: "near-duplicates",
      index: "function words are no content words",
    },
  },
  exchange: {
    job: "memories in the forms of other tools, read and written; pure",
    uses: { memory: "drafts, heed's own files" },
  },
};

/** `src/app/<folder>/`: the application, by what a user does. Each may use every layer, and of the application: */
export const APP = {
  api: { job: "what the façade promises: types, and what each argument may be", uses: {} },
  records: {
    job: "what this machine keeps beside memories: sessions, receipts, use, queues",
    uses: { api: "shapes of receipts" },
  },
  place: {
    job: "where a call stands: stores, types, mode, repository, the memories at hand",
    uses: { api: "shapes" },
  },
  trust: {
    job: "whose word a memory has: approvals, words of other tools, held text",
    uses: { api: "shapes of a review", place: "the memories at hand" },
  },
  claims: { job: "whether what memories claim still holds here", uses: { place: "repository and cache" } },
  writing: {
    job: "everything that changes a memory: gates, inbox, the one writer",
    uses: {
      api: "shapes",
      records: "what the user said",
      place: "the stores",
      trust: "who may say it",
      claims: "claims are anchored",
    },
  },
  reading: {
    job: "list, show, search",
    uses: { api: "shapes", place: "the memories at hand", trust: "what is data", claims: "verdicts" },
  },
  survey: {
    job: "memories in a line each, what was told day by day, what changes while one looks",
    uses: {
      api: "shapes",
      records: "how often each was told",
      place: "the memories at hand",
      claims: "verdicts",
      reading: "the same filter as a list",
    },
  },
  history: {
    job: "what changed, when and why; taking it back",
    uses: { api: "shapes", place: "the stores", writing: "an undo is a change" },
  },
  transcripts: {
    job: "where the clients' transcripts lie, and reading on in one",
    uses: {},
  },
  conversations: {
    job: "past conversations: kept, searched, shown, and the line on a prompt about one",
    uses: {
      api: "shapes",
      records: "what is kept of them",
      place: "repository, index",
      transcripts: "what was said",
    },
  },
  session: {
    job: "what a session is told and stopped from: start, prompt, tool use, receipts",
    uses: {
      api: "shapes",
      records: "what was told",
      place: "the memories at hand",
      trust: "rules in force",
      claims: "verdicts",
      conversations: "the line on a prompt that is about one",
    },
  },
  guards: {
    job: "guards listed, tried, suggested, put into rules; decided at tool use in session",
    uses: {
      api: "shapes",
      records: "how often they fired",
      place: "the rules at hand",
      session: "the same decision as at tool use",
      writing: "a guard is a change of a rule",
    },
  },
  asking: {
    job: "what the user is asked, by which door they answer, and what comes of it",
    uses: {
      api: "shapes",
      records: "what was asked",
      place: "the stores",
      session: "what can be asked here",
      guards: "stopped calls",
      writing: "an answer is a change",
      setup: "trust and places",
    },
  },
  testing: {
    job: "what prompts must and must not be told, as cases of a store",
    uses: { api: "shapes", records: "sessions", place: "stores", session: "the same answer as in a session" },
  },
  learning: {
    job: "transcripts to what is kept of them",
    uses: {
      api: "shapes",
      records: "what waits",
      place: "the stores",
      writing: "proposals and episodes are written",
      transcripts: "what was said",
      conversations: "kept in the same quiet minute",
    },
  },
  upkeep: {
    job: "check, verify, repair, anchor, health, tidy",
    uses: {
      api: "shapes",
      records: "use",
      place: "the memories at hand",
      trust: "what is somebody's word",
      claims: "verdicts",
      writing: "each step is a change",
      conversations: "where the records of old sessions go",
      guards: "guards in health",
    },
  },
  "memory-tool": {
    job: "the memory tool of Anthropic's API over the stores at hand",
    uses: { api: "shapes", place: "types", reading: "what is viewed", writing: "what is changed" },
  },
  exchange: {
    job: "memories of other tools in, heed's own out",
    uses: {
      api: "shapes",
      place: "the stores",
      claims: "one look at the work tree for all that comes in",
      writing: "what comes in is written through the gates",
    },
  },
  setup: {
    job: "stores made, attached, synced, trusted, scrubbed; modes; status",
    uses: {
      api: "shapes",
      records: "sessions",
      place: "stores",
      trust: "approvals",
      writing: "settings are changes",
      reading: "overview",
      exchange: "what a directory to attach is",
    },
  },
};

/** `src/optional/<folder>/`: parts that the user sets up. The rest of heed knows them by an interface of `place` alone. */
export const OPTIONAL = {
  model: { job: "calls to a model, of any provider: the one layer for them" },
  learner: { job: "a model that reads what the user said after a session" },
  semantic: { job: "a sentence model that ranks a search by meaning too" },
};

/**
 * Modules that only those named may import: what changes memory files is behind one writer, which knows who asked, what
 * for, and which gates that has to pass.
 */
export const RESERVED = {
  "app/place/writable-store.ts": ["app/place/opened-stores.ts", "app/writing/memory-writer.ts"],
  "app/writing/make-gate-pass.ts": ["app/writing/gate-context.ts"],
  // The type of what changes a store: without it nobody can take a reader for one.
  "store/memory-store.ts": ["store/", "app/place/writable-store.ts", "app/writing/"],
  "store/file-memory-store.ts": ["app/place/writable-store.ts"],
  "store/history/change-journal.ts": ["store/", "app/setup/sync-stores.ts"],
  "store/sync/sync-user-store.ts": ["app/setup/sync-stores.ts"],
  "store/scrub/scrub-file.ts": ["app/setup/scrub-value.ts"],
};

/** Modules that load something by a computed path: the engine of the sentence model lies where the user has it. */
export const COMPUTED = ["optional/semantic/ort-runtime.ts"];

/** `src/heed.ts` and `src/methods/`, the rows of its methods, put all together; the surfaces may use it alone. */
export const ROOT = "heed.ts";
export const SURFACES = "surfaces";

/** What surfaces may use before heed is loaded: tables, for schemas and help texts, the grammar of formulas, and the one reader of files. */
export const TABLES = [
  "app/api/memory-fields.ts",
  "app/api/schema.ts",
  "memory/limits.ts",
  "memory/write-guide.ts",
  "memory/formula.ts",
  "platform/regular-file.ts",
];
