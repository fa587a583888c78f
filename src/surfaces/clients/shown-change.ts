import type { ClientChange, FileChange } from "./connect-clients.ts";

/** A change without the texts of files: others' servers may have secrets there. */
export interface ShownChange {
  client: string;
  title: string;
  files: Omit<FileChange, "before" | "after">[];
  notes: string[];
}

/** What a report may show of a change. */
export function shownChange({ client, title, files, notes }: ClientChange): ShownChange {
  return {
    client,
    title,
    files: files.map(({ before: _before, after: _after, ...told }) => told),
    notes,
  };
}
