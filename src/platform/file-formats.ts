import type { FileFormat } from "./file-format.ts";

const log = (version: number): FileFormat => ({ version, key: "v" });
const json = (version: number, key = "version"): FileFormat => ({ version, key });

/** What heed keeps in its state directory. */
export type FormatName =
  | "sessions"
  | "receipts"
  | "use"
  | "guards"
  | "learn"
  | "userWords"
  | "announcements"
  | "backfill"
  | "captureJob"
  | "captureProgress"
  | "conversation"
  | "repositories"
  | "stores"
  | "scrubbed"
  | "approvals"
  | "change"
  | "questions";

/** The forms of all that heed keeps in its state directory; docs/state.md says what each holds. */
export const FORMATS: Readonly<Record<FormatName, FileFormat>> = {
  sessions: log(1),
  receipts: log(1),
  use: log(1),
  guards: log(1),
  learn: log(1),
  userWords: log(1),
  announcements: log(1),
  backfill: log(1),
  captureJob: json(1),
  captureProgress: json(1),
  conversation: json(1),
  repositories: json(1),
  stores: json(1),
  scrubbed: json(1, "format"),
  approvals: json(1, "format"),
  change: json(1),
  questions: json(1),
};
