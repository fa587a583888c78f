import type { VNode } from "preact";
import type { Standing } from "../../../../heed.ts";

/** `1 memory`, `2 memories`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

const UNITS: readonly (readonly [unit: string, seconds: number])[] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/** A time as people say it, with the exact one behind it. */
export function Time({ of }: { of: string | undefined }): VNode {
  if (of === undefined) return <span class="quiet">never</span>;
  return (
    <time dateTime={of} title={of}>
      {ago(of)}
    </time>
  );
}

/** `3 days ago` */
export function ago(time: string, now = Date.now()): string {
  const seconds = (now - Date.parse(time)) / 1000;
  if (Number.isNaN(seconds)) return time;
  const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ["moment", 0];
  if (size === 0) return "just now";
  const count = Math.floor(Math.abs(seconds) / size);
  return seconds < 0 ? `in ${plural(count, unit)}` : `${plural(count, unit)} ago`;
}

/** A repository without a remote is named by its first commit: the beginning of it tells it apart. */
export function shortName(repository: string): string {
  return repository.startsWith("root:") ? repository.slice(0, 12) : repository;
}

/** A type of memory, told apart by its word and a colour. */
export function TypeMark({ type }: { type: string }): VNode {
  return (
    <span
      class={`mark type-${/^(?:feedback|user|project|reference|solution|procedure|episode)$/.test(type) ? type : "other"}`}
    >
      {type}
    </span>
  );
}

const SIGNS: Record<Standing, string> = { fresh: "●", check: "◐", stale: "✕" };

/** How fresh a memory is: a sign, its word, and a colour. */
export function StandingMark({
  standing,
  words,
}: {
  standing?: Standing | undefined;
  words?: string;
}): VNode {
  if (standing === undefined) return <span class="quiet">–</span>;
  return (
    <span class={`standing ${standing}`} title={words ?? standing}>
      <span aria-hidden="true">{SIGNS[standing]}</span> {standing}
    </span>
  );
}

/** Estimated tokens of a text of `chars` characters. */
export function tokens(chars: number): string {
  return `≈ ${Math.round(chars / 4).toLocaleString("en")} tokens`;
}
