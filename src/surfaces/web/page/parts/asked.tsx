import type { VNode } from "preact";
import type { PendingItem, TrustEntry } from "../../../../heed.ts";
import { Diff } from "./text.tsx";

/** All that a yes puts into force, as it is written. `edit` takes the place of the text. */
export function Asked({ item, edit }: { item: PendingItem; edit?: VNode | false }): VNode {
  const { description, body, diff, guard, bounds } = item;
  return (
    <>
      {edit || (
        <>
          <p class="statement">{description}</p>
          {diff === undefined ? (
            body.trim() !== description.trim() && <pre tabIndex={0}>{body}</pre>
          ) : (
            <Diff text={diff} />
          )}
        </>
      )}
      {guard !== undefined && <p class="quiet">With a guard, which stops tools: {guard}</p>}
      {bounds !== undefined && <p class="quiet">Where, and with what: {bounds}</p>}
    </>
  );
}

/** All that one rule or fact of a review puts into force. */
export function Entry({ entry, isOpen = false }: { entry: TrustEntry; isOpen?: boolean }): VNode {
  const { name, type, description, change, isFact, hasUnreadableGuard, text, diff, flags } = entry;
  return (
    <details class="entry" open={isOpen || !isFact || diff !== undefined || flags.length > 0}>
      <summary>
        <span class="tag">{change}</span> <span class="tag">{type}</span> <strong>{name}</strong>{" "}
        {description}
      </summary>
      {entry.guards.map((guard) => (
        <p>Stops tools: {guard}</p>
      ))}
      {entry.stopsNoMore.map((guard) => (
        <p class="note">Stops no more: {guard}</p>
      ))}
      {hasUnreadableGuard && <p class="note">A guard of it cannot be read: it does nothing.</p>}
      {flags.length > 0 && (
        <p class="note">Quarantined ({flags.join(", ")}): it is injected only once you confirm it.</p>
      )}
      {diff === undefined ? <pre tabIndex={0}>{text}</pre> : <Diff text={diff} />}
    </details>
  );
}
