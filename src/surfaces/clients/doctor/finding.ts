/** One thing that the doctor looked at. */
export interface Finding {
  /** What it is about: a client's name, or `machine`. */
  about: string;
  what: string;
  state: "ok" | "wrong" | "mended" | "note";
  detail: string;
  /** What to do, where something is wrong. */
  remedy?: string;
}
