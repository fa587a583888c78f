import type { VNode } from "preact";
import { address, linkTo, show } from "../state/address.ts";
import { call } from "../state/call.ts";
import { takeBack } from "../parts/act.ts";
import { groupBy } from "../parts/group-by.ts";
import { Waiting } from "../parts/trouble.tsx";
import { plural, Time } from "../parts/words.tsx";
import { Conversations } from "./conversations.tsx";
import { overview } from "../state/overview.ts";
import { useAnswer } from "../state/use-answer.ts";

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
      <div class="head">
        <h2>History</h2>
        <div class="buttons" role="group" aria-label="What of it">
          {VIEWS.map(([name, title]) => (
            <button
              type="button"
              class={view === name ? "is-on" : ""}
              aria-pressed={view === name}
              onClick={() => show({ view: name, session: "" })}
            >
              {title}
            </button>
          ))}
        </div>
      </div>
      {view === "changes" ? <Changes /> : view === "said" ? <Conversations /> : <Sessions />}
    </>
  );
}

function Sessions(): VNode {
  // Of all branches of this repository: as memories, those of the one at hand alone hold.
  const { value, error } = useAnswer(
    () => call("memories.list", { types: ["episode"], isScopedHere: false }),
    [],
    ["memories"],
  );
  if (!value || !overview.value) return <Waiting error={error} what="Reading episodes" />;
  const { repository } = overview.value;
  const here = value.filter(({ scope }) => scope.repo === undefined || scope.repo === repository);
  if (here.length === 0) return <p class="empty">No session of this repository was recorded yet.</p>;
  const byBranch = groupBy(
    here.toSorted((a, b) => (b.updated ?? b.created ?? "").localeCompare(a.updated ?? a.created ?? "")),
    ({ scope }) => scope.branch ?? "no branch",
  );
  return (
    <>
      {byBranch.map(([branch, episodes]) => (
        <section>
          <h3>
            {branch} <span class="quiet">{plural(episodes.length, "session")}</span>
          </h3>
          <ul class="timeline">
            {episodes.map(({ id, description, updated, created, status }) => (
              <li>
                <Time of={updated ?? created} />
                <a href={linkTo("memories", { open: id })}>{description}</a>
                {status === "open" && <span class="tag">open</span>}
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
  if (value.length === 0) return <p class="empty">Nothing was changed yet.</p>;
  return (
    <ul class="timeline">
      {value.map(({ id, time, actor, summary, files }) => (
        <li key={id}>
          <Time of={time} />
          <span>
            {summary} <span class="quiet">by {actor}</span>
            <span class="quiet">{files.length > 3 ? `, ${plural(files.length, "file")}` : ""}</span>
          </span>
          <button type="button" class="plain" onClick={() => void takeBack(id)}>
            take back<span class="unseen"> {summary}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
