import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { ShownMemory } from "../../../../heed.ts";
import { call, useAnswer } from "../state/call.ts";
import { Changes } from "../parts/changes.tsx";
import { Waiting } from "../parts/messages.tsx";
import { Why } from "../parts/receipt.tsx";
import { Text } from "../parts/text.tsx";
import { Facts, Known, OnDemand, Repository, Time } from "../parts/words.tsx";
import { linkTo, page } from "../state/page.ts";
import { MemoryActions } from "./memory-actions.tsx";

export function MemoryDetail({ handle }: { handle: string }): VNode {
  const { value, error } = useAnswer(() => call("memories.show", handle), [handle], ["memories", "inbox"]);
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
        <code class="handle">heed:{name}</code>
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
      {verdict && <Claims verdict={verdict} />}
      <About memory={memory} />
      {!isPending && <Injections name={name} />}
      {!isPending && (
        <section>
          <h3>How it came to be</h3>
          <Changes handle={id} />
        </section>
      )}
    </>
  );
}

function Claims(props: { verdict: NonNullable<ShownMemory["verdict"]> }): VNode | null {
  const { claims, calendar } = props.verdict;
  const checked = [
    ...claims.broken.map((one) => ({ ...one, mark: "✕ broken", style: "bad" })),
    ...claims.unchecked.map((one) => ({ ...one, mark: "– unchecked", style: "quiet" })),
    ...claims.kept.map((claim) => ({ claim, finding: "", mark: "✓ holds", style: "quiet" })),
  ];
  if (checked.length === 0 && calendar.verified === undefined) return null;
  return (
    <section>
      <h3>Checked against the code</h3>
      <ul>
        {checked.map(({ mark, style, claim, finding }) => (
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

function About({ memory: { metadata, store, path } }: { memory: ShownMemory }): VNode {
  const { scope, origin, tags, trigger, aliases, links, created, updated, expires, source, salience } =
    metadata;
  const joined = (...words: (string | undefined)[]): string => words.filter(Boolean).join(" · ");
  return (
    <section>
      <h3>About it</h3>
      <Facts
        facts={[
          ["tags", tags.join(", ")],
          ["trigger", trigger.join(", ")],
          ["other words", aliases.join(", ")],
          ["repository", scope.repo && <Repository of={scope.repo} />],
          ["holds for", joined(scope.branch, ...(scope.paths ?? []))],
          ["store", store.kind],
          ["expires", expires],
          ["source", `${source}, salience ${salience}`],
          ["origin", joined(origin.client, origin.actor, origin.branch)],
          ["created", created && <Time of={created} />],
          ["changed", updated && <Time of={updated} />],
          ["file", <code>{path}</code>],
          ...links.map(
            ({ rel, to }) =>
              [rel, <a href={linkTo("memories", { ...page.params, open: to })}>{to}</a>] as const,
          ),
        ]}
      />
    </section>
  );
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
      <h3>When it was injected, and why</h3>
      {value?.length === 0 && <p class="quiet">Never, as far as receipts are kept.</p>}
      {value?.map(({ id, time, kind, about }) => (
        <OnDemand
          key={id}
          summary={
            <>
              <Time of={time} /> {kind.replace("-", " ")}{" "}
              {kind !== "session-start" && <q class="quiet">{about}</q>}
            </>
          }
        >
          {() => <Why receipt={id} />}
        </OnDemand>
      ))}
      {value?.length === INJECTIONS && <p class="quiet">The newest {INJECTIONS}.</p>}
    </section>
  );
}
