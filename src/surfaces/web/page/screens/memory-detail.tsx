import { Facts } from "../parts/fields.tsx";
import type { VNode } from "preact";
import type { ShownMemory } from "../../../../heed.ts";
import { address, linkTo, show } from "../state/address.ts";
import { call } from "../state/call.ts";
import { Diff, Markdown } from "../parts/markdown.tsx";
import { takeBack, Waiting } from "../parts/messages.tsx";
import { plural, shortName, StandingMark, Time, TypeMark } from "../parts/words.tsx";
import { overview, useAnswer } from "../state/live.ts";
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
  const { metadata, body, store, path, notes, verdict, isPending } = memory;
  return (
    <>
      <h2 class="name">{metadata.name}</h2>
      <p class="marks">
        <TypeMark type={metadata.type} />
        {verdict && <StandingMark standing={verdict.standing} words={verdict.words} />}
        <span class="tag">{metadata.status}</span>
        <span class="tag">{metadata.confidence} confidence</span>
        <span class="tag">{store.kind} store</span>
      </p>
      {notes.map((note) => (
        <p class="note">{note}</p>
      ))}
      {!body.toLowerCase().startsWith(metadata.description.toLowerCase()) && (
        <p class="statement">{metadata.description}</p>
      )}
      <Markdown text={body} />
      {isPending ? (
        <p>
          <a class="button" href={linkTo("review")}>
            Review it
          </a>
        </p>
      ) : (
        <MemoryActions key={metadata.id} memory={memory} />
      )}
      {verdict && <Claims verdict={verdict} />}
      <About memory={memory} path={path} />
      {!isPending && <Injections name={metadata.name} />}
      {!isPending && <Changes handle={metadata.id} />}
    </>
  );
}

function Claims({ verdict }: { verdict: NonNullable<ShownMemory["verdict"]> }): VNode {
  const { claims, words, recommendation, unchecked, calendar } = verdict;
  const marked = [
    ...claims.broken.map(({ claim, finding }) => ["✕ broken", "stale", claim, finding]),
    ...claims.unchecked.map(({ claim, finding }) => ["◐ unchecked", "check", claim, finding]),
    ...claims.kept.map((claim) => ["● holds", "fresh", claim]),
  ];
  return (
    <section>
      <h3>Does it still hold?</h3>
      <p>{words}</p>
      {recommendation !== "" && recommendation !== words && <p class="quiet">{recommendation}</p>}
      <ul>
        {marked.map(([mark, standing, claim, finding]) => (
          <li>
            <span class={`standing ${standing}`}>{mark}</span> <code>{claim}</code> {finding}
          </li>
        ))}
      </ul>
      {marked.length === 0 && (
        <p class="quiet">It makes no claim that can be checked against the work tree.</p>
      )}
      {unchecked.length > 0 && <p class="quiet">{unchecked.join(" · ")}</p>}
      <p class="quiet">
        verified <Time of={calendar.verified} />
      </p>
    </section>
  );
}

function About({ memory: { metadata }, path }: { memory: ShownMemory; path: string }): VNode {
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
          ["handle", <code>heed:{metadata.name}</code>],
          ["tags", tags.join(", ")],
          ["trigger", trigger.join(", ")],
          ["aliases", aliases.join(", ")],
          ["scope", joined(repoName(scope.repo), scope.branch, ...(scope.paths ?? []))],
          ["expires", expires],
          ["source", `${source}, salience ${salience}`],
          ["origin", joined(origin.client, origin.actor, repoName(origin.repo), origin.branch)],
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

function repoName(repository: string | undefined): string | undefined {
  if (repository === undefined) return undefined;
  return repository === overview.value?.repository
    ? `this repository (${shortName(repository)})`
    : shortName(repository);
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
      <button onClick={() => void takeBack(change)}>Take this change back</button>
    </>
  );
}
