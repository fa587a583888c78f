import type { VNode } from "preact";
import { useMemo, useState, useEffect, useRef } from "preact/hooks";
import type { MemorySummary, RuleRecord } from "../../../../heed.ts";
import { address, goTo, show } from "../state/address.ts";
import { call } from "../state/call.ts";
import { useKeys } from "../parts/keys.ts";
import { OtherRepositories } from "../parts/fields.tsx";
import { Waiting } from "../parts/messages.tsx";
import { plural, StandingMark, Time, TypeMark } from "../parts/words.tsx";
import { useAnswer } from "../state/live.ts";
import { MemoryDetail } from "./memory-detail.tsx";
import { NewMemory } from "./new-memory.tsx";

const ROW_REM = 3.6;
const FILTERS: readonly (readonly [name: string, wordOf: (memory: MemorySummary) => string | undefined])[] = [
  ["type", ({ type }) => type],
  ["fresh", ({ standing }) => standing],
  ["status", ({ status }) => status],
  ["store", ({ store }) => store],
  [
    "use",
    ({ injected, used }) => (used > 0 ? "used" : injected > 0 ? "injected, never used" : "never injected"),
  ],
];
const COLUMNS: readonly (readonly [title: string, style?: string, meaning?: string])[] = [
  ["memory"],
  ["type"],
  ["fresh"],
  ["injected", "number", "injected into a session"],
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

/** How long the page waits for the records of rules. */
const RECORDS_MS = 4000;

/** All memories in a table, filtered by the address; one of them beside it, in full. */
export function MemoriesScreen(): VNode {
  const { params } = address.value;
  const { open = "", all = "" } = params;
  const { value, error } = useAnswer(
    () => call("memories.summaries", { isScopedHere: all !== "yes" }),
    [all],
    ["memories", "injected"],
  );
  const { value: records } = useAnswer(
    () => call("guards.records", { withinMs: RECORDS_MS }),
    [],
    ["memories"],
  );
  const listed = useMemo(() => {
    const byName = new Map(records?.rules.map((rule) => [rule.name, rule]));
    return (value ?? []).map((memory): Listed => ({ ...memory, record: byName.get(memory.name) }));
  }, [value, records]);
  const rows = useFiltered(listed, params);
  const at = rows.findIndex(({ id, name }) => id === open || name === open);
  const [cursor, setCursor] = useState(-1);
  const current = at >= 0 ? at : Math.min(cursor, rows.length - 1);
  const move = (by: number): void => {
    const next = Math.max(0, Math.min(rows.length - 1, current + by));
    setCursor(next);
    const row = rows[next];
    if (open !== "" && row) show({ open: row.id });
  };
  const isCreating = open === "new";
  useKeys({
    ArrowDown: () => move(1),
    j: () => move(1),
    ArrowUp: () => move(-1),
    k: () => move(-1),
    Enter: () => rows[current] && show({ open: rows[current].id }),
    n: () => show({ open: "new" }),
    Escape: () => {
      if (document.activeElement instanceof HTMLInputElement) document.activeElement.blur();
      else show({ open: "", do: "" });
    },
  });
  return (
    <div class={`split ${open === "" ? "" : "is-open"}`}>
      <section class="pane" aria-label="Memories">
        <div class="head">
          <h2>Memories</h2>
          <button onClick={() => show({ open: "new" })}>
            New <kbd aria-hidden="true">n</kbd>
          </button>
        </div>
        <Filters memories={value ?? []} shown={rows.length} />
        {value ? (
          rows.length === 0 ? (
            <p class="empty">
              {value.length === 0 ? "Nothing is remembered here yet." : "No memory fits these filters."}
            </p>
          ) : (
            <VirtualList rows={rows} current={current} />
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

function Row({ row, index, isCurrent }: { row: Listed; index: number; isCurrent: boolean }): VNode {
  const {
    id,
    name,
    description,
    type,
    standing,
    injected,
    used,
    updated,
    created,
    status,
    hasGuard,
    whyData,
    record,
  } = row;
  const became = (["broken", "stopped", "excepted", "followed"] as const).flatMap((outcome) =>
    record && record[outcome].times > 0 ? [`${outcome} ${record[outcome].times}×`] : [],
  );
  const marks = [
    status === "confirmed" || status === "open" ? "" : status,
    hasGuard ? "guard" : "",
    whyData === undefined ? "" : "data",
    ...became,
  ].filter((mark) => mark !== "");
  return (
    <div
      role="row"
      class={`row ${isCurrent ? "is-current" : ""}`}
      aria-rowindex={index + 2}
      style={{ height: `${ROW_REM}rem` }}
      onClick={() => show({ open: id, do: "" })}
    >
      <span role="cell" class="what">
        <a
          href="#"
          onClick={(event) => {
            event.preventDefault();
            show({ open: id, do: "" });
          }}
        >
          {name}
        </a>
        {marks.map((mark) => (
          <span class="tag">{mark}</span>
        ))}
        <span class="line">{description}</span>
      </span>
      <span role="cell">
        <TypeMark type={type} />
      </span>
      <span role="cell">
        <StandingMark standing={standing} />
      </span>
      <span role="cell" class="number">
        {injected}
      </span>
      <span role="cell" class="number">
        {used}
      </span>
      <span role="cell">
        <Time of={updated ?? created} />
      </span>
    </div>
  );
}

function Filters({ memories, shown }: { memories: readonly MemorySummary[]; shown: number }): VNode {
  const { q = "" } = address.value.params;
  const choices = useMemo(
    () =>
      FILTERS.map(([name, wordOf]) => {
        const words = new Set(memories.map(wordOf).filter((word) => word !== undefined));
        return [name, [...words].sort()] as const;
      }),
    [memories],
  );
  return (
    <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      <input
        type="search"
        data-search
        aria-label="Filter by words"
        placeholder="Filter: name, text, tag   /"
        value={q}
        onInput={({ currentTarget }) => show({ q: currentTarget.value })}
      />
      {choices.map(([name, words]) => (
        <Choice name={name} words={words} />
      ))}
      <Choice name="order" words={Object.keys(ORDERS)} />
      <OtherRepositories />
      <span class="quiet" role="status">
        {shown === memories.length
          ? plural(shown, "memory", "memories")
          : `${shown.toLocaleString("en")} of ${plural(memories.length, "memory", "memories")}`}
      </span>
      {Object.keys(address.value.params).some((key) => key !== "open") && (
        <button type="button" class="plain" onClick={() => goTo("memories")}>
          clear
        </button>
      )}
    </form>
  );
}

function Choice({ name, words }: { name: string; words: readonly string[] }): VNode {
  const value = address.value.params[name] ?? "";
  const known = value === "" || words.includes(value) ? words : [...words, value];
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
  const texts = useMemo(
    () =>
      memories.map(({ name, description, tags }) => `${name} ${description} ${tags.join(" ")}`.toLowerCase()),
    [memories],
  );
  const { q = "", order = "" } = params;
  const chosen = FILTERS.filter(([name]) => (params[name] ?? "") !== "");
  return useMemo(() => {
    const words = q.toLowerCase().split(/\s+/);
    const found = memories.filter(
      (memory, i) =>
        chosen.every(([name, wordOf]) => wordOf(memory) === params[name]) &&
        words.every((word) => texts[i]?.includes(word)),
    );
    const by = ORDERS[order];
    return by ? found.sort(by) : found;
  }, [memories, texts, q, order, chosen.map(([name]) => params[name]).join("\n")]);
}

/** Rows above and below what is seen, so that scrolling finds them drawn. */
const OVERSCAN = 8;

/** A table that draws the rows in view alone, so that 20,000 scroll like 20; `current` is kept in view. */
function VirtualList({ rows, current }: { rows: readonly Listed[]; current: number }): VNode {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 800 });
  const rowPx = ROW_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const look = (): void => setView({ top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, []);
  useEffect(() => {
    const element = box.current;
    if (!element || current < 0) return;
    const top = current * rowPx;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + 2 * rowPx > element.scrollTop + element.clientHeight)
      element.scrollTop = top + 2 * rowPx - element.clientHeight;
  }, [current, rowPx]);
  const first = Math.max(0, Math.floor(view.top / rowPx) - OVERSCAN);
  const slots = Math.ceil(view.height / rowPx) + 2 * OVERSCAN + 1;
  const last = Math.min(rows.length, first + slots);
  return (
    <div class="table" role="table" aria-label="Memories" aria-rowcount={rows.length + 1}>
      <div role="rowgroup" class="table-head">
        <div role="row" class="row" aria-rowindex={1}>
          {COLUMNS.map(([title, style, meaning]) => (
            <span role="columnheader" class={style} title={meaning}>
              {title}
            </span>
          ))}
        </div>
      </div>
      <div role="rowgroup" class="table-rows" ref={box} tabIndex={0} aria-label="Memories">
        <div class="table-space" role="presentation" style={{ height: `${rows.length * rowPx}px` }}>
          <div role="presentation" style={{ transform: `translateY(${first * rowPx}px)` }}>
            {rows.slice(first, last).map((row, i) => (
              <Row
                // A row that is scrolled away hands its elements to another one.
                key={(first + i) % slots}
                row={row}
                index={first + i}
                isCurrent={first + i === current}
              />
            ))}
          </div>
        </div>
      </div>
    </div>
  );
}
