import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";
import type { MemorySummary } from "../../../../heed.ts";
import { call, useAnswer } from "../state/call.ts";
import { linkTo, page } from "../state/page.ts";

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

/** Estimated tokens of a text of `chars` characters. */
export function tokens(chars: number): string {
  return `≈ ${Math.round(chars / 4).toLocaleString("en")} tokens`;
}

const UNITS = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;
const AGO = new Intl.RelativeTimeFormat("en");

/** `3 days ago`, with the exact time behind it. */
export function Time({ of }: { of: string | undefined }): VNode {
  const seconds = (Date.parse(of ?? "") - Date.now()) / 1000;
  if (of === undefined || Number.isNaN(seconds)) return <span class="quiet">{of ?? "never"}</span>;
  const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ["second", 1];
  return (
    <time dateTime={of} title={of}>
      {AGO.format(Math.trunc(seconds / size), unit)}
    </time>
  );
}

/** A repository's address, or the folder of one without a remote. */
export function Repository({ of }: { of: string }): VNode {
  const { value } = useAnswer(() => call("setup.repositoryLabel", of), [of]);
  return <span title={of}>{value ?? "…"}</span>;
}

export function MemoryLink({ name }: { name: string }): VNode {
  const says = page.memories.value?.find((memory) => memory.name === name)?.statement;
  return <a href={linkTo("memories", { open: name })}>{says ?? name}</a>;
}

/** What is known against a memory: moved, changed, expired, missing. */
export function Known({ known, standing }: Pick<MemorySummary, "known" | "standing">): VNode | null {
  if (known === undefined || known === "") return null;
  const isBad = standing === "stale";
  return (
    <span class={isBad ? "known bad" : "known"}>
      <span aria-hidden="true">{isBad ? "✕" : "◐"}</span> {known.replace(/^(?:check|stale): /, "")}
    </span>
  );
}

/** A line for each fact; empty ones are left out. */
export function Facts(props: { facts: readonly (readonly [label: string, ComponentChildren])[] }): VNode {
  const known = props.facts.filter(([, value]) => value !== undefined && value !== "");
  return (
    <dl>
      {known.map(([label, value]) => (
        <>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  );
}

export function OnDemand(props: { summary: ComponentChildren; children: () => VNode }): VNode {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{props.summary}</summary>
      {isOpen && props.children()}
    </details>
  );
}
