import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { MemorySummary } from "../../../../heed.ts";
import { Changes, MemoryDetail } from "./memory.tsx";
import { Head } from "../parts/fields.tsx";
import { Waiting } from "../parts/messages.tsx";
import { Known, OnDemand, plural, Time } from "../parts/words.tsx";
import { linkTo, page, show } from "../state/page.ts";

/** Rows that are drawn at first, and with each step further. */
const ROWS = 200;

const FILTERS: Readonly<Record<string, (memory: MemorySummary) => readonly string[]>> = {
  type: ({ type }) => [type],
  state: ({ known, status, hasGuard, injected, used }) => [
    ...(known === undefined ? [] : ["needs a look"]),
    ...(status === "confirmed" ? [] : [status]),
    ...(hasGuard ? ["with a guard"] : []),
    used > 0 ? "used" : injected > 0 ? "injected, never used" : "never injected",
  ],
};
/** Columns that sort at a click, the most first. */
const COLUMNS: Readonly<Record<string, (memory: MemorySummary) => number>> = {
  injected: ({ injected }) => injected,
  used: ({ used }) => used,
  changed: ({ changed }) => Date.parse(changed),
};

export function MemoriesScreen(): VNode {
  const { open = "", all = "" } = page.params;
  const { value, error } = page.memories;
  const listed = value ?? [];
  const rows = useMemo(() => find(listed, page.params), [value, JSON.stringify(page.params)]);
  const some = rows.length === listed.length ? "" : `${rows.length.toLocaleString("en")} of `;
  const count = plural(listed.length, "memory", "memories");
  return (
    <div class={open === "" ? "" : "split"}>
      <section aria-label="Memories">
        <Head title="Memories" note={value && `${some}${count}${all === "yes" ? "" : " here"}`} />
        <Filters memories={listed} />
        {!value && <Waiting error={error} what="Reading memories" />}
        {rows.length > 0 && <Rows rows={rows} />}
        {value?.length === 0 && (
          <p class="empty">
            Nothing is remembered here yet. Write the first memory with <code>heed write</code>, or take over
            what you have: <code>heed import CLAUDE.md</code>.
          </p>
        )}
        {listed.length > 0 && rows.length === 0 && (
          <p class="empty">
            No memory fits these filters. <a href={linkTo("memories")}>Show all</a>
          </p>
        )}
        <OnDemand summary="Recent changes">{() => <Changes />}</OnDemand>
      </section>
      {open !== "" && <MemoryDetail key={open} handle={open} />}
    </div>
  );
}

const textOf = ({ name, statement, tags }: MemorySummary): string =>
  `${name} ${statement} ${tags.join(" ")}`.toLowerCase();

/** The memories that pass the filters. */
function find(
  memories: readonly MemorySummary[],
  { q = "", order = "", ...chosen }: Readonly<Record<string, string>>,
): MemorySummary[] {
  const words = q.toLowerCase().split(/\s+/);
  const rows = memories.filter(
    (memory) =>
      words.every((word) => textOf(memory).includes(word)) &&
      Object.entries(FILTERS).every(
        ([name, wordsOf]) => !chosen[name] || wordsOf(memory).includes(chosen[name]),
      ),
  );
  const amount = COLUMNS[order];
  return amount ? rows.sort((a, b) => amount(b) - amount(a)) : rows;
}

function Rows({ rows }: { rows: readonly MemorySummary[] }): VNode {
  const [limit, setLimit] = useState(ROWS);
  const { open = "" } = page.params;
  return (
    <>
      <table class="rows" aria-label="Memories">
        <thead>
          <tr>
            <th scope="col">memory</th>
            {Object.keys(COLUMNS).map((name) => (
              <th scope="col" aria-sort={page.params["order"] === name ? "descending" : undefined}>
                <a href={linkTo("memories", { ...page.params, order: name })}>{name}</a>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, limit).map((row) => (
            <tr>
              <td>
                <span class="tag">{row.type}</span>{" "}
                <a
                  id={row.id}
                  href={linkTo("memories", { ...page.params, do: "", open: row.id })}
                  aria-current={[row.id, row.name].includes(open) ? "true" : undefined}
                >
                  {row.statement}
                </a>{" "}
                {row.status !== "confirmed" && row.status !== "open" && <span class="tag">{row.status}</span>}
                {row.hasGuard && <span class="tag">guard</span>}
                {row.whyData !== undefined && (
                  <span class="tag" title={row.whyData}>
                    not approved
                  </span>
                )}
                <Known {...row} />
              </td>
              <td>{row.injected || ""}</td>
              <td>{row.used || ""}</td>
              <td>
                <Time of={row.changed} />
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

function Filters({ memories }: { memories: readonly MemorySummary[] }): VNode {
  const { q = "", all = "" } = page.params;
  return (
    <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      <input
        type="search"
        aria-label="Filter by words"
        placeholder="Filter: words, tag"
        value={q}
        onInput={({ currentTarget }) => show({ q: currentTarget.value })}
      />
      {Object.entries(FILTERS).map(([name, wordsOf]) => {
        const { [name]: value = "" } = page.params;
        return (
          <select
            aria-label={name}
            value={value}
            onChange={({ currentTarget }) => show({ [name]: currentTarget.value })}
          >
            <option value="">any {name}</option>
            {[...new Set([...memories.flatMap(wordsOf), value])]
              .filter(Boolean)
              .sort()
              .map((word) => (
                <option value={word}>{word}</option>
              ))}
          </select>
        );
      })}
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
