import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { ShownMemory } from "../../../../heed.ts";
import { call, useAnswer } from "../state/call.ts";
import { Changes } from "../parts/changes.tsx";
import { Waiting } from "../parts/messages.tsx";
import { Injection } from "../parts/receipt.tsx";
import { Text } from "../parts/text.tsx";
import { type Fact, Facts, Known, Repository, Time } from "../parts/words.tsx";
import { linkTo, page } from "../state/page.ts";
import { MemoryActions } from "./memory-actions.tsx";

export function MemoryDetail({ handle }: { handle: string }): VNode {
  const { value, error } = useAnswer(() => call("memories.show", handle), [handle]);
  return (
    <article class="detail" aria-label="Memory">
      <a class="close" href={linkTo("memories", { ...page.params, open: "", do: "" })}>
        Close
      </a>
      {value ? <Shown memory={value} /> : <Waiting error={error} what="Reading" />}
    </article>
  );
}

function Shown({ memory }: { memory: ShownMemory }): VNode {
  const { metadata, body, notes, verdict, isPending } = memory;
  const { id, name, type, statement, status, confidence } = metadata;
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${statement} · heed`;
    if (!document.activeElement?.closest(".detail form")) title.current?.focus();
    return () => {
      document.title = "Memories · heed";
      document.getElementById(id)?.focus();
    };
  }, []);
  return (
    <>
      <h2 class="statement" tabIndex={-1} ref={title}>
        {statement}
      </h2>
      <p class="marks">
        <span class="tag">{type}</span>
        <code class="quiet">heed:{name}</code>
        {status !== "confirmed" && <span class="tag">{status}</span>}
        {confidence !== "high" && <span class="tag">{confidence} confidence</span>}
      </p>
      {notes.map((note) => (
        <p class="note">{note}</p>
      ))}
      {body.trim() !== statement.trim() && <Text text={body} />}
      {verdict && verdict.mark !== "" && <Known known={verdict.words} standing={verdict.standing} />}
      {isPending ? (
        <p>
          <a class="button primary" href={linkTo("review")}>
            Review it
          </a>
        </p>
      ) : (
        <MemoryActions key={id} memory={memory} />
      )}
      <About memory={memory} />
      {!isPending && (
        <>
          <Injections name={name} />
          <h3>How it came to be</h3>
          <Changes handle={id} />
        </>
      )}
    </>
  );
}

function About({ memory }: { memory: ShownMemory }): VNode {
  const { metadata, store, path, verdict } = memory;
  const { scope, origin, tags, trigger, aliases, links, created, updated, expires } = metadata;
  const { broken = [], unchecked = [], kept = [] } = verdict?.claims ?? {};
  const guards = useAnswer(() => call("guards.list"), []).value?.guards ?? [];
  const joined = (...words: (string | undefined)[]): string => words.filter(Boolean).join(" · ");
  const when = (time: string | undefined) => time && <Time of={time} />;
  const checked = [
    ...broken.map((one) => ["✕ broken", one] as const),
    ...unchecked.map((one) => ["– unchecked", one] as const),
    ...kept.map((claim) => ["✓ holds", { claim, finding: "" }] as const),
  ].map(([mark, { claim, finding }]): Fact => [
    mark,
    <>
      <code>{claim}</code> {finding}
    </>,
  ]);
  return (
    <section>
      <h3>About it</h3>
      <Facts
        facts={[
          ...checked,
          ["verified", when(verdict?.calendar.verified)],
          ...guards
            .filter(({ handle }) => handle === `heed:${metadata.name}`)
            .map(({ summary, whyNot }): Fact => [
              "guard",
              joined(summary, whyNot && `not in force: ${whyNot}`),
            ]),
          ["found by", joined(...tags, ...trigger, ...aliases)],
          ["repository", scope.repo && <Repository of={scope.repo} />],
          ["holds for", joined(scope.branch, ...(scope.paths ?? []))],
          ["expires", expires],
          ["origin", joined(origin.client, origin.actor, origin.branch)],
          ["created", when(created)],
          ["changed", when(updated)],
          [`${store.kind} store`, <code>{path}</code>],
          ...links.map(({ rel, to }): Fact => [
            rel,
            <a href={linkTo("memories", { ...page.params, open: to })}>{to}</a>,
          ]),
        ]}
      />
    </section>
  );
}

const INJECTIONS = 10;

function Injections({ name }: { name: string }): VNode {
  const request = { name, limit: INJECTIONS };
  const { value } = useAnswer(() => call("session.receipts", request), [name]);
  return (
    <section>
      <h3>When it was injected, and why</h3>
      {value?.length === 0 && <p class="quiet">Never, as far as receipts are kept.</p>}
      <ol>
        {value?.map((receipt) => (
          <Injection key={receipt.id} receipt={receipt} name={name} />
        ))}
      </ol>
      {value?.length === INJECTIONS && <p class="quiet">The newest {INJECTIONS}.</p>}
    </section>
  );
}
