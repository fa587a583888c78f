import type { VNode } from "preact";
import type { Standing, SurveyedMemory } from "../../../../heed.ts";
import { address, linkTo, show } from "../state/address.ts";
import { call } from "../state/call.ts";
import { Chart } from "../parts/chart.tsx";
import { groupBy } from "../parts/group-by.ts";
import { Waiting } from "../parts/trouble.tsx";
import { plural } from "../parts/words.tsx";
import { useAnswer } from "../state/use-answer.ts";

const SPANS = ["7", "30", "90"] as const;
const STANDINGS: readonly Standing[] = ["fresh", "check", "stale"];

/** What one would rather look at than read: memories over time, what was told and used, freshness by type. */
export function PictureScreen(): VNode {
  const { days = "30" } = address.value.params;
  const span = SPANS.find((known) => known === days) ?? "30";
  const activity = useAnswer(() => call("session.activity", { days: Number(span) }), [span], ["told"]);
  const memories = useAnswer(() => call("memories.survey", {}), [], ["memories"]);
  const error = activity.error ?? memories.error;
  if (!activity.value || !memories.value) return <Waiting error={error} what="Counting" />;
  const labels = activity.value.map(({ date }) => date);
  const of = (pick: (day: NonNullable<typeof activity.value>[number]) => number): number[] =>
    activity.value?.map(pick) ?? [];
  return (
    <>
      <div class="head">
        <h2>Picture</h2>
        <div class="buttons" role="group" aria-label="Span">
          {SPANS.map((known) => (
            <button
              type="button"
              class={known === span ? "is-on" : ""}
              aria-pressed={known === span}
              onClick={() => show({ days: known })}
            >
              {known} days
            </button>
          ))}
        </div>
      </div>
      <div class="charts">
        <Chart
          title="Memories over time"
          kind="area"
          labels={labels}
          series={[{ name: "memories", colour: "one", values: growthOf(memories.value, labels) }]}
        />
        <Chart
          title="Told and used"
          kind="bars"
          labels={labels}
          series={[
            { name: "told whole or in part", colour: "one", values: of(({ toldBodies }) => toldBodies) },
            { name: "told as a line", colour: "two", values: of(({ toldPointers }) => toldPointers) },
            { name: "cited or applied", colour: "three", values: of(({ used }) => used) },
          ]}
        />
        <Chart
          title="Prompts"
          kind="bars"
          labels={labels}
          series={[
            { name: "prompts", colour: "two", values: of(({ prompts }) => prompts) },
            { name: "told something", colour: "one", values: of(({ promptsTold }) => promptsTold) },
          ]}
        />
        <Freshness memories={memories.value} />
      </div>
    </>
  );
}

/** How many memories there were at the end of each day, by when those of today came to be. */
function growthOf(memories: readonly SurveyedMemory[], dates: readonly string[]): number[] {
  const born = memories.map(({ created, updated }) => (created ?? updated ?? "").slice(0, 10)).sort();
  let count = 0;
  return dates.map((date) => {
    while ((born[count] ?? "9") <= date) count += 1;
    return count;
  });
}

function Freshness({ memories }: { memories: readonly SurveyedMemory[] }): VNode {
  const byType = groupBy(memories, ({ type }) => type);
  return (
    <figure class="card chart">
      <figcaption>
        <h3>Fresh, by type</h3>
      </figcaption>
      <ul class="shares">
        {byType.map(([type, all]) => {
          const counts = STANDINGS.map(
            (standing) => all.filter((memory) => memory.standing === standing).length,
          );
          return (
            <li>
              <span>
                {type} <span class="quiet">{plural(all.length, "memory", "memories")}</span>
              </span>
              <span class="share" aria-hidden="true">
                {STANDINGS.map((standing, i) => (
                  <span class={`bar ${standing}`} style={{ flexGrow: counts[i] ?? 0 }} />
                ))}
              </span>
              <span>
                {STANDINGS.map((standing, i) =>
                  counts[i] === 0 ? null : (
                    <a class={`standing ${standing}`} href={linkTo("memories", { type, fresh: standing })}>
                      {counts[i]} {standing}
                    </a>
                  ),
                )}
              </span>
            </li>
          );
        })}
      </ul>
    </figure>
  );
}
