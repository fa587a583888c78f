// What plugin/dist/core.cjs is made of: the façade, and parts that a hook's bundle takes from there.
export * from "../src/heed.ts";

/** Each read when it is first asked for. */
export const partsForHooks = {
  get explainBreak() {
    return require("../src/freshness/explain-break.ts");
  },
  get repositoryHistory() {
    return require("../src/freshness/repository-history.ts");
  },
  get openedStores() {
    return require("../src/here/opened-stores.ts");
  },
  get teamStore() {
    return require("../src/here/consent/team-store.ts");
  },
  get teamStores() {
    return require("../src/here/team-stores.ts");
  },
};
