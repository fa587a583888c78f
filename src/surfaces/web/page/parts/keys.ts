import { useEffect, useRef } from "preact/hooks";

/** What each key does; `/` and letters as they are typed. */
export type KeyTable = Readonly<Record<string, () => void>>;

/** Keys of a screen, while nobody types into a field. */
export function useKeys(table: KeyTable): void {
  // What was drawn last is what a key means: an effect of its own would come a frame late, after a fast second key.
  const latest = useRef(table);
  latest.current = table;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      // A dialog has the keys to itself.
      if (document.querySelector("dialog[open]")) return;
      const target = event.target instanceof HTMLElement ? event.target : undefined;
      const isTyping = target !== undefined && /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
      if (isTyping && event.key !== "Escape") return;
      // Enter and Space on a button or link are that button's.
      if (/^(?:Enter| )$/.test(event.key) && target?.closest("button, a, summary")) return;
      const act = latest.current[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
}
