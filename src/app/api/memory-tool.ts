/** A command of the memory tool (`memory_20250818`) of Anthropic's API, as the model sends it. */
export type MemoryToolCommand =
  | { command: "view"; path: string; view_range?: readonly number[] | null }
  | { command: "create"; path: string; file_text: string }
  | { command: "str_replace"; path: string; old_str: string; new_str?: string | null }
  | { command: "insert"; path: string; insert_line: number; insert_text: string }
  | { command: "delete"; path: string }
  | { command: "rename"; old_path: string; new_path: string };
