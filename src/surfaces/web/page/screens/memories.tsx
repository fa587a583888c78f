import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { MemorySummary, RuleRecord } from "../../../../heed.ts";
import { call, useAnswer } from "../state/call.ts";
import { Changes } from "../parts/changes.tsx";
import { Head } from "../parts/fields.tsx";
import { Waiting } from "../parts/messages.tsx";
import { Known, OnDemand, plural, Time } from "../parts/words.tsx";
import { linkTo, page, show } from "../state/page.ts";
import { MemoryDetail } from "./memory.tsx";
import { NewMemory } from "./new-memory.tsx";

/** Rows that are drawn at first, and with each step further. */
const ROWS = 200;
/** A memory, and what became of it where it is a rule that holds here. */
type Listed = MemorySummary & { record?: RuleRecord | undefined };

const FILTERS: Readonly<Record<string, (memory: Listed) => readonly string[]>> = {
  type: ({ type }) => [type],
  state: ({ known, status, hasGuard, injected, used }) => [
    ...(known === undefined ? [] : ["needs a look"]),
    ...(status === "confirmed" ? [] : [status]),
    ...(hasGuard ? ["with a guard"] : []),
    used > 0 ? "used" : injected > 0 ? "injected, never used" : "never injected",
  ],
  store: ({ store }) => [store],
};
const ORDERS: Readonly<Record<string, (a: Listed, b: Listed) => number>> = {
  "most stopped": (a, b) => timesStopped(b) - timesStopped(a),
  newest: (a, b) => (b.updated ?? b.created ?? "").localeCompare(a.updated ?? a.created ?? ""),
  "most injected": (a, b) => b.injected - a.injected,
  "last injected": (a, b) => (b.lastInjected ?? "").localeCompare(a.lastInjected ?? ""),
};

function timesStopped({ record }: Listed): number {
  return record?.stopped.times ?? -1;
}

/** All memories in a table, filtered by the address; one of them beside it. */
export function MemoriesScreen(): VNode {
  const { open = "", all = "" } = page.params;
  const { value, error } = page.memories;
  const { value: records } = useAnswer(() => call("guards.records", {}), [], ["memories"]);
  const listed = useMemo(() => {
    const byName = new Map(records?.rules.map((rule) => [rule.name, rule]));
    return (value ?? []).map((memory): Listed => ({ ...memory, record: byName.get(memory.name) }));
  }, [value, records]);
  const rows = useMemo(() => filtered(listed, page.params), [listed, JSON.stringify(page.params)]);
  const some = rows.length === listed.length ? "" : `${rows.length.toLocaleString("en")} of `;
  const count = plural(listed.length, "memory", "memories");
  return (
    <div class={open === "" ? "" : "split"}>
      <section aria-label="Memories">
        <Head title="Memories" note={value && `${some}${count}${all === "yes" ? "" : " here"}`}>
          <a class="button primary" href={linkTo("memories", { ...page.params, open: "new" })}>
            New
          </a>
        </Head>
        <Filters memories={listed} />
        {!value && <Waiting error={error} what="Reading memories" />}
        {rows.length > 0 && <Rows rows={rows} />}
        {value?.length === 0 && (
          <p class="empty">
            Nothing is remembered here yet.{" "}
            <a href={linkTo("memories", { open: "new" })}>Write the first memory</a>, or take over what you
            have: <code>heed import CLAUDE.md</code>.
          </p>
        )}
        {listed.length > 0 && rows.length === 0 && (
          <p class="empty">
            No memory fits these filters. <a href={linkTo("memories")}>Show all</a>
          </p>
        )}
        <OnDemand summary="Recent changes">{() => <Changes />}</OnDemand>
      </section>
      {open === "new" && <NewMemory />}
      {open !== "" && open !== "new" && <MemoryDetail key={open} handle={open} />}
    </div>
  );
}

