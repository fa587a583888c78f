import { Choices } from "../parts/fields.tsx";
import type { VNode } from "preact";
import type { Standing, SurveyedMemory } from "../../../../heed.ts";
import { address, linkTo, show } from "../state/address.ts";
import { call } from "../state/call.ts";
import { groupBy, plural } from "../parts/words.tsx";
import { Waiting } from "../parts/messages.tsx";
import { useAnswer } from "../state/live.ts";

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
        <Choices
          label="Span"
          words={SPANS.map((known) => [known, `${known} days`])}
          chosen={span}
          onChoose={(known) => show({ days: known })}
        />
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

/** One kind of bar or line: its name, its class for the colour, and a value for each place on the axis. */
export interface Series {
  name: string;
  colour: "one" | "two" | "three";
  values: readonly number[];
}

interface ChartProps {
  title: string;
  /** What stands below the axis, one for each place. */
  labels: readonly string[];
  series: readonly Series[];
  kind: "bars" | "area";
}

const WIDTH = 480;
const HEIGHT = 140;
const GAP = 0.25;

/** A small chart, with the same numbers as a table for whoever would rather read. */
export function Chart({ title, labels, series, kind }: ChartProps): VNode {
  const top = Math.max(1, ...series.flatMap(({ values }) => values));
  const step = WIDTH / Math.max(1, labels.length);
  const y = (value: number): number => HEIGHT - (value / top) * (HEIGHT - 8);
  const points = (values: readonly number[]): string =>
    values
      .map(
        (value, i) => `${((i * WIDTH) / Math.max(1, values.length - 1)).toFixed(1)},${y(value).toFixed(1)}`,
      )
      .join(" L");
  const total = (values: readonly number[]): number =>
    kind === "bars" ? values.reduce((sum, value) => sum + value, 0) : (values.at(-1) ?? 0);
  return (
    <figure class="card chart">
      <figcaption>
        <h3>{title}</h3>
        <ul class="legend">
          {series.map(({ name, colour, values }) => (
            <li>
              <span class={`swatch fill-${colour}`} aria-hidden="true" /> {name}{" "}
              <strong>{total(values).toLocaleString("en")}</strong>
            </li>
          ))}
        </ul>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT + 18}`}
        role="img"
        aria-label={`${title}, ${labels[0]} to ${labels.at(-1)}`}
      >
        <line class="axis" x1="0" x2={WIDTH} y1={HEIGHT} y2={HEIGHT} />
        <text class="tick" x="0" y="10">
          {top.toLocaleString("en")}
        </text>
        {series.map(({ colour, values }, index) =>
          kind === "area" ? (
            <g class={`area fill-${colour}`}>
              <path class="below" d={`M0,${HEIGHT} L${points(values)} L${WIDTH},${HEIGHT} Z`} />
              <path class="edge" d={`M${points(values)}`} />
            </g>
          ) : (
            values.map((value, i) => {
              const width = (step * (1 - GAP)) / series.length;
              return value === 0 ? null : (
                <rect
                  class={`fill-${colour}`}
                  x={i * step + (step * GAP) / 2 + index * width}
                  y={y(value)}
                  width={width}
                  height={HEIGHT - y(value)}
                  rx="1"
                >
                  <title>{`${labels[i]}: ${value} ${series[index]?.name}`}</title>
                </rect>
              );
            })
          ),
        )}
        <text class="tick" x="0" y={HEIGHT + 14}>
          {labels[0]}
        </text>
        <text class="tick end" x={WIDTH} y={HEIGHT + 14}>
          {labels.at(-1)}
        </text>
      </svg>
      <details>
        <summary>as a table</summary>
        <div class="wide" tabIndex={0} role="region" aria-label={`${title}, as a table`}>
          <table>
            <thead>
              <tr>
                <th scope="col">day</th>
                {series.map(({ name }) => (
                  <th scope="col" class="number">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {labels.map((label, i) => (
                <tr>
                  <th scope="row">{label}</th>
                  {series.map(({ values }) => (
                    <td class="number">{values[i]}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}
