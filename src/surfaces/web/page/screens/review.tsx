import type { VNode } from "preact";
import { useRef, useState } from "preact/hooks";
import type { EditedProposal, GateRefusal, PendingItem } from "../../../../heed.ts";
import { linkTo } from "../state/address.ts";
import type { CallError } from "../state/call.ts";
import { call } from "../state/call.ts";
import { touch } from "../state/live.ts";
import { concludeWrite } from "../parts/act.ts";
import { Diff } from "../parts/diff.tsx";
import { useKeys } from "../parts/keys.ts";
import { Markdown } from "../parts/markdown.tsx";
import { say } from "../parts/toast.tsx";
import { Refusals, Trouble, Waiting } from "../parts/trouble.tsx";
import { plural, Time, TypeMark } from "../parts/words.tsx";
import { asCallError, useAnswer } from "../state/use-answer.ts";
import { ChangedRules } from "./changed-rules.tsx";

/** What waits for the user's word, one card at a time; then the rules that others changed. */
export function ReviewScreen(): VNode {
  const { value, error } = useAnswer(() => call("inbox.list"), [], ["inbox", "memories"]);
  const [later, setLater] = useState<readonly string[]>([]);
  const shown = useRef<string | undefined>(undefined);
  if (!value) return <Waiting error={error} what="Reading the inbox" />;
  const queue = [
    ...value.filter(({ name }) => !later.includes(name)),
    ...value.filter(({ name }) => later.includes(name)),
  ];
  // The card that one reads stays, whatever comes before it meanwhile: a key must not meet another one.
  const item = queue.find(({ name }) => name === shown.current) ?? queue[0];
  shown.current = item?.name;
  const rest = queue.filter((other) => other !== item);
  return (
    <div class="review">
      <div class="head">
        <h2>Review</h2>
        <span class="quiet">
          {value.length === 0
            ? ""
            : `${plural(value.length, "memory waits", "memories wait")} for your approval`}
        </span>
      </div>
      {item ? (
        <>
          <Card
            key={`${item.name} ${item.proposedAt}`}
            item={item}
            onLater={() => {
              shown.current = undefined;
              setLater([...later.filter((name) => name !== item.name), item.name]);
            }}
          />
          {rest.length > 0 && (
            <section>
              <h3>Then</h3>
              <ul class="plain-list">
                {rest.slice(0, 20).map(({ name, type, description }) => (
                  <li>
                    <TypeMark type={type} /> {description} <span class="quiet">{name}</span>
                  </li>
                ))}
              </ul>
              {rest.length > 20 && <p class="quiet">and {rest.length - 20} more</p>}
            </section>
          )}
        </>
      ) : (
        <p class="empty">Nothing needs your approval.</p>
      )}
      <ChangedRules />
    </div>
  );
}

function Card({ item, onLater }: { item: PendingItem; onLater: () => void }): VNode {
  const { name, description, type, body, reason, proposedAt, target, diff, guard, isFixed } = item;
  const [isEditing, setIsEditing] = useState(false);
  const [refusals, setRefusals] = useState<readonly GateRefusal[]>([]);
  const [error, setError] = useState<CallError | undefined>(undefined);
  const [isBusy, setIsBusy] = useState(false);
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    if (isBusy) return;
    setIsBusy(true);
    setError(undefined);
    setRefusals([]);
    try {
      await work();
    } catch (failure) {
      setError(asCallError(failure));
    }
    setIsBusy(false);
  };
  const keep = (edited: EditedProposal = {}): Promise<void> =>
    attempt(async () => {
      const result = await call("inbox.confirm", name, { edited });
      setRefusals(await concludeWrite(result));
      touch("inbox");
      // The user's word on a statement of another tool changes no memory: it is the word that is taken back.
      if (result.outcome === "unchanged") say(result.announcement, () => void bringBack(name));
    });
  const drop = (): Promise<void> =>
    attempt(async () => {
      await call("inbox.reject", name, "dropped in a review");
      touch("inbox");
      say(`dropped ${name}; it is not proposed again`, () => void bringBack(name));
    });
  const edit = (): void => setIsEditing(isFixed !== true && !isEditing);
  useKeys({
    k: () => void keep(),
    d: () => void drop(),
    e: edit,
    s: onLater,
    Escape: () => setIsEditing(false),
  });
  return (
    <article class="card pending" aria-label="Waiting memory" aria-busy={isBusy}>
      <p class="marks">
        <TypeMark type={type} />
        <span class="quiet">
          proposed <Time of={proposedAt} />
        </span>
        {target !== undefined && (
          <span>
            changes <a href={linkTo("memories", { open: target })}>{target}</a>
          </span>
        )}
      </p>
      {isEditing ? (
        <Edit item={item} onKeep={(edited) => void keep(edited)} />
      ) : (
        <>
          <p class="statement">{description}</p>
          {diff === undefined ? (
            body.trim() !== description.trim() && <Markdown text={body} />
          ) : (
            <Diff text={diff} />
          )}
        </>
      )}
      <p class="note">Waits: {reason}</p>
      {guard !== undefined && <p class="quiet">With a guard, which stops tools: {guard}</p>}
      <div class="buttons">
        {!isEditing && (
          <button type="button" class="primary" onClick={() => void keep()}>
            Keep <kbd aria-hidden="true">k</kbd>
          </button>
        )}
        {isFixed !== true && (
          <button type="button" aria-expanded={isEditing} onClick={edit}>
            {isEditing ? "Do not edit" : "Edit"} <kbd aria-hidden="true">e</kbd>
          </button>
        )}
        <button type="button" onClick={() => void drop()}>
          Drop <kbd aria-hidden="true">d</kbd>
        </button>
        <button type="button" onClick={onLater}>
          Later <kbd aria-hidden="true">s</kbd>
        </button>
      </div>
      {error && <Trouble error={error} />}
      {refusals.length > 0 && <Refusals refusals={refusals} />}
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

/** What is proposed, to be put right before it counts. */
function Edit({ item, onKeep }: { item: PendingItem; onKeep: (edited: EditedProposal) => void }): VNode {
  const types = useAnswer(() => call("memories.types"), [], ["settings"]);
  const [edited, setEdited] = useState({ type: item.type, description: item.description, body: item.body });
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        // A text that only repeated the statement follows it.
        const isRepeated = edited.body === item.body && item.body.trim() === item.description.trim();
        onKeep({ ...edited, ...(isRepeated && { body: edited.description }) });
      }}
    >
      <label>
        Type
        <select
          value={edited.type}
          onChange={({ currentTarget }) => setEdited({ ...edited, type: currentTarget.value })}
        >
          {(types.value ?? []).map(({ name, holds }) => (
            <option value={name}>{`${name}: ${holds}`}</option>
          ))}
        </select>
      </label>
      <label>
        In one sentence
        <input
          value={edited.description}
          autoFocus
          required
          autoComplete="off"
          onInput={({ currentTarget }) => setEdited({ ...edited, description: currentTarget.value })}
        />
      </label>
      <label>
        Text
        <textarea
          rows={6}
          value={edited.body}
          onInput={({ currentTarget }) => setEdited({ ...edited, body: currentTarget.value })}
        />
      </label>
      <button type="submit" class="primary">
        Keep it so
      </button>
    </form>
  );
}
