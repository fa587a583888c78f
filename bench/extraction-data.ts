import { join } from "node:path";
import { readJsonLines, turnsBeside } from "./json-lines.ts";

/** A user turn with what a person found worth keeping in it. */
export interface LabelledTurn {
  id: string;
  repo: string;
  session: string;
  before: string;
  user: string;
  /** `none`, or the kind of memory. */
  label: string;
  /** 2: clearly worth remembering; 1: borderline; 0: nothing. */
  strength: number;
  altLabels: string[];
  span: string;
  /** The sentence that an annotator would store. */
  statement: string;
  isAmbiguous: boolean;
}

/** Reads labelled turns (`turns.jsonl` of a folder). */
export function readLabelledTurns(folder: string): LabelledTurn[] {
  return readJsonLines<Record<string, unknown>>(join(folder, "turns.jsonl")).map((turn) => ({
    id: text(turn, "id"),
    repo: text(turn, "repo"),
    session: `${text(turn, "repo")} ${text(turn, "session")}`,
    before: text(turn, "prev_assistant"),
    user: text(turn, "user"),
    label: text(turn, "label"),
    strength: Number(turn["strength"] ?? 0),
    altLabels: [turn["alt_labels"], turn["alt"]].flatMap((given) =>
      Array.isArray(given) ? given.map(String) : [],
    ),
    span: text(turn, "span"),
    statement: text(turn, "memory"),
    isAmbiguous: turn["ambiguous"] === true,
  }));
}

/** Reads the unlabelled turns given, or those {@link turnsBeside} a folder of labelled ones; empty when there are none. */
export function readUnlabelledTurns(folder: string, given?: string): { prompt: string; before: string }[] {
  return readJsonLines<Record<string, unknown>>(turnsBeside(folder, given)).map((turn) => ({
    prompt: text(turn, "prompt"),
    before: text(turn, "prev_assistant"),
  }));
}

function text(record: Record<string, unknown>, key: string): string {
  const value = record[key];
  return typeof value === "string" ? value : "";
}
