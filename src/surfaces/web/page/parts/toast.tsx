import { signal } from "@preact/signals";
import type { VNode } from "preact";

interface Toast {
  words: string;
  /** Takes back what was done. */
  undo?: (() => void) | undefined;
}

const toast = signal<Toast | undefined>(undefined);
let timer: ReturnType<typeof setTimeout> | undefined;
const SHOWN_MS = 12_000;

/** Says what was done, and how it is taken back. */
export function say(words: string, undo?: () => void): void {
  clearTimeout(timer);
  toast.value = { words, undo };
  timer = setTimeout(() => (toast.value = undefined), SHOWN_MS);
}

/** Takes back what was said last, where it can be. */
export function undoLast(): boolean {
  const undo = toast.value?.undo;
  toast.value = undefined;
  undo?.();
  return undo !== undefined;
}

export function ToastArea(): VNode {
  const shown = toast.value;
  return (
    <div class="toast-area" role="status">
      {shown && (
        <div class="toast">
          <span>{shown.words}</span>
          {shown.undo && (
            <button type="button" onClick={() => undoLast()}>
              Undo <kbd>u</kbd>
            </button>
          )}
        </div>
      )}
    </div>
  );
}
