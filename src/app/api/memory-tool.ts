import type { Actor } from "../../memory/actor.ts";

/** A command of the memory tool (`memory_20250818`) of Anthropic's API, as the model sends it. */
export type MemoryToolCommand =
  | { command: "view"; path: string; view_range?: readonly number[] | null }
  | { command: "create"; path: string; file_text: string }
  | { command: "str_replace"; path: string; old_str: string; new_str?: string | null }
  | { command: "insert"; path: string; insert_line: number; insert_text: string }
  | { command: "delete"; path: string }
  | { command: "rename"; old_path: string; new_path: string };

/** A store as the directory of the memory tool of Anthropic's API, for agents that people write themselves. */
export interface MemoryToolApi {
  /**
   * Answers a command of the memory tool. `/memories` holds a folder a type, each memory a file of it; what is written
   * passes the gates. The answer is the tool's result: what the API's own tool says, and after `Error: ` what was refused,
   * with the remedy. It does not reject for what a model can send.
   *
   * @throws HeedError `invalid-input` for what is no command at all.
   * @example
   * const told = await heed.memoryTool.run({ command: "view", path: "/memories/none.md" }, { kind: "model" });
   * told; // → "Error: The path /memories/none.md does not exist. Please provide a valid path."
   */
  run(command: MemoryToolCommand, actor: Actor): Promise<string>;
}
