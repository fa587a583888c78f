import type { VNode } from "preact";
import type { PendingItem, TrustReview } from "../../../../heed.ts";
import { call, useAnswer } from "../state/call.ts";
import { Asked, Entry } from "../parts/asked.tsx";
import { Head } from "../parts/fields.tsx";
import { concludeWrite, Replayed, say, useAct, Waiting } from "../parts/messages.tsx";
import { MemoryLink, plural, Time } from "../parts/words.tsx";
import { linkTo, page } from "../state/page.ts";

export function ReviewScreen(): VNode {
  const { value, error } = useAnswer(() => call("inbox.list"), []);
  const { value: changed = [] } = useAnswer(reviews, []);
  if (!value) return <Waiting error={error} what="Reading the inbox" />;
  const count = page.overview?.pending ?? value.length;
  return (
    <>
      <Head title="Review" note={count > 0 && `${count} waiting for your approval`} />
      {count === 0 && (
        <p class="empty">
          No proposal needs your approval. What an agent proposes, and you did not say yourself, appears here.
          Meanwhile: <a href={linkTo("setup")}>what could be repaired</a>.
        </p>
      )}
      {value.map((item) => (
        <Proposal key={`${item.name} ${item.code}`} item={item} />
      ))}
      {changed.map((review) => (
        <ChangedRules key={review.store.id} review={review} />
      ))}
    </>
  );
}

function Proposal({ item }: { item: PendingItem }): VNode {
  const { name, type, statement, reason, proposedAt, by, quote, target, guard, code } = item;
  const { act, trouble } = useAct();
  const bringBack = async (): Promise<void> => {
    await call("inbox.restore", name);
    say(`waits again: ${statement}`);
  };
  const keep = async (): Promise<void> => {
    const result = await call("inbox.confirm", name, { code });
    await concludeWrite(result);
    // On another tool's statement only the answer is kept.
    if (result.outcome === "unchanged") say(result.announcement, bringBack);
  };
  const drop = async (): Promise<void> => {
    await call("inbox.reject", name, "dropped in a review");
    say(`dropped, and not proposed again: ${statement}`, bringBack);
  };
  return (
    <article class="card pending" aria-label={statement}>
      <Asked item={item} />
      <p class="marks">
        <span class="tag">{type}</span>
        <span class="quiet">
          proposed <Time of={proposedAt} />
          {by !== undefined && ` by ${by}`}
        </span>
        {target !== undefined && (
          <span>
            changes <MemoryLink name={target} />
          </span>
        )}
      </p>
      <p>
        Needs your approval: {reason}
        {quote !== undefined && (
          <>
            . You said: <q>{quote}</q>
          </>
        )}
      </p>
      {guard !== undefined && <Replayed handle={name} />}
      <div class="buttons">
        <button class="primary" onClick={() => void act(keep)}>
          Keep
        </button>
        <button onClick={() => void act(drop)}>Drop</button>
      </div>
      {trouble}
    </article>
  );
}

/** What was changed outside heed, by others or by hand. */
async function reviews(): Promise<TrustReview[]> {
  const found: TrustReview[] = [];
  for (const store of [undefined, "user"] as const) {
    // Fails where there is no such store. Changed settings are in both, and need one review.
    const review = await call("setup.reviewTrust", { store }).catch(() => undefined);
    const isOpen =
      review && (found.length > 0 ? review.entries : [...review.entries, ...review.changed]).length > 0;
    if (review && (isOpen || !review.store.isTrusted)) found.push(review);
  }
  return found;
}

/** Exactly what is shown is approved. */
function ChangedRules({ review }: { review: TrustReview }): VNode {
  const { store, entries, changed, says, inForce, token } = review;
  const { act, trouble } = useAct();
  const own = store.kind === "user" ? store.kind : undefined;
  const title =
    store.source ??
    (!store.isTrusted
      ? "This repository brought a store"
      : own
        ? "You changed these by hand"
        : "Others changed these");
  const approve = async (): Promise<void> => {
    await call("setup.trust", { token, store: own });
    say(`approved ${says || "what changed"} of ${store.source ?? store.root}`);
  };
  return (
    <section class="card" aria-label={`Changed rules: ${title}`}>
      <h3>{title}</h3>
      <p class="quiet">
        {store.isTrusted
          ? "Rules stay in force as you approved them until you approve these."
          : `Its rules are data, and its guards do nothing, until you approve them: ${store.root}`}
        {store.isTrusted && inForce > 0 && ` Not changed: ${plural(inForce, "rule")}.`}
      </p>
      {changed.length > 0 && <pre tabIndex={0}>{changed.join("\n")}</pre>}
      {entries.map((entry) => (
        <>
          {entry === entries.find(({ isFact }) => isFact) && <p class="quiet">Facts (for information)</p>}
          <Entry entry={entry} isOpen={store.source !== undefined} />
        </>
      ))}
      <button class="primary" onClick={() => void act(approve)}>
        Approve {entries.length > 0 ? `${says} as shown` : store.isTrusted ? "what changed" : "this store"}
      </button>
      {trouble}
    </section>
  );
}
