import type { VNode } from "preact";
import type { MemorySummary } from "../../../../heed.ts";
import { linkTo } from "../state/address.ts";
import { call } from "../state/call.ts";
import { memories, useAnswer } from "../state/live.ts";

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

/** A repository as a person calls it: its address, or the folder of one without a remote. */
export function Repository({ of }: { of: string }): VNode {
  const { value } = useAnswer(() => call("setup.repositoryLabel", of), [of]);
  return <span title={of}>{value ?? "…"}</span>;
}

/** A memory to be opened: what it says, and its name, small. */
export function MemoryLink({ name }: { name: string }): VNode {
  const says = memories.value.value?.find((memory) => memory.name === name)?.description;
  return (
    <>
      <a href={linkTo("memories", { open: name })}>{says ?? name}</a>{" "}
      {says !== undefined && <code class="handle">{name}</code>}
    </>
  );
}

/** What is known against a memory: it moved, changed, expired, is missing. Where nothing is known, nothing is shown. */
export function Known({ known, standing }: Pick<MemorySummary, "known" | "standing">): VNode | null {
  if (known === undefined || known === "") return null;
  const isBad = standing === "stale";
  return (
    <span class={isBad ? "known bad" : "known"}>
      <span aria-hidden="true">{isBad ? "✕" : "◐"}</span> {known.replace(/^(?:check|stale): /, "")}
    </span>
  );
}

/** Estimated tokens of a text of `chars` characters. */
export function tokens(chars: number): string {
  return `≈ ${Math.round(chars / 4).toLocaleString("en")} tokens`;
}
