/**
 * The layers of heed and the arrows that are allowed between them, each with its reason.
 * A folder may import from itself and from the folders listed; anything else fails the check.
 */
export const LAYERS = {
  memory: { job: "what a memory is: types, policies, schema, codec; pure, no I/O", uses: {} },
  store: {
    job: "files to memories and back: layout, lock, atomic write, history, trust",
    uses: { memory: "reads and writes memories" },
  },
  index: {
    job: "derived search index and the append-only event log",
    uses: { memory: "indexes the fields of a memory" },
  },
  recall: {
    job: "query to ranked, explained hits",
    uses: { memory: "filters by type and scope", index: "walks postings" },
  },
  freshness: {
    job: "signals to a verdict",
    uses: { memory: "reads claims and dates", store: "asks git and the working tree" },
  },
  inject: {
    job: "what enters the context now: selection, budget, rendering, receipt",
    uses: { memory: "type policies", recall: "ranked facts", freshness: "verdicts in the text" },
  },
  guard: { job: "rules enforced at tool use", uses: { memory: "guards are part of a rule" } },
  capture: { job: "transcripts to episodes, proposals, solutions", uses: { memory: "drafts are memories" } },
  curate: {
    job: "gates on write, duplicates, upkeep, health",
    uses: {
      memory: "schema of the type",
      store: "tombstones and siblings",
      index: "usage events",
      recall: "near-duplicates",
    },
  },
  llm: { job: "optional models behind one interface", uses: { memory: "names and descriptions" } },
};

/** The composition root may use every layer; the surfaces may use the root alone (see structure.mjs). */
export const ROOT = "heed";
export const SURFACES = "surfaces";
