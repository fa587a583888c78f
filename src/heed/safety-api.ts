/** What a scrub found, and what it did. */
export interface ScrubReport {
  /** Nothing was changed. */
  isDryRun: boolean;
  /** Files that held the value before, with how often. */
  files: {
    path: string;
    occurrences: number;
    /** The name of the file or of a folder holds it. */
    isInName: boolean;
    /** It belongs to another tool, and heed may not write there: it is left as it is. */
    isReadOnly: boolean;
  }[];
  /** Folders of search indexes: removed whole, since they come back by themselves. */
  indexes: string[];
  /** Files that still hold the value afterwards: read-only ones. Empty in a dry run. */
  left: string[];
  /** Git repositories whose history holds the value, or may. */
  histories: {
    repository: string;
    /** False: the history was too large to search, or git is missing. */
    isCertain: boolean;
    /** What rewrites the history: not run by heed, as it changes every commit for everybody who has a clone. */
    commands: string[];
  }[];
}
