import type { VNode } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { MemorySummary, RuleRecord } from "../../../../heed.ts";
import { address, goTo, linkTo, show } from "../state/address.ts";
import { call } from "../state/call.ts";
import { useKeys } from "../parts/keys.ts";
import { Head, OtherRepositories } from "../parts/fields.tsx";
import { Waiting } from "../parts/messages.tsx";
import { Known, plural, Time } from "../parts/words.tsx";
import { memories, useAnswer } from "../state/live.ts";
import { MemoryDetail } from "./memory-detail.tsx";
import { NewMemory } from "./new-memory.tsx";

/** So many rows are drawn at first, and with each step further. */
const ROWS = 200;
const FILTERS: readonly (readonly [name: string, wordsOf: (memory: MemorySummary) => readonly string[]])[] = [
  ["type", ({ type }) => [type]],
  [
    "state",
    ({ known, status, hasGuard, injected, used }) => [
      ...(known === undefined ? [] : ["needs a look"]),
      ...(status === "confirmed" ? [] : [status]),
      ...(hasGuard ? ["with a guard"] : []),
      used > 0 ? "used" : injected > 0 ? "injected, never used" : "never injected",
    ],
  ],
  ["store", ({ store }) => [store]],
];
const COLUMNS: readonly (readonly [title: string, style?: string, meaning?: string])[] = [
  ["memory"],
  ["type"],
  ["injected", "number", "into a session"],
  ["used", "number", "cited, or reported as applied"],
  ["changed"],
];
/** A memory with what became of it, where it is a rule that holds here. */
type Listed = MemorySummary & { record?: RuleRecord | undefined };

const ORDERS: Readonly<Record<string, (a: Listed, b: Listed) => number>> = {
  "most broken": (a, b) => orderOf(b) - orderOf(a),
  newest: (a, b) => (b.updated ?? b.created ?? "").localeCompare(a.updated ?? a.created ?? ""),
  "most injected": (a, b) => b.injected - a.injected,
  "last injected": (a, b) => (b.lastInjected ?? "").localeCompare(a.lastInjected ?? ""),
};

/** Broken rules first, then those that had to be stopped; what is no rule comes last. */
function orderOf({ record }: Listed): number {
  return record ? record.broken.times * 1000 + record.stopped.times : -1;
}

/** All memories in a table, filtered by the address; one of them beside it, in full. */
export function MemoriesScreen(): VNode {
  const { params } = address.value;
  const { open = "", all = "" } = params;
  const isEverywhere = all === "yes";
  const everywhere = useAnswer(
    async () => (isEverywhere ? call("memories.summaries", { isScopedHere: false }) : undefined),
    [all],
    ["memories", "injected"],
  );
  const { value, error } = isEverywhere ? everywhere : memories.value;
  const { value: records } = useAnswer(() => call("guards.records", { withinMs: 4000 }), [], ["memories"]);
  const listed = useMemo(() => {
    const byName = new Map(records?.rules.map((rule) => [rule.name, rule]));
    return (value ?? []).map((memory): Listed => ({ ...memory, record: byName.get(memory.name) }));
  }, [value, records]);
  const rows = useFiltered(listed, params);
  const at = rows.findIndex(({ id, name }) => id === open || name === open);
  const [cursor, setCursor] = useState(-1);
  const current = at >= 0 ? at : Math.min(cursor, rows.length - 1);
  const list = useRef<HTMLTableSectionElement>(null);
  const focusRow = (index: number): void => {
    const wanted = Math.max(0, Math.min(rows.length - 1, index));
    const link = list.current?.querySelectorAll("a")[wanted];
    link?.focus();
    // In a narrow window the list is hidden while one is open.
    if (document.activeElement !== link) onFocus(wanted);
  };
  const onFocus = (index: number): void => {
    setCursor(index);
    const id = rows[index]?.id;
    if (open !== "" && open !== "new" && id !== undefined && index !== at) show({ open: id, do: "" });
  };
  // What was opened is closed: back to where it was opened from.
  const wasOpen = useRef(open);
  useEffect(() => {
    if (open === "" && wasOpen.current !== "") focusRow(current);
    wasOpen.current = open;
  }, [open]);
  useKeys({
    ArrowDown: () => focusRow(current + 1),
    j: () => focusRow(current + 1),
    ArrowUp: () => focusRow(current - 1),
    k: () => focusRow(current - 1),
    Enter: () => rows[current] && show({ open: rows[current].id }),
    n: () => show({ open: "new" }),
    Escape: () => {
      const field = document.activeElement;
      if (field?.matches("[data-search]")) focusRow(0);
      else if (field instanceof HTMLInputElement) field.blur();
      else show({ open: "", do: "" });
    },
  });
  const isCreating = open === "new";
  const some = rows.length === listed.length ? "" : `${rows.length.toLocaleString("en")} of `;
  return (
    <div class={`split ${open === "" ? "" : "is-open"}`}>
      <section class="pane" aria-label="Memories">
        <Head
          title="Memories"
          note={value && some + plural(listed.length, "memory", "memories") + (isEverywhere ? "" : " here")}
        >
          <a class="button primary" href={linkTo("memories", { ...params, open: "new" })}>
            New <kbd aria-hidden="true">n</kbd>
          </a>
        </Head>
        <Filters memories={listed} />
        {value ? (
          rows.length === 0 ? (
            <Nothing isEmpty={value.length === 0} />
          ) : (
            <Rows rows={rows} current={current} open={at} list={list} onFocus={onFocus} />
          )
        ) : (
          <Waiting error={error} what="Reading memories" />
        )}
      </section>
      {isCreating && <NewMemory onDone={(name) => show({ open: name ?? "" })} />}
      {open !== "" && !isCreating && <MemoryDetail key={open} handle={open} />}
    </div>
  );
}

