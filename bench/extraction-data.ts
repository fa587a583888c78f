import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A user turn with what a person found worth keeping in it. */
export interface LabelledTurn {
  id: string;
  repo: string;
  sampling: "natural" | "mined";
  before: string;
  user: string;
  /** `none`, or the kind of memory. */
  label: string;
  /** 2: clearly worth remembering; 1: borderline; 0: nothing. */
  strength: number;
  altLabels: string[];
  span: string;
  isAmbiguous: boolean;
}

/** Reads labelled turns (`turns.jsonl` of a folder). */
export function readLabelledTurns(folder: string): LabelledTurn[] {
  return readLines(join(folder, "turns.jsonl")).map((turn) => ({
    id: text(turn, "id"),
    repo: text(turn, "repo"),
    sampling: turn["sampling"] === "natural" ? "natural" : "mined",
    before: text(turn, "prev_assistant"),
    user: text(turn, "user"),
    label: text(turn, "label"),
    strength: Number(turn["strength"] ?? 0),
    altLabels: Array.isArray(turn["alt_labels"]) ? turn["alt_labels"].map(String) : [],
    span: text(turn, "span"),
    isAmbiguous: turn["ambiguous"] === true,
  }));
}

/** Reads unlabelled turns: `all_turns_unlabelled.jsonl` of a folder; empty when there is none. */
export function readUnlabelledTurns(folder: string): { prompt: string; before: string }[] {
  const file = join(folder, "all_turns_unlabelled.jsonl");
  if (!existsSync(file)) return [];
  return readLines(file).map((turn) => ({
    prompt: text(turn, "prompt"),
    before: text(turn, "prev_assistant"),
  }));
}

function text(record: Record<string, unknown>, key: string): string {
  const value = record[key];
  return typeof value === "string" ? value : "";
}

function readLines(file: string): Record<string, unknown>[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
