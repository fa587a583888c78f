import type { VNode } from "preact";
import { address, linkTo, show } from "../state/address.ts";
import { call } from "../state/call.ts";
import { takeBack, Waiting } from "../parts/messages.tsx";
import { plural, Repository, Time } from "../parts/words.tsx";
import { overview, useAnswer } from "../state/live.ts";
import { useEffect, useState } from "preact/hooks";
import type { ConversationPlace, ShownPassage } from "../../../../heed.ts";
import { Choices, Form, Head, OtherRepositories } from "../parts/fields.tsx";

const CHANGES = 100;
const VIEWS: readonly (readonly [view: string, title: string])[] = [
  ["sessions", "Sessions"],
  ["said", "What was said"],
  ["changes", "Changes of memories"],
];

/** What happened: sessions by branch, what was said in them, and changes of memories, which can be taken back. */
export function HistoryScreen(): VNode {
  const { view = "sessions" } = address.value.params;
  return (
    <>
      <Head title="History">
        <Choices
          label="What to show"
          words={VIEWS}
          chosen={view}
          onChoose={(name) => show({ view: name, session: "" })}
        />
      </Head>
      {view === "changes" ? <Changes /> : view === "said" ? <Conversations /> : <Sessions />}
    </>
  );
}

function Sessions(): VNode {
  // All branches of this repository: as memories, only those of the current branch apply.
  const { value, error } = useAnswer(
    () => call("memories.list", { types: ["episode"], isScopedHere: false }),
    [],
    ["memories"],
  );
  if (!value || !overview.value) return <Waiting error={error} what="Reading episodes" />;
  const { repository } = overview.value;
  const here = value.filter(({ scope }) => scope.repo === undefined || scope.repo === repository);
  if (here.length === 0)
    return (
      <p class="empty">
        No session of this repository has left a record yet: one is written when a session ends. See{" "}
        <a href={linkTo("now")}>what sessions were given</a>, or{" "}
        <a href={linkTo("history", { view: "said" })}>what was said in them</a>.
      </p>
    );
  const byBranch = Map.groupBy(
    here.toSorted((a, b) => (b.updated ?? b.created ?? "").localeCompare(a.updated ?? a.created ?? "")),
    ({ scope }) => scope.branch ?? "no branch",
  );
  return (
    <>
      {[...byBranch].map(([branch, episodes]) => (
        <section>
          <h3>
            {branch} <span class="quiet">{plural(episodes.length, "session")}</span>
          </h3>
          <ul class="findings">
            {episodes.map(({ id, description, updated, created, status }) => (
              <li>
                <a href={linkTo("memories", { open: id })}>{description}</a>
                <span class="quiet">
                  {status === "open" && "not finished · "}
                  <Time of={updated ?? created} />
                </span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function Changes(): VNode {
  const { value, error } = useAnswer(() => call("history.list", { limit: CHANGES }), [], ["memories"]);
  if (!value) return <Waiting error={error} what="Reading the history" />;
  if (value.length === 0)
    return (
      <p class="empty">
        Nothing was changed yet. <a href={linkTo("memories", { open: "new" })}>Write a memory</a>
      </p>
    );
  return (
    <ul class="findings">
      {value.map(({ id, time, actor, summary, files }) => (
        <li key={id}>
          <span>
            {summary}{" "}
            <span class="quiet">
              by {actor}
              {files.length > 3 ? `, ${plural(files.length, "file")}` : ""} · <Time of={time} />
            </span>
          </span>
          <button class="plain" onClick={() => void takeBack(id)}>
            take back<span class="unseen"> {summary}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

const FOUND = 20;
/** The server does nothing else while it reads new transcripts: a moment at a time. */
const READ_MS = 80;
const KINDS: Readonly<Record<ShownPassage["kind"], string>> = {
  said: "you",
  answer: "the agent",
  fixed: "what failed, and then worked",
  record: "kept as a record",
};

/** What was said in past sessions, searched where the agents' transcripts lie. */
export function Conversations(): VNode {
  const { said = "", session = "", all = "" } = address.value.params;
  return (
    <>
      <Form class="filters" isSearch onSubmit={({ said: words = "" }) => show({ said: words, session: "" })}>
        <input
          type="search"
          name="said"
          data-search
          aria-label="Search in past conversations"
          placeholder="What was it about?   /"
          defaultValue={said}
        />
        <OtherRepositories />
        <button>Search</button>
      </Form>
      {session === "" ? <Found said={said} isEverywhere={all === "yes"} /> : <Whole session={session} />}
    </>
  );
}

function Found({ said, isEverywhere }: { said: string; isEverywhere: boolean }): VNode {
  const [round, setRound] = useState(0);
  const { value, error } = useAnswer(
    () =>
      call("conversations.search", {
        ...(said !== "" && { text: said }),
        isEverywhere,
        limit: FOUND,
        readMs: READ_MS,
      }),
    [said, isEverywhere, round],
    ["settings"],
  );
  // What clients wrote since is read a little at a time, until all of it is.
  useEffect(() => {
    if (value?.isPartial === true) setRound(round + 1);
  }, [value]);
  if (!value || value.isPartial) return <Waiting error={error} what="Reading what was said" />;
  const { conversations, count, isOff } = value;
  if (isOff) return <p class="empty">Past conversations are not kept here: history is off.</p>;
  return (
    <>
      {conversations.length === 0 && (
        <p class="empty">
          {count === 0
            ? "No transcript was found on this machine."
            : "Nothing of that was said, as far as is kept."}
        </p>
      )}
      {conversations.map((found) => (
        <article class="card" key={found.session}>
          <Place place={found} />
          <Passages passages={found.passages} />
          <button class="plain" onClick={() => show({ session: found.session })}>
            the whole conversation
          </button>
        </article>
      ))}
    </>
  );
}

function Whole({ session }: { session: string }): VNode {
  const [from, setFrom] = useState(0);
  const { value, error } = useAnswer(
    () => call("conversations.show", { session, from, limit: 200, readMs: READ_MS }),
    [session, from],
  );
  if (!value) return <Waiting error={error} what="Reading" />;
  const end = value.from + value.passages.length;
  return (
    <article class="card">
      <Place place={value} />
      <Passages passages={value.passages} />
      {value.count > value.passages.length && (
        <p class="quiet">
          {value.from + 1} to {end} of {plural(value.count, "passage")}.{" "}
          <button class="plain" onClick={() => setFrom(end < value.count ? end : 0)}>
            {end < value.count ? "the rest" : "the beginning"}
          </button>
        </p>
      )}
      <button onClick={() => show({ session: "" })}>Back to the search</button>
    </article>
  );
}

function Place({ place: { client, repo, branch, ended, started } }: { place: ConversationPlace }): VNode {
  return (
    <p class="marks">
      <Time of={ended === "" ? started : ended} />
      <strong>{client}</strong>
      <span class="quiet">
        {repo !== "" && <Repository of={repo} />} {branch}
      </span>
    </p>
  );
}

function Passages({ passages }: { passages: readonly ShownPassage[] }): VNode {
  return (
    <dl class="passages">
      {passages.map(({ kind, text }) => (
        <>
          <dt>{KINDS[kind]}</dt>
          <dd>{text}</dd>
        </>
      ))}
    </dl>
  );
}
