type Fields = Readonly<Record<string, unknown>>;

/** The words of a command line that is heed's hook, by whatever path heed is started. */
const HOOK = /(?:^|[\s"'/\\])heed(?:\.cjs|\.cmd)?["']?\s+hook\b/;

/** Whether a hook found in a client's file is one of heed's, of any version, client and shape. */
export function isHeedHook(hook: unknown): boolean {
  if (typeof hook !== "object" || hook === null) return false;
  const { type, tool, args } = hook as Fields;
  if (type === "mcp_tool") return tool === "memory_hook";
  const rest = Array.isArray(args) ? args.map(String) : [];
  return ["command", "bash", "powershell"].some((key) => {
    const command = (hook as Fields)[key];
    return typeof command === "string" && HOOK.test([command, ...rest].join(" "));
  });
}

/** The hooks in an item of a list: the item itself, or the list that it groups. */
export function hooksOf(item: unknown): readonly unknown[] {
  const inner = (item as Fields | null)?.["hooks"];
  return Array.isArray(inner) ? (inner as unknown[]) : [item];
}