function filtered(memories: readonly Listed[], params: Readonly<Record<string, string>>): Listed[] {
  const words = (params["q"] ?? "").toLowerCase().split(/\s+/);
  const found = memories.filter((memory) => {
    const text = `${memory.name} ${memory.description} ${memory.tags.join(" ")}`.toLowerCase();
    const isChosen = Object.entries(FILTERS).every(
      ([name, wordsOf]) => !params[name] || wordsOf(memory).includes(params[name]),
    );
    return isChosen && words.every((word) => text.includes(word));
  });
  const order = ORDERS[params["order"] ?? ""];
  return order ? found.sort(order) : found;
}

function Rows({ rows }: { rows: readonly Listed[] }): VNode {
  const [limit, setLimit] = useState(ROWS);
  return (
    <>
      <table class="rows" aria-label="Memories">
        <thead>
          <tr>
            <th scope="col">memory</th>
            <th scope="col">type</th>
            <th scope="col">injected</th>
            <th scope="col">used</th>
            <th scope="col">changed</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, limit).map((row) => (
            <tr>
              <td>
                <a
                  id={row.id}
                  href={linkTo("memories", { ...page.params, do: "", open: row.id })}
                  aria-current={[row.id, row.name].includes(page.params["open"] ?? "") ? "true" : undefined}
                >
                  {row.description}
                </a>{" "}
                <code class="handle">{row.name}</code>
                {marksOf(row).map((mark) => (
                  <>
                    {" "}
                    <span class="tag">{mark}</span>
                  </>
                ))}{" "}
                <Known {...row} />
              </td>
              <td>{row.type}</td>
              <td>{row.injected || ""}</td>
              <td>{row.used || ""}</td>
              <td>
                <Time of={row.updated ?? row.created} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {limit < rows.length && (
        <button onClick={() => setLimit(limit + ROWS)}>
          Show more of the other {(rows.length - limit).toLocaleString("en")}
        </button>
      )}
    </>
  );
}

/** What is unusual about a memory, and what became of a rule. */
function marksOf({ status, hasGuard, whyData, record }: Listed): string[] {
  const outcomes = ["stopped", "excepted"] as const;
  return [
    ...(status === "confirmed" || status === "open" ? [] : [status]),
    ...(hasGuard ? ["guard"] : []),
    ...(whyData === undefined ? [] : ["data"]),
    ...outcomes.flatMap((one) => (record && record[one].times > 0 ? [`${one} ${record[one].times}×`] : [])),
  ];
}

function Filters({ memories }: { memories: readonly Listed[] }): VNode {
  const { q = "", all = "" } = page.params;
  return (
    <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      <input
        type="search"
        data-search
        aria-label="Filter by words"
        placeholder="Filter: words, tag"
        value={q}
        onInput={({ currentTarget }) => show({ q: currentTarget.value })}
      />
      {Object.entries(FILTERS).map(([name, wordsOf]) => (
        <Choice name={name} words={[...new Set(memories.flatMap(wordsOf))].sort()} none={`any ${name}`} />
      ))}
      <Choice name="order" words={Object.keys(ORDERS)} none="by type" />
      <label>
        <input
          type="checkbox"
          checked={all === "yes"}
          onChange={({ currentTarget }) => show({ all: currentTarget.checked ? "yes" : "" })}
        />{" "}
        other repositories too
      </label>
    </form>
  );
}

function Choice(props: { name: string; words: readonly string[]; none: string }): VNode | null {
  const { name, words, none } = props;
  const value = page.params[name] ?? "";
  const known = value === "" || words.includes(value) ? words : [...words, value];
  if (known.length < 2 && value === "") return null;
  return (
    <select
      aria-label={name}
      value={value}
      onChange={({ currentTarget }) => show({ [name]: currentTarget.value })}
    >
      <option value="">{none}</option>
      {known.map((word) => (
        <option value={word}>{word}</option>
      ))}
    </select>
  );
}
