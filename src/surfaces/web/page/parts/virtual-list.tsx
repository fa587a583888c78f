import type { ComponentChildren, VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

/** Rows above and below what is seen, so that scrolling finds them drawn. */
const OVERSCAN = 8;

interface VirtualListProps<Row> {
  rows: readonly Row[];
  /** Height of each row, in rem. */
  rowRem: number;
  label: string;
  /** The row that is kept in view. */
  current: number;
  header: ComponentChildren;
  /** `slot`: the key of what is drawn, which another row takes over when this one is scrolled away. */
  render: (row: Row, index: number, slot: number) => ComponentChildren;
}

/** A table of which only the rows in view are drawn: 20,000 scroll as 20 do. */
export function VirtualList<Row>({
  rows,
  rowRem,
  label,
  current,
  header,
  render,
}: VirtualListProps<Row>): VNode {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 800 });
  const rowPx = rowRem * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
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
    <div class="table" role="table" aria-label={label} aria-rowcount={rows.length + 1}>
      <div role="rowgroup" class="table-head">
        {header}
      </div>
      <div role="rowgroup" class="table-rows" ref={box} tabIndex={0} aria-label={label}>
        <div class="table-space" role="presentation" style={{ height: `${rows.length * rowPx}px` }}>
          <div role="presentation" style={{ transform: `translateY(${first * rowPx}px)` }}>
            {rows.slice(first, last).map((row, i) => render(row, first + i, (first + i) % slots))}
          </div>
        </div>
      </div>
    </div>
  );
}
