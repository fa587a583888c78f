import type { VNode } from "preact";
import type { Change, ShownMemory } from "../../../../heed.ts";
import { call, useAnswer } from "../state/call.ts";
import { attempt, takeBack, Waiting, concludeWrite, refused, sayChange } from "../parts/messages.tsx";
import { Diff, Text } from "../parts/text.tsx";
import { type Fact, OnDemand, Time, Facts, Known, Repository } from "../parts/words.tsx";
import { useState, useEffect, useRef } from "preact/hooks";
import { Form } from "../parts/fields.tsx";
import { page, show, linkTo } from "../state/page.ts";
import { Injection } from "../parts/receipt.tsx";

/** The last 20 changes, of one memory or of all, each with the way back. */
export function Changes({ handle }: { handle?: string }): VNode {
  const request = { handle, limit: 20 };
  const { value, error } = useAnswer(() => call("history.list", request), [handle]);
  if (!value) return <Waiting error={error} what="Reading the history" />;
  return (
    <>
      {value.map((change) => (
        <OnDemand
          key={change.id}
          summary={
            <>
              <Time of={change.time} /> <span class="quiet">{change.actor}</span> {wordsOf(change)}
            </>
          }
        >
          {() => (
            <>
              {handle !== undefined && <Difference handle={handle} change={change.id} />}
              <button onClick={() => void attempt(() => takeBack(change.id, handle))}>
                Take this change back
              </button>
            </>
          )}
        </OnDemand>
      ))}
    </>
  );
}

/** Without the handle of the one memory that it is about. */
function wordsOf({ summary, files: [file = "", ...more] }: Change): string {
  return more.length > 0 ? summary : summary.replace(` ${file.replace(/\.md$/, "")}: `, ": ");
}

function Difference({ handle, change }: { handle: string; change: string }): VNode {
  const { value, error } = useAnswer(() => call("history.diff", handle, { change }), [handle, change]);
  return value === undefined ? <Waiting error={error} what="Comparing" /> : <Diff text={value} />;
}

interface Action {
  memory: ShownMemory;
}

const ACTIONS: Readonly<Record<string, (props: Action) => VNode>> = {
  Edit,
  Verify: line(
    "Confirm it",
    "How did you check it? Its claims are checked again too.",
    async (memory, note) => {
      const result = await call("maintenance.verify", memory.id, { note });
      if (result.outcome === "refused") throw refused(result.refusals);
      return { id: result.change, summary: result.announcement };
    },
  ),
  Repair,
  Rename: line("Rename it", "New name", (memory, name) =>
    call("memories.rename", memory.id, name, memory.contentHash),
  ),
  Remove: line("Remove it", "Why is it removed?", async (memory, reason) => {
    const change = await call("memories.remove", memory.id, reason, memory.contentHash);
    show({ open: "" });
    return change;
  }),
};

/** What can be done with a memory; `do` in the address says which is at hand, so that a finding can lead to it. */
function MemoryActions({ memory }: Action): VNode {
  const { do: doing = "" } = page.params;
  const { metadata, store } = memory;
  if (store.isReadOnly || metadata.section !== undefined)
    return <p class="note">Another tool owns this memory: heed only reads it.</p>;
  const Chosen = Object.hasOwn(ACTIONS, doing) ? ACTIONS[doing] : undefined;
  return (
    <section>
      <div class="buttons" role="group" aria-label="Actions">
        {Object.keys(ACTIONS).map((name) => (
          <button
            aria-expanded={doing === name}
            onClick={() => show({ do: doing === name ? "" : name, reason: "" })}
          >
            {name}
          </button>
        ))}
      </div>
      {Chosen && <Chosen memory={memory} />}
    </section>
  );
}

/** An action that needs one line, and makes a change. */
function line(
  button: string,
  label: string,
  act: (memory: ShownMemory["metadata"], given: string) => Promise<Pick<Change, "id" | "summary">>,
): (props: Action) => VNode {
  return ({ memory: { metadata } }) => (
    <Form button={button} act={async (given) => sayChange(await act(metadata, given))}>
      <label>
        {label}
        <input
          name="given"
          autoComplete="off"
          defaultValue={page.params["reason"] ?? ""}
          required
          autoFocus
        />
      </label>
    </Form>
  );
}

function Repair({ memory: { metadata } }: Action): VNode {
  const { id, contentHash } = metadata;
  const { value, error } = useAnswer(() => call("maintenance.repair", id, {}), [id, contentHash]);
  if (!value) return <Waiting error={error} what="Searching git" />;
  const accept = async (): Promise<void> => {
    const request = { isApplied: true, ifHash: value.hash };
    const { change = "" } = await call("maintenance.repair", id, request);
    sayChange({ id: change, summary: `repaired: ${metadata.statement}` });
  };
  return (
    <>
      {value.steps.map(({ words, was, becomes }) => (
        <p>
          {words}: <code>{was}</code> becomes <code>{becomes}</code>
        </p>
      ))}
      {value.open.map((claim) => (
        <p class="quiet">
          git cannot tell where <code>{claim}</code> went: edit the memory.
        </p>
      ))}
      {value.outcome === "nothing" ? (
        <p class="quiet">git knows no repair for this.</p>
      ) : (
        <Form button="Make exactly this change" act={accept}>
          <Diff text={value.diff} />
        </Form>
      )}
    </>
  );
}

/** Replaces exactly what was read: a file that somebody changed meanwhile is not overwritten. */
function Edit({ memory: { metadata } }: Action): VNode {
  const { id, contentHash } = metadata;
  const { value, error } = useAnswer(() => call("memories.showFile", id), [id], 0);
  const [ifHash] = useState(contentHash);
  if (!value) return <Waiting error={error} what="Reading the file" />;
  return (
    <Form
      button="Save"
      act={async (text) => concludeWrite(await call("memories.edit", id, { text, ifHash }))}
    >
      <label>
        The whole file; it is checked before it is saved
        <textarea name="given" autoComplete="off" rows={16} spellcheck={false} defaultValue={value.text} />
      </label>
    </Form>
  );
}

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
