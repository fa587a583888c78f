import { join } from "node:path";
import { readJsonLines, turnsBeside } from "./json-lines.ts";

/** A memory of the data set, as a file of a store. */
export interface LabelledMemory {
  id: string;
  storeId: string;
  type: string;
  file: string;
  text: string;
}

/** A prompt with the memories that it needs in one store. */
export interface LabelledPrompt {
  id: string;
  storeId: string;
  prompt: string;
  isNatural: boolean;
  /** The project that it was typed in, or written for. */
  repo: string;
  /** Memories that must be told (grade 2) or would help (grade 1); facts only. */
  relevant: { memoryId: string; type: string; grade: number }[];
  /** Rules whose trigger occurs in the prompt. */
  applies: string[];
  /** Memories that were not written yet when the prompt was typed, or that may have been made from it. */
  excluded: readonly string[];
}

/** A real turn without labels, and the project that it was typed in. */
export interface UnlabelledTurn {
  id: string;
  prompt: string;
  repo?: string;
}

/** Everything that the bench replays. */
export interface InjectionData {
  memories: LabelledMemory[];
  prompts: LabelledPrompt[];
  /** Real turns without labels: what share of them gets anything at all. */
  turns: UnlabelledTurn[];
}

interface RawMemory {
  id: string;
  store_id: string;
  type: string;
  path: string;
  name: string;
  description?: string | null;
  body?: string | null;
  raw?: string | null;
}

interface RawLabel {
  prompt_id: string;
  store_id: string;
  prompt: string;
  prompt_repo?: string | null;
  relevant?: { memory_id: string; type: string; grade: number }[] | null;
  applies?: { memory_id: string }[] | null;
  exclude_candidates?: string[] | null;
  isNatural: boolean;
}

/** The memories and labels of a folder as they lie there; natural ones lie in files of their own. */
export function readRaw(folder: string): { memories: RawMemory[]; labels: RawLabel[] } {
  const read = <T>(file: string): T[] => readJsonLines<T>(join(folder, file));
  const labelsIn = (file: string, isNatural: boolean): RawLabel[] =>
    read<RawLabel>(file).map((label) => ({ ...label, isNatural }));
  return {
    memories: [...read<RawMemory>("memories.jsonl"), ...read<RawMemory>("natural_store.jsonl")],
    labels: [...labelsIn("labels.jsonl", false), ...labelsIn("natural_labels.jsonl", true)],
  };
}

/**
 * Reads a folder of memories.jsonl, labels.jsonl and, where present, natural_store.jsonl, natural_labels.jsonl and
 * the unlabelled turns (`--turns FILE`, default those {@link turnsBeside} it).
 */
export function readInjectionData(folder: string, turnsFile?: string): InjectionData {
  const { memories, labels } = readRaw(folder);
  return {
    memories: memories.map((memory) => ({
      id: memory.id,
      storeId: memory.store_id,
      type: memory.type,
      file: `${memory.id}.md`,
      text: memory.raw ?? canonicalFile(memory),
    })),
    prompts: labels.map(promptOf),
    turns: readJsonLines<UnlabelledTurn>(turnsBeside(folder, turnsFile)),
  };
}

function promptOf(label: RawLabel): LabelledPrompt {
  return {
    id: label.prompt_id,
    storeId: label.store_id,
    prompt: label.prompt,
    isNatural: label.isNatural || label.store_id.endsWith("#natural"),
    repo: label.prompt_repo ?? projectOf(label.store_id),
    relevant: (label.relevant ?? []).map((item) => ({
      memoryId: item.memory_id,
      type: item.type,
      grade: item.grade,
    })),
    applies: (label.applies ?? []).map((item) => item.memory_id),
    excluded: label.exclude_candidates ?? [],
  };
}

/** The project whose memory a store is: a project may have several, told apart behind `#`. */
export function projectOf(storeId: string): string {
  return storeId.split("#", 1)[0] as string;
}

function canonicalFile(memory: RawMemory): string {
  const head = [
    `name: ${JSON.stringify(memory.name)}`,
    `description: ${JSON.stringify(memory.description ?? "")}`,
    `metadata:`,
    `  type: ${memory.type}`,
  ];
  return `---\n${head.join("\n")}\n---\n${memory.body ?? ""}\n`;
}
