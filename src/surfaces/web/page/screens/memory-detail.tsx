import { Facts } from "../parts/fields.tsx";
import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { ShownMemory } from "../../../../heed.ts";
import { address, linkTo, show } from "../state/address.ts";
import { call } from "../state/call.ts";
import { Diff, Markdown } from "../parts/markdown.tsx";
import { takeBack, Waiting } from "../parts/messages.tsx";
import { Known, plural, Repository, Time } from "../parts/words.tsx";
import { useAnswer } from "../state/live.ts";
import { MemoryActions } from "./memory-actions.tsx";

/** One memory in full: its text, what it claims, what became of it, and what can be done with it. */
export function MemoryDetail({ handle }: { handle: string }): VNode {
  const { value, error } = useAnswer(() => call("memories.show", handle), [handle], ["memories", "inbox"]);
  return (
    <article class="pane detail" aria-label="Memory">
      <button class="plain close" onClick={() => show({ open: "", do: "" })}>
        Close <kbd aria-hidden="true">Esc</kbd>
      </button>
      {value ? <Shown memory={value} /> : <Waiting error={error} what="Reading" />}
    </article>
  );
}

function Shown({ memory }: { memory: ShownMemory }): VNode {
  const { metadata, body, path, notes, verdict, isPending } = memory;
  const { name, type, description, status, confidence } = metadata;
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${description} · heed`;
    // Who walks through the list stays in it.
    if (document.activeElement?.closest(".rows, .detail form") === null) title.current?.focus();
  }, []);
  const unusual = [
    ...(status === "confirmed" ? [] : [status]),
    ...(confidence === "high" ? [] : [`${confidence} confidence`]),
  ];
  return (
    <>
      <h2 class="statement" tabIndex={-1} ref={title}>
        {description}
      </h2>
      <p class="marks">
        <span class="tag">{type}</span>
        <code class="handle">heed:{name}</code>
        {unusual.map((word) => (
          <span class="tag">{word}</span>
        ))}
      </p>
      {notes.map((note) => (
        <p class="note">{note}</p>
      ))}
      {!isSame(body, description) && <Markdown text={body} />}
      {verdict && verdict.mark !== "" && (
        <p>
          <Known known={verdict.words} standing={verdict.standing} />
        </p>
      )}
      {isPending ? (
        <p>
          <a class="button primary" href={linkTo("review")}>
            Review it
          </a>
        </p>
      ) : (
        <MemoryActions key={metadata.id} memory={memory} />
      )}
      {verdict && <Claims verdict={verdict} />}
      <About memory={memory} path={path} />
      {!isPending && <Injections name={name} />}
      {!isPending && <Changes handle={metadata.id} />}
    </>
  );
}

/** Whether a text says nothing but its sentence. */
function isSame(body: string, sentence: string): boolean {
  return body.trim().replace(/\.$/, "").toLowerCase() === sentence.trim().replace(/\.$/, "").toLowerCase();
}

function Claims({
  verdict: { claims, calendar },
}: {
  verdict: NonNullable<ShownMemory["verdict"]>;
}): VNode | null {
  const marked = [
    ...claims.broken.map(({ claim, finding }) => ["✕ broken", "bad", claim, finding]),
    ...claims.unchecked.map(({ claim, finding }) => ["– unchecked", "quiet", claim, finding]),
    ...claims.kept.map((claim) => ["✓ holds", "quiet", claim]),
  ];
  if (marked.length === 0 && calendar.verified === undefined) return null;
  return (
    <section>
      <h3>Checked against the code</h3>
      <ul>
        {marked.map(([mark, style, claim, finding]) => (
          <li>
            <span class={style}>{mark}</span> <code>{claim}</code> {finding}
          </li>
        ))}
      </ul>
      {calendar.verified !== undefined && (
        <p class="quiet">
          verified <Time of={calendar.verified} />
        </p>
      )}
    </section>
  );
}

function About({ memory: { metadata, store }, path }: { memory: ShownMemory; path: string }): VNode {
  const { scope, origin, tags, trigger, aliases, links, created, updated, expires, source, salience } =
    metadata;
  const related = links.map(
    ({ rel, to }) =>
      [rel, <a href={linkTo("memories", { ...address.value.params, open: to })}>{to}</a>] as const,
  );
  return (
    <section>
      <h3>About it</h3>
      <Facts
        facts={[
          ["tags", tags.join(", ")],
          ["trigger", trigger.join(", ")],
          ["aliases", aliases.join(", ")],
          ["repository", scope.repo && <Repository of={scope.repo} />],
          ["holds for", joined(scope.branch, ...(scope.paths ?? []))],
          ["store", store.kind],
          ["expires", expires],
          ["source", `${source}, salience ${salience}`],
          ["origin", joined(origin.client, origin.actor, origin.branch)],
          ["created", created && <Time of={created} />],
          ["changed", updated && <Time of={updated} />],
          ["file", <code class="path">{path}</code>],
          ...related,
        ]}
      />
    </section>
  );
}

function joined(...words: (string | undefined)[]): string {
  return words.filter(Boolean).join(" · ");
}

const INJECTIONS = 10;

function Injections({ name }: { name: string }): VNode {
  const { value } = useAnswer(
    () => call("session.receipts", { name, limit: INJECTIONS }),
    [name],
    ["injected"],
  );
  return (
    <section>
      <h3>When it was injected</h3>
      {value?.length === 0 && <p class="quiet">Not once, as far as receipts are kept.</p>}
      <ul>
        {value?.map(({ id, time, kind, about, decisions }) => (
          <li>
            <Time of={time} />{" "}
            <a href={linkTo("why", { receipt: id })}>
              {decisions.find((one) => one.name === name)?.form ?? kind}
            </a>{" "}
            <span class="quiet">{kind === "prompt" ? `“${about}”` : kind}</span>
          </li>
        ))}
      </ul>
      {value?.length === INJECTIONS && <p class="quiet">The newest {plural(INJECTIONS, "injection")}.</p>}
    </section>
  );
}

function Changes({ handle }: { handle: string }): VNode {
  const { value } = useAnswer(() => call("history.list", { handle, limit: 20 }), [handle], ["memories"]);
  const { change } = address.value.params;
  return (
    <section>
      <h3>How it came to be</h3>
      <ul>
        {value?.map(({ id, time, actor, summary }) => (
          <li>
            <Time of={time} /> <span class="quiet">{actor}</span> {summary}{" "}
            <button
              class="plain"
              aria-expanded={change === id}
              onClick={() => show({ change: change === id ? "" : id })}
            >
              difference
            </button>
            {change === id && <ChangeDiff handle={handle} change={id} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

function ChangeDiff({ handle, change }: { handle: string; change: string }): VNode {
  const { value, error } = useAnswer(() => call("history.diff", handle, { change }), [handle, change]);
  if (value === undefined) return <Waiting error={error} what="Comparing" />;
  return (
    <>
      <Diff text={value} />
      <button onClick={() => void takeBack(change, handle)}>Take this change back</button>
    </>
  );
}
