import { Asked, Entry } from "../parts/asked.tsx";
import { Field, Form, Head, TypeField } from "../parts/fields.tsx";
import type { VNode } from "preact";
import { useRef, useState } from "preact/hooks";
import type { EditedProposal, PendingItem } from "../../../../heed.ts";
import { linkTo } from "../state/address.ts";
import { call } from "../state/call.ts";
import { touch, asCallError, useAnswer } from "../state/live.ts";
import { concludeWrite, Replayed, say, Waiting, useAct } from "../parts/messages.tsx";
import { useKeys } from "../parts/keys.ts";
import { plural, Time } from "../parts/words.tsx";

/** What waits for the user's word, one card at a time; then the rules that others changed. */
export function ReviewScreen(): VNode {
  const { value, error } = useAnswer(() => call("inbox.list"), [], ["inbox", "memories"]);
  const [later, setLater] = useState<readonly string[]>([]);
  const shown = useRef<string | undefined>(undefined);
  const decided = useRef<string | undefined>(undefined);
  if (!value) return <Waiting error={error} what="Reading the inbox" />;
  const queue = [
    ...value.filter(({ name }) => !later.includes(name)),
    ...value.filter(({ name }) => later.includes(name)),
  ];
  // The card that one reads stays, whatever comes before it meanwhile: a key must not meet another one.
  // One that was decided and taken back is there again, unless another one is being edited.
  const [item] = [decided, shown]
    .flatMap(({ current }) => queue.filter(({ name }) => name === current))
    .concat(queue);
  shown.current = item?.name;
  const rest = queue.filter((other) => other !== item);
  return (
    <div class="review">
      <Head title="Review" note={value.length > 0 && `${value.length} waiting for your approval`} />
      {item ? (
        <>
          <Metadata
            key={`${item.name} ${item.proposedAt}`}
            item={item}
            onDecided={() => (decided.current = item.name)}
            onEdit={() => (decided.current = undefined)}
            onLater={() => {
              decided.current = undefined;
              shown.current = undefined;
              setLater([...later.filter((name) => name !== item.name), item.name]);
            }}
          />
          {rest.length > 0 && <h3>Then</h3>}
          <ul>
            {rest.slice(0, 20).map(({ name, type, description }) => (
              <li>
                {description} <code class="handle">{name}</code> <span class="tag">{type}</span>
              </li>
            ))}
          </ul>
          {rest.length > 20 && <p class="quiet">and {rest.length - 20} more</p>}
        </>
      ) : (
        <p class="empty">
          No proposal needs your approval. What an agent proposes, and you did not say yourself, appears here.
          Meanwhile: <a href={linkTo("health")}>what could be repaired</a>.
        </p>
      )}
      <ChangedRules />
    </div>
  );
}

type On = Record<"onDecided" | "onEdit" | "onLater", () => void>;

function Metadata({ item, onDecided, onEdit, onLater }: On & { item: PendingItem }): VNode {
  const { name, type, reason, proposedAt, target, guard, isFixed, code } = item;
  const [isEditing, setIsEditing] = useState(false);
  const { act, isBusy, trouble } = useAct();
  const keep = (edited: EditedProposal = {}): Promise<boolean> =>
    act(async () => {
      onDecided();
      const result = await call("inbox.confirm", name, { edited, code });
      const refused = await concludeWrite(result);
      touch("inbox");
      // The user's word on a statement of another tool changes no memory: it is the word that is taken back.
      if (result.outcome === "unchanged") say(result.announcement, () => void bringBack(name));
      return refused;
    });
  const drop = (): Promise<boolean> =>
    act(async () => {
      onDecided();
      await call("inbox.reject", name, "dropped in a review");
      touch("inbox");
      say(`dropped ${name}; it is not proposed again`, () => void bringBack(name));
    });
  const edit = (): void => {
    onEdit();
    setIsEditing(isFixed !== true && !isEditing);
  };
  useKeys({
    k: () => void keep(),
    d: () => void drop(),
    e: edit,
    s: onLater,
    Escape: () => setIsEditing(false),
  });
  return (
    <article class="card pending" aria-label="Waiting memory" aria-busy={isBusy}>
      <Asked item={item} edit={isEditing && <Edit item={item} onKeep={(edited) => void keep(edited)} />} />
      <p class="marks">
        <span class="tag">{type}</span>
        <span class="quiet">
          proposed <Time of={proposedAt} />
        </span>
        {target !== undefined && (
          <span>
            changes <a href={linkTo("memories", { open: target })}>{target}</a>
          </span>
        )}
      </p>
      <p class="note">Waits: {reason}</p>
      {guard !== undefined && <Replayed handle={name} />}
      <div class="buttons">
        {!isEditing && (
          <button class="primary" onClick={() => void keep()}>
            Keep <kbd aria-hidden="true">k</kbd>
          </button>
        )}
        {isFixed !== true && (
          <button aria-expanded={isEditing} onClick={edit}>
            {isEditing ? "Do not edit" : "Edit"} <kbd aria-hidden="true">e</kbd>
          </button>
        )}
        <button onClick={() => void drop()}>
          Drop <kbd aria-hidden="true">d</kbd>
        </button>
        <button onClick={onLater}>
          Later <kbd aria-hidden="true">s</kbd>
        </button>
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

function Edit({ item, onKeep }: { item: PendingItem; onKeep: (edited: EditedProposal) => void }): VNode {
  const { type, description, body } = item;
  const keep = (values: Readonly<Record<string, string | undefined>>): void => {
    const edited = { type, description, body, ...values };
    // A text that only repeated the statement follows it.
    const isRepeated = edited.body.trim() === body.trim() && body.trim() === description.trim();
    onKeep({ ...edited, ...(isRepeated && { body: edited.description }) });
  };
  return (
    <Form class="form" onSubmit={keep}>
      <TypeField value={type} />
      <Field label="In one sentence" name="description" defaultValue={description} autoFocus required />
      <Field label="Text" name="body" rows={6} defaultValue={body} />
      <button class="primary">Keep it so</button>
    </Form>
  );
}

/** What others brought to this repository's store, or changed in it: one review, and exactly that is approved. */
export function ChangedRules(): VNode | null {
  // Without a project store there is nothing to trust.
  const { value } = useAnswer(
    () => call("setup.reviewTrust").catch(() => undefined),
    [],
    ["memories", "settings"],
  );
  const { act, trouble } = useAct();
  if (!value || (value.entries.length + value.changed.length === 0 && value.store.isTrusted)) return null;
  const { store, entries, changed, says, inForce, token } = value;
  const approve = async (): Promise<void> => {
    await call("setup.trust", { token });
    touch("memories", "settings");
    say(`approved ${says} of ${store.source ?? store.root}`);
  };
  return (
    <section class="card" aria-label="Changed rules">
      <h3>{store.source ?? (store.isTrusted ? "What others changed" : "This repository brought a store")}</h3>
      <p class="quiet">
        {store.isTrusted
          ? `Rules stay in force as you approved them until you approve these. ${plural(inForce, "rule")} did not change.`
          : `Its rules are data, and its guards do nothing, until you approve them: ${store.root}`}
      </p>
      {changed.length > 0 && <pre tabIndex={0}>{changed.join("\n")}</pre>}
      {entries.map((entry) => (
        <>
          {entry === entries.find(({ isFact }) => isFact) && <p class="quiet">Facts, which stop nothing:</p>}
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
