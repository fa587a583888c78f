import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { EditedProposal, PendingItem } from "../../../../heed.ts";
import { asCallError, call, useAnswer } from "../state/call.ts";
import { Asked, Entry } from "../parts/asked.tsx";
import { Field, Form, Head, TypeField } from "../parts/fields.tsx";
import { concludeWrite, Replayed, say, useAct, Waiting } from "../parts/messages.tsx";
import { MemoryLink, plural, Time } from "../parts/words.tsx";
import { linkTo, page, touch } from "../state/page.ts";

export function ReviewScreen(): VNode {
  const { value, error } = useAnswer(() => call("inbox.list"), [], ["inbox", "memories"]);
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
      <ChangedRules />
      <ChangedRules of="user" />
    </>
  );
}

function Proposal({ item }: { item: PendingItem }): VNode {
  const { name, type, statement, reason, proposedAt, by, quote, target, guard, isFixed, code } = item;
  const [isEditing, setIsEditing] = useState(false);
  const { act, isBusy, trouble } = useAct();
  const keep = async (edited: EditedProposal = {}): ReturnType<typeof concludeWrite> => {
    const result = await call("inbox.confirm", name, { edited, code });
    const refused = await concludeWrite(result);
    touch("inbox");
    // On another tool's statement only the answer is kept.
    if (result.outcome === "unchanged") say(result.announcement, () => void bringBack(name));
    return refused;
  };
  const drop = async (): Promise<void> => {
    await call("inbox.reject", name, "dropped in a review");
    touch("inbox");
    say(`dropped ${name}; it is not proposed again`, () => void bringBack(name));
  };
  return (
    <article class="card pending" aria-label={statement} aria-busy={isBusy}>
      <Asked item={item} edit={isEditing && <Edit item={item} keep={keep} />} />
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
      <p class="note">
        {quote !== undefined && (
          <>
            You said: <q>{quote}</q>.{" "}
          </>
        )}
        Needs your approval: {reason}
      </p>
      {guard !== undefined && <Replayed handle={name} />}
      <div class="buttons">
        {!isEditing && (
          <button class="primary" onClick={() => void act(() => keep())}>
            Keep
          </button>
        )}
        {isFixed !== true && (
          <button aria-expanded={isEditing} onClick={() => setIsEditing(!isEditing)}>
            {isEditing ? "Do not edit" : "Edit"}
          </button>
        )}
        <button onClick={() => void act(drop)}>Drop</button>
      </div>
      {trouble}
    </article>
  );
}

async function bringBack(name: string): Promise<void> {
  try {
    await call("inbox.restore", name);
    say(`${name} waits again`);
  } catch (error) {
    say(asCallError(error).message);
  }
  touch("inbox");
}

function Edit(props: {
  item: PendingItem;
  keep: (edited: EditedProposal) => ReturnType<typeof concludeWrite>;
}): VNode {
  const { type, statement, body } = props.item;
  return (
    <Form
      button="Keep it so"
      act={(given) => {
        const edited = { type: given("type"), statement: given("statement"), body: given("body") };
        // A text that only repeats the statement follows it.
        const isRepeated = edited.body.trim() === body.trim() && body.trim() === statement.trim();
        return props.keep(isRepeated ? { ...edited, body: edited.statement } : edited);
      }}
    >
      <TypeField value={type} />
      <Field
        label="Statement"
        hint="In one sentence"
        name="statement"
        defaultValue={statement}
        autoFocus
        required
      />
      <Field label="Text" name="body" rows={6} defaultValue={body} />
    </Form>
  );
}

/** What was changed outside heed, by others or by hand: exactly what is shown is approved. */
function ChangedRules({ of }: { of?: "user" }): VNode | null {
  const { value } = useAnswer(
    async () => {
      // Fails where there is no such store.
      const [own, shared] = await Promise.all(
        [of, undefined].map((store) => call("setup.reviewTrust", { store }).catch(() => undefined)),
      );
      // Changed settings are in both, and need one review.
      return of !== undefined && shared && own?.entries.length === 0 ? undefined : own;
    },
    [],
    ["memories", "settings"],
  );
  const { act, trouble } = useAct();
  if (!value || (value.entries.length + value.changed.length === 0 && value.store.isTrusted)) return null;
  const { store, entries, changed, says, inForce, token } = value;
  const approve = async (): Promise<void> => {
    await call("setup.trust", { token, store: of });
    touch("memories", "settings");
    say(`approved ${says || "what changed"} of ${store.source ?? store.root}`);
  };
  return (
    <section class="card" aria-label="Changed rules">
      <h3>
        {store.source ?? (store.isTrusted ? CHANGED[of ?? "project"] : "This repository brought a store")}
      </h3>
      <p class="quiet">
        {store.isTrusted
          ? `Rules stay in force as you approved them until you approve these. ${plural(inForce, "rule")} did not change.`
          : `Its rules are data, and its guards do nothing, until you approve them: ${store.root}`}
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

const CHANGED = { user: "You changed these by hand", project: "Others changed these" };
