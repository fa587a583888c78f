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

const WHEN = { dateStyle: "medium", timeStyle: "short" } as const;

/** In local time; it stays true while the page is open. */
export function Time({ of }: { of: string | undefined }): VNode {
  if (of === undefined || Number.isNaN(Date.parse(of))) return <span class="quiet">{of ?? "never"}</span>;
  return <time dateTime={of}>{new Date(of).toLocaleString("en-GB", WHEN)}</time>;
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

export type Fact = readonly [label: string, value: ComponentChildren];

/** A line for each fact; empty ones are left out. */
export function Facts(props: { facts: readonly Fact[] }): VNode {
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
