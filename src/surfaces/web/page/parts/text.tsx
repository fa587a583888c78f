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
  if (!URL.canParse(text)) return undefined;
  const { protocol, username, password, href } = new URL(text);
  return /^https?:$/.test(protocol) && username === "" && password === "" ? href : undefined;
}

const CLASSES: Readonly<Record<string, string>> = { "+": "added", "-": "taken", "@": "quiet" };

/** A unified diff; signs tell what is added and taken, colour besides. */
export function Diff({ text }: { text: string }): VNode {
  const lines = text.split("\n");
  // Names of files come before it; `+++ a` below it is a line of the text.
  const start = lines.findIndex((line) => line.startsWith("@@"));
  return (
    <pre class="diff" tabIndex={0} aria-label="difference">
      {lines.map((line, i) => (
        <span class={i < start ? "quiet" : (CLASSES[line.charAt(0)] ?? "")}>{`${line}\n`}</span>
      ))}
    </pre>
  );
}