function Nothing({ isEmpty }: { isEmpty: boolean }): VNode {
  const { q = "" } = address.value.params;
  return isEmpty ? (
    <p class="empty">
      Nothing is remembered here yet. <a href={linkTo("memories", { open: "new" })}>Write the first memory</a>
      , or take over what you have: <code>heed import CLAUDE.md</code>.
    </p>
  ) : (
    <p class="empty">
      No memory fits these filters. <a href={linkTo("memories")}>Show all</a>, or see{" "}
      <a href={linkTo("why", { prompt: q })}>what a prompt with these words would get</a>.
    </p>
  );
}

/** The table: one stop of the Tab key, within which `j` and `k` move the focus. */
function Rows(props: {
  rows: readonly Listed[];
  current: number;
  open: number;
  list: { current: HTMLTableSectionElement | null };
  onFocus: (index: number) => void;
}): VNode {
  const { rows, current, open, list, onFocus } = props;
  const [limit, setLimit] = useState(ROWS);
  const drawn = rows.slice(0, Math.max(limit, current + ROWS / 2));
  return (
    <>
      <table class="rows" aria-label="Memories">
        <thead>
          <tr>
            {COLUMNS.map(([title, style, meaning]) => (
              <th scope="col" class={style} title={meaning}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={list}>
          {drawn.map((row, i) => {
            const { id, name, description, type, injected, used, updated, created } = row;
            const there = linkTo("memories", { ...address.value.params, do: "", open: id });
            return (
              <tr class={i === open ? "is-current" : ""} onClick={() => (location.hash = there)}>
                <td>
                  <a
                    href={there}
                    tabIndex={i === Math.max(0, current) ? 0 : -1}
                    aria-current={i === open ? "true" : undefined}
                    onFocus={() => onFocus(i)}
                    // The focus goes on into what is opened.
                    onClick={({ currentTarget }) => currentTarget.blur()}
                  >
                    {description}
                  </a>{" "}
                  <code class="handle">{name}</code>
                  {marksOf(row).map((mark) => (
                    <span class="tag">{mark}</span>
                  ))}
                  <Known {...row} />
                </td>
                <td>
                  <span class="tag">{type}</span>
                </td>
                <td class="number">{injected || ""}</td>
                <td class="number">{used || ""}</td>
                <td>
                  <Time of={updated ?? created} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {drawn.length < rows.length && (
        <button onClick={() => setLimit(drawn.length + ROWS)}>
          Show more of the other {(rows.length - drawn.length).toLocaleString("en")}
        </button>
      )}
    </>
  );
}

/** What is unusual about a memory, and what became of a rule, in a word each. */
function marksOf({ status, hasGuard, whyData, record }: Listed): string[] {
  const outcomes = ["broken", "stopped", "excepted", "followed"] as const;
  return [
    ...(status === "confirmed" || status === "open" ? [] : [status]),
    ...(hasGuard ? ["guard"] : []),
    ...(whyData === undefined ? [] : ["data"]),
    ...outcomes.flatMap((one) => (record && record[one].times > 0 ? [`${one} ${record[one].times}×`] : [])),
  ];
}

function Filters({ memories }: { memories: readonly MemorySummary[] }): VNode {
  const { q = "" } = address.value.params;
  return (
    <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      <input
        type="search"
        data-search
        aria-label="Filter by words"
        placeholder="Filter: words, tag   /"
        value={q}
        onInput={({ currentTarget }) => show({ q: currentTarget.value })}
      />
      {FILTERS.map(([name, wordsOf]) => (
        <Choice name={name} words={[...new Set(memories.flatMap(wordsOf))].sort()} />
      ))}
      <Choice name="order" words={Object.keys(ORDERS)} />
      <OtherRepositories />
      {Object.keys(address.value.params).some((key) => key !== "open" && key !== "do") && (
        <button type="button" class="plain" onClick={() => goTo("memories")}>
          clear
        </button>
      )}
    </form>
  );
}

function Choice({ name, words }: { name: string; words: readonly string[] }): VNode | null {
  const value = address.value.params[name] ?? "";
  const known = value === "" || words.includes(value) ? words : [...words, value];
  if (known.length < 2 && value === "") return null;
  return (
    <select
      aria-label={name}
      value={value}
      onChange={({ currentTarget }) => show({ [name]: currentTarget.value })}
    >
      <option value="">{name === "order" ? "by type" : `any ${name}`}</option>
      {known.map((word) => (
        <option value={word}>{word}</option>
      ))}
    </select>
  );
}

function useFiltered(memories: readonly Listed[], params: Readonly<Record<string, string>>): Listed[] {
  const { q = "", order = "" } = params;
  const chosen = FILTERS.filter(([name]) => (params[name] ?? "") !== "");
  return useMemo(() => {
    const words = q.toLowerCase().split(/\s+/);
    const found = memories.filter((memory) => {
      const text = `${memory.name} ${memory.description} ${memory.tags.join(" ")}`.toLowerCase();
      const isChosen = chosen.every(([name, wordsOf]) => wordsOf(memory).includes(params[name] ?? ""));
      return isChosen && words.every((word) => text.includes(word));
    });
    const by = ORDERS[order];
    return by ? found.sort(by) : found;
  }, [memories, q, order, chosen.map(([name]) => params[name]).join("\n")]);
}
