import type { VNode } from "preact";

/** A text as it is written: nothing in it becomes markup, but web addresses lead where they say, and labels are bold. */
export function Text({ text }: { text: string }): VNode {
  return (
    <p class="prose">
      {text.split(/(https?:\/\/[^\s<>"'`)\]|]+|\*\*[^*\n]+\*\*)/).map((part, i) => {
        if (i % 2 === 0) return part;
        if (part.startsWith("**")) return <strong>{part.slice(2, -2)}</strong>;
        const safe = safeAddress(part);
        if (safe === undefined) return part;
        return (
          <a href={safe} title={safe} target="_blank" rel="noopener noreferrer nofollow">
            {part}
          </a>
        );
      })}
    </p>
  );
}

/** An http(s) address without a user's name in it. */
function safeAddress(text: string): string | undefined {
  try {
    const { protocol, username, password, href } = new URL(text);
    return /^https?:$/.test(protocol) && username === "" && password === "" ? href : undefined;
  } catch {
    return undefined;
  }
}

const CLASSES: Readonly<Record<string, string>> = { "+": "added", "-": "taken", "@": "quiet" };

/** A unified diff; signs tell what is added and taken, colour besides. */
export function Diff({ text }: { text: string }): VNode {
  // `+++ a` may be a line of the text that begins with `++`.
  const lines = text.split("\n").filter((line) => !/^(?:diff |index |===)/.test(line));
  return (
    <pre class="diff" tabIndex={0} aria-label="difference">
      {lines.map((line) => (
        <span class={CLASSES[line.charAt(0)] ?? ""}>{`${line}\n`}</span>
      ))}
    </pre>
  );
}
