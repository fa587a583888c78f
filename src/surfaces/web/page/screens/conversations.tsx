import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ConversationPlace, ShownPassage } from "../../../../heed.ts";
import { call } from "../state/call.ts";
import { OtherRepositories } from "../parts/other-repositories.tsx";
import { Waiting } from "../parts/trouble.tsx";
import { plural, shortName, Time } from "../parts/words.tsx";
import { address, show } from "../state/address.ts";
import { useAnswer } from "../state/use-answer.ts";

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
      <form
        class="filters"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          const field = event.currentTarget.elements.namedItem("said") as HTMLInputElement;
          show({ said: field.value, session: "" });
        }}
      >
        <input
          type="search"
          name="said"
          data-search
          aria-label="Search in past conversations"
          placeholder="What was it about?   /"
          defaultValue={said}
        />
        <OtherRepositories />
        <button type="submit">Search</button>
      </form>
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
          <Head place={found} />
          {found.takenUpBy && (
            <p class="note">
              Taken up again <Time of={found.takenUpBy.time} />:{" "}
              <button
                type="button"
                class="plain"
                onClick={() => show({ session: found.takenUpBy?.session ?? "" })}
              >
                the newer conversation
              </button>
            </p>
          )}
          <Passages passages={found.passages} />
          <button type="button" class="plain" onClick={() => show({ session: found.session })}>
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
      <Head place={value} />
      <Passages passages={value.passages} />
      {value.count > value.passages.length && (
        <p class="quiet">
          {value.from + 1} to {end} of {plural(value.count, "passage")}.{" "}
          <button type="button" class="plain" onClick={() => setFrom(end < value.count ? end : 0)}>
            {end < value.count ? "the rest" : "the beginning"}
          </button>
        </p>
      )}
      <button type="button" onClick={() => show({ session: "" })}>
        Back to the search
      </button>
    </article>
  );
}

function Head({ place: { client, repo, branch, ended, started } }: { place: ConversationPlace }): VNode {
  return (
    <p class="marks">
      <Time of={ended === "" ? started : ended} />
      <strong>{client}</strong>
      <span class="quiet">{[shortName(repo), branch].filter((word) => word !== "").join(" · ")}</span>
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
