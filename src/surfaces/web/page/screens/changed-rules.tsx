import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { TrustEntry } from "../../../../heed.ts";
import type { CallError } from "../state/call.ts";
import { call } from "../state/call.ts";
import { touch } from "../state/live.ts";
import { Diff } from "../parts/diff.tsx";
import { say } from "../parts/toast.tsx";
import { Trouble } from "../parts/trouble.tsx";
import { plural, TypeMark } from "../parts/words.tsx";
import { asCallError, useAnswer } from "../state/use-answer.ts";

/** Rules and guards of this repository's store that others brought or changed: one review, and exactly that is approved. */
export function ChangedRules(): VNode | null {
  // Without a project store there is nothing to trust.
  const { value } = useAnswer(
    () => call("setup.reviewTrust").catch(() => undefined),
    [],
    ["memories", "settings"],
  );
  const [error, setError] = useState<CallError | undefined>(undefined);
  if (!value || (value.entries.length === 0 && value.store.isTrusted)) return null;
  const { store, entries, inForce, token } = value;
  const approve = (): void => {
    setError(undefined);
    call("setup.trust", { token }).then(
      () => {
        touch("memories", "settings");
        say(`approved ${plural(entries.length, "rule")} of ${store.root}`);
      },
      (failure: unknown) => setError(asCallError(failure)),
    );
  };
  return (
    <section class="card" aria-label="Changed rules">
      <h3>{store.isTrusted ? "Rules that others changed" : "This repository brought a store"}</h3>
      <p class="quiet">
        {store.isTrusted
          ? `The texts that you approved stay in force until you approve these. ${plural(inForce, "rule")} in force as they are.`
          : `Its rules are data, and its guards do nothing, until you approve them: ${store.root}`}
      </p>
      {entries.map((entry) => (
        <Entry entry={entry} />
      ))}
      <button type="button" class="primary" onClick={approve}>
        Approve{" "}
        {entries.length === 0
          ? "this store"
          : `${entries.length === 1 ? "this rule" : `these ${entries.length} rules`} as shown`}
      </button>
      {error && <Trouble error={error} />}
    </section>
  );
}

function Entry({ entry }: { entry: TrustEntry }): VNode {
  const { name, type, description, change, guards, hasUnreadableGuard, text, diff, flags } = entry;
  return (
    <details class="entry" open={diff !== undefined}>
      <summary>
        <span class="tag">{change}</span> <TypeMark type={type} /> <strong>{name}</strong> {description}
      </summary>
      {guards.map((guard) => (
        <p>Stops tools: {guard}</p>
      ))}
      {hasUnreadableGuard && <p class="note">A guard of it cannot be read: it does nothing.</p>}
      {flags.length > 0 && (
        <p class="note">
          Its text speaks to the model ({flags.join(", ")}): it is told only once you confirm it.
        </p>
      )}
      {diff === undefined ? <pre tabIndex={0}>{text}</pre> : <Diff text={diff} />}
    </details>
  );
}
