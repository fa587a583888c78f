import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Change, GateRefusal, WriteResult } from "../../../../heed.ts";
import { asCallError, call, useAnswer } from "../state/call.ts";
import { CallError, page, set, show, readAnew } from "../state/page.ts";

const SHOWN_MS = 12_000;
let timer: ReturnType<typeof setTimeout> | undefined;

export function say(words: string, undo?: () => Promise<unknown>): void {
  clearTimeout(timer);
  timer = setTimeout(() => set({ toast: undefined }), SHOWN_MS);
  set({ toast: { words, undo } });
}

export function ToastArea(): VNode {
  const { words, undo } = page.toast ?? {};
  return (
    <div class="toast-area" role="status">
      {words !== undefined && (
        <div class="toast">
          <span>{words}</span>
          {undo && <button onClick={() => (set({ toast: undefined }), void attempt(undo))}>Undo</button>}
        </div>
      )}
    </div>
  );
}

/** Does what has no place of its own for a refusal. */
export async function attempt(work: () => Promise<unknown>): Promise<void> {
  await work().catch((error: unknown) => say(asCallError(error).message));
  readAnew();
}

/** Takes back a change, or what it did to one memory. A change of several files is shown first. */
export async function takeBack(change: string, handle?: string, isApplied = false): Promise<void> {
  const { toast } = page;
  const { summary, files } = await call("history.undo", { change, handle, isApplied });
  if (!isApplied && files.length <= 1) return takeBack(change, handle, true);
  if (!isApplied)
    say(`${summary}. Take back all of it? ${files.join(", ")}`, () => takeBack(change, handle, true));
  // What was done meanwhile is newer.
  else if (page.toast === toast) say(summary);
}

/** Says what was done, with the way back. The form that did it closes. */
export function sayChange({ id, summary }: Pick<Change, "id" | "summary">): void {
  show({ do: "" });
  say(summary, id === "" ? undefined : () => takeBack(id));
}

export const refused = (refusals: readonly GateRefusal[]): CallError =>
  new CallError("gate-refused", "", { refusals });

export async function concludeWrite(result: WriteResult): Promise<void> {
  if (result.outcome === "refused") throw refused(result.refusals);
  const { announcement, outcome } = result;
  const isChange = outcome === "written" || outcome === "amended";
  const request = isChange && { handle: result.metadata.id, limit: 1 };
  const [last] = request ? await call("history.list", request).catch(() => []) : [];
  const more = outcome === "pending" ? [result.reason] : result.warnings;
  sayChange({ id: last?.id ?? "", summary: [announcement, ...more].join(" · ") });
}

export function Replayed({ handle }: { handle: string }): VNode {
  const { value, error } = useAnswer(() => call("guards.replay", handle, { withinMs: 3000 }), [handle], 0);
  return <p class="quiet">{value?.summary ?? error?.message ?? "Trying it on past sessions …"}</p>;
}

function Trouble({ error: { code, message, data } }: { error: CallError }): VNode {
  const refusals = (data["refusals"] ?? [{ ...data, reason: message }]) as Partial<GateRefusal>[];
  return (
    <div class="trouble" role="alert">
      {refusals.map(({ gate, reason, remedy }) => (
        <div>
          <strong>{gate === undefined ? code : `gate ${gate}`}</strong> {reason}
          {remedy !== undefined && <p>→ {remedy}</p>}
        </div>
      ))}
    </div>
  );
}

export function Waiting({ error, what }: { error?: CallError | undefined; what: string }): VNode {
  if (error) return <Trouble error={error} />;
  return (
    <p class="loading" aria-busy="true">
      {what} …
    </p>
  );
}

/** Does one thing at a time, and keeps what was refused until the next attempt. */
export function useAct(): {
  act: (work: () => Promise<unknown>) => Promise<void>;
  trouble: VNode | undefined;
} {
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<CallError>();
  const act = async (work: () => Promise<unknown>): Promise<void> => {
    if (isBusy) return;
    setIsBusy(true);
    setError(await work().then(() => undefined, asCallError));
    setIsBusy(false);
    readAnew();
  };
  return { act, trouble: error && <Trouble error={error} /> };
}
