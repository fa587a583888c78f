import type { VNode } from "preact";

const CLASSES: Readonly<Record<string, string>> = { "+": "added", "-": "taken", "@": "place" };

/** A unified diff, line by line: what is added and taken is told by its sign, and by colour besides. */
export function Diff({ text }: { text: string }): VNode {
  const lines = text.split("\n").filter((line) => !/^(?:diff |index |\+\+\+ |--- |===)/.test(line));
  return (
    <pre class="diff" tabIndex={0} aria-label="difference">
      {lines.map((line) => (
        <span class={CLASSES[line.charAt(0)] ?? ""}>{`${line}\n`}</span>
      ))}
    </pre>
  );
}
