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
    uses: { errors: "bad input has a code", screening: "metadata names what is hostile in its text" },
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
    job: "what is injected: selection, budget, rendering",
    uses: {
      screening: "fences what is shown",
      memory: "type policies",
      recall: "ranked facts",
      freshness: "verdicts in the text",
    },
  },
  guard: {
    job: "rules enforced at tool use",
    uses: { memory: "guards are part of a rule", platform: "a list of arguments as a shell reads it" },
  },
  capture: {
    job: "transcripts to turns, episodes, passages; cues; pure",
    uses: { screening: "no secret is kept" },
  },
  curate: {
    job: "gates on write, the inbox, similarity of memories",
    uses: {
      errors: "refusals with codes",
      screening: "secret and hostile gates",
      memory: "schema of the type",
      platform: "the inbox is private to the machine",
      store: "tombstones and siblings",
      recall: "near-duplicates",
    },
  },
  exchange: {
    job: "formats of other tools, read and written; pure",
    uses: { memory: "drafts, heed's own files" },
  },
};

/** `src/app/<folder>/`: the application, by what a user does. Each may use every layer, and of the application: */
export const APP = {
  api: { job: "the façade's contract: types, and the check of each argument", uses: {} },
  records: {
    job: "state of this machine: sessions, receipts, citations, queues",
    uses: { api: "shapes of receipts" },
  },
  place: {
    job: "the context of a call: stores, types, mode, repository, memories",
    uses: { api: "shapes" },
  },
  trust: {
    job: "who approved a memory: approvals, claims of other tools, quarantine",
    uses: { api: "shapes of a review", place: "the memories at hand" },
  },
  claims: { job: "whether the claims of memories still hold here", uses: { place: "repository and cache" } },
  writing: {
    job: "everything that changes a memory: gates, inbox, the one writer",
    uses: {
      api: "shapes",
      records: "what the user said",
      place: "the stores",
      trust: "who may say it",
      claims: "claims are extracted",
    },
  },
  reading: {
    job: "list, show, search",
    uses: {
      api: "shapes",
      place: "the memories at hand",
      records: "what is found counts as used",
      trust: "what is data",
      claims: "verdicts",
    },
  },
  overview: {
    job: "summaries of memories, injections by day, live changes",
    uses: {
      api: "shapes",
      records: "how often each was told",
      place: "the memories at hand",
      claims: "verdicts",
      reading: "the same filter as a list",
    },
  },
  history: {
    job: "what changed, when and why; undo",
    uses: { api: "shapes", place: "the stores", writing: "an undo is a change" },
  },
  transcripts: {
    job: "finding the clients' transcripts, and reading them incrementally",
    uses: {},
  },
  conversations: {
    job: "past conversations: stored, searched, shown, and their line on a prompt",
    uses: {
      api: "shapes",
      records: "what is kept of them",
      place: "repository, index",
      transcripts: "what was said",
    },
  },
  session: {
    job: "the events of a session: start, prompt, tool use, receipts",
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
    job: "guards listed, tried, put into rules",
    uses: {
      api: "shapes",
      records: "how often they fired",
      place: "the rules at hand",
      session: "the same decision as at tool use",
      transcripts: "guards are tried on past calls",
      writing: "a guard is a change of a rule",
    },
  },
  asking: {
    job: "questions to the user, and their answers",
    uses: {
      api: "shapes",
      records: "what was asked",
      place: "the stores",
      session: "what can be asked here",
      guards: "stopped calls",
      writing: "an answer is a change",
      history: "a typed undo",
      setup: "trust and places",
    },
  },
  learning: {
    job: "transcripts to episodes and proposals",
    uses: {
      api: "shapes",
      records: "what waits",
      place: "the stores",
      writing: "proposals and episodes are written",
      transcripts: "what was said",
      conversations: "kept in the same quiet minute",
    },
  },
  maintenance: {
    job: "check, verify, repair, claims, health, tidy",
    uses: {
      api: "shapes",
      records: "use",
      place: "the memories at hand",
      trust: "what is somebody's word",
      claims: "verdicts",
      writing: "each step is a change",
      conversations: "where the records of old sessions go",
      guards: "guards in health",
      session: "the map of a session, counted as it is injected",
    },
  },
  "memory-tool": {
    job: "the memory tool of Anthropic's API over the stores",
    uses: { api: "shapes", place: "types", reading: "what is viewed", writing: "what is changed" },
  },
  exchange: {
    job: "import and export",
    uses: {
      api: "shapes",
      place: "the stores",
      reading: "the procedures in force, as they are shown",
      claims: "one look at the work tree for all that comes in",
      writing: "what comes in is written through the gates",
    },
  },
  setup: {
    job: "creating, attaching, syncing, trusting and scrubbing stores; modes; status",
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
  model: { job: "calls to a model of any provider" },
  learner: { job: "a model that reads a session afterwards" },
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

/** `src/heed.ts` and `src/methods/`, the rows of its methods, put all together; the surfaces may use it alone. */
export const ROOT = "heed.ts";
export const SURFACES = "surfaces";

/** What surfaces may use before heed is loaded: tables, for schemas and help texts, the grammar of formulas, suggestions for mistyped names, where heed keeps things, the one reader of files, the one editor of YAML, the names of tools. */
export const TABLES = [
  "curate/nearest-names.ts",
  "app/api/memory-fields.ts",
  "app/api/schema.ts",
  "memory/handle.ts",
  "memory/limits.ts",
  "memory/write-guide.ts",
  "memory/formula.ts",
  "platform/places.ts",
  "platform/regular-file.ts",
  "memory/codec/edit-yaml.ts",
  "memory/codec/parse-yaml.ts",
  "capture/transcript/tool-names.ts",
];
