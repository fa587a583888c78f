import type { VNode } from "preact";
import type { PendingItem, TrustEntry } from "../../../../heed.ts";
import { Diff } from "./text.tsx";

/** All that a yes puts into force, as it is written. */
export function Asked({ item }: { item: PendingItem }): VNode {
  const { statement, body, diff, guard, bounds } = item;
  return (
    <>
      <p class="statement">{statement}</p>
      {diff === undefined ? (
        body.trim() !== statement.trim() && <pre tabIndex={0}>{body}</pre>
      ) : (
        <Diff text={diff} />
      )}
      {guard !== undefined && <p class="quiet">Guard: {guard}</p>}
      {bounds !== undefined && <p class="quiet">Applies: {bounds}</p>}
    </>
  );
}

/** All that one rule or fact of a review puts into force. */
export function Entry({ entry, isOpen = false }: { entry: TrustEntry; isOpen?: boolean }): VNode {
  const { type, statement, change, isFact, hasUnreadableGuard, text, diff, flags } = entry;
  return (
    <details class="entry" open={isOpen || !isFact || diff !== undefined || flags.length > 0}>
      <summary>
        <span class="tag">{change}</span> <span class="tag">{type}</span> {statement}
      </summary>
      {entry.guards.map((guard) => (
        <p>Guard: {guard}</p>
      ))}
      {entry.stopsNoMore.map((guard) => (
        <p class="note">No longer a guard: {guard}</p>
      ))}
      {hasUnreadableGuard && <p class="note">One of its guards cannot be read and does nothing.</p>}
      {flags.length > 0 && (
        <p class="note">Quarantined ({flags.join(", ")}): it is injected only once you confirm it.</p>
      )}
      {diff === undefined ? <pre tabIndex={0}>{text}</pre> : <Diff text={diff} />}
    </details>
  );
}
