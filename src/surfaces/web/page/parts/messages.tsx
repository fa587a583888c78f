import { signal } from "@preact/signals";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Change, GateRefusal, WriteResult } from "../../../../heed.ts";
import { type CallError, call } from "../state/call.ts";
import { asCallError, touch, useAnswer } from "../state/live.ts";

interface Toast {
  words: string;
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
export function undoLast(): void {
  const undo = toast.value?.undo;
  toast.value = undefined;
  undo?.();
}

export function ToastArea(): VNode {
  const shown = toast.value;
  return (
    <div class="toast-area" role="status">
      {shown && (
        <div class="toast">
          <span>{shown.words}</span>
          {shown.undo && (
            <button onClick={undoLast}>
              Undo <kbd>u</kbd>
            </button>
          )}
        </div>
      )}
    </div>
  );
}

/** What a guard would have done to the tool calls of past sessions. */
export function Replayed({ handle, guard }: { handle: string; guard?: string }): VNode {
  const request = { withinMs: 3000, ...(guard !== undefined && { guard }) };
  const { value, error } = useAnswer(() => call("guards.replay", handle, request), [handle, guard]);
  return <p class="quiet">{value?.summary ?? error?.message ?? "Trying it on past sessions …"}</p>;
}

/** What heed refused, with its code and the remedy that its message or data has. */
export function Trouble({ error }: { error: CallError }): VNode {
  const { remedy, gate } = error.data;
  return (
    <div class="trouble" role="alert">
      <strong>{typeof gate === "string" ? `gate ${gate}` : error.code}</strong> {error.message}
      {typeof remedy === "string" && <p class="remedy">→ {remedy}</p>}
    </div>
  );
}

function Refusals({ refusals }: { refusals: readonly GateRefusal[] }): VNode {
  return (
    <div class="trouble" role="alert">
      {refusals.map(({ gate, reason, remedy }) => (
        <div>
          <strong>gate {gate}</strong> {reason}
          <p class="remedy">→ {remedy}</p>
        </div>
      ))}
    </div>
  );
}

/** What is shown until there is an answer. */
export function Waiting({ error, what }: { error?: CallError | undefined; what: string }): VNode {
  return error ? (
    <Trouble error={error} />
  ) : (
    <p class="loading" aria-busy="true">
      {what} …
    </p>
  );
}

/** Says a change that was made; `u` takes it back. */
export function sayChange({ id, summary }: Pick<Change, "id" | "summary">): void {
  touch("memories", "inbox");
  say(summary, id === "" ? undefined : () => void takeBack(id));
}

/** Takes a change back, or what it did to one memory, and says how that went. What changes several is shown first. */
export async function takeBack(change: string, handle?: string, isApplied = false): Promise<void> {
  try {
    const { summary, files } = await call("history.undo", { change, handle, isApplied });
    if (isApplied) say(summary);
    else if (files.length <= 1) return await takeBack(change, handle, true);
    else
      say(`${summary}. Take back all of it? ${files.join(", ")}`, () => void takeBack(change, handle, true));
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
  }
  touch("memories", "inbox");
}

/** What a write came to: its refusals, or none, and then what it did was said. */
export async function concludeWrite(result: WriteResult): Promise<readonly GateRefusal[]> {
  if (result.outcome === "refused") return result.refusals;
  const near = (result.near ?? []).map(
    ({ name, description, removed }) => `near ${name}: ${description}${removed ? ` (${removed})` : ""}`,
  );
  if (result.outcome === "pending") {
    touch("inbox");
    say([`${result.announcement}: ${result.reason}`, ...near].join(" · "));
    return [];
  }
  const last =
    result.outcome === "unchanged"
      ? undefined
      : (await call("history.list", { handle: result.metadata.id, limit: 1 }).catch(() => []))[0];
  sayChange({ id: last?.id ?? "", summary: [result.announcement, ...result.warnings, ...near].join(" · ") });
  return [];
}

interface Act {
  /** Does it, unless something is being done; gates may have refused it. Resolves to whether it was done. */
  act: (work: () => Promise<readonly GateRefusal[] | undefined | void>) => Promise<boolean>;
  isBusy: boolean;
  error: CallError | undefined;
  refusals: readonly GateRefusal[];
  trouble: VNode;
}

/** Does what changes something, and keeps what was refused until the next time. */
export function useAct(): Act {
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<CallError | undefined>(undefined);
  const [refusals, setRefusals] = useState<readonly GateRefusal[]>([]);
  const act: Act["act"] = async (work) => {
    if (isBusy) return false;
    setIsBusy(true);
    setError(undefined);
    let refused: readonly GateRefusal[] | undefined;
    try {
      refused = (await work()) ?? [];
    } catch (failure) {
      setError(asCallError(failure));
    }
    setRefusals(refused ?? []);
    setIsBusy(false);
    return refused?.length === 0;
  };
  const trouble = (
    <>
      {error && <Trouble error={error} />}
      {refusals.length > 0 && <Refusals refusals={refusals} />}
    </>
  );
  return { act, isBusy, error, refusals, trouble };
}
