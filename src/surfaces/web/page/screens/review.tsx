import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { GateRefusal, PendingItem } from "../../../../heed.ts";
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
  if (!value) return <Waiting error={error} what="Reading the inbox" />;
  const queue = [
    ...value.filter(({ name }) => !later.includes(name)),
    ...value.filter(({ name }) => later.includes(name)),
  ];
  const [item, ...rest] = queue;
  return (
    <div class="review">
      <div class="head">
        <h2>Review</h2>
        <span class="quiet">
          {value.length === 0 ? "" : `${plural(value.length, "memory waits", "memories wait")} for your word`}
        </span>
      </div>
      {item ? (
        <>
          <Card
            key={`${item.name} ${item.proposedAt}`}
            item={item}
            onLater={() => setLater([...later.filter((name) => name !== item.name), item.name])}
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
        <p class="empty">Nothing waits for your word.</p>
      )}
      <ChangedRules />
    </div>
  );
}

function Card({ item, onLater }: { item: PendingItem; onLater: () => void }): VNode {
  const { name, description, type, body, reason, proposedAt, target, diff, statedGuard } = item;
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
  const keep = (): Promise<void> =>
    attempt(async () => {
      setRefusals(await concludeWrite(await call("inbox.confirm", name, {})));
      touch("inbox");
    });
  const drop = (): Promise<void> =>
    attempt(async () => {
      await call("inbox.reject", name, "dropped in a review");
      touch("inbox");
      say(`dropped ${name}; it is not proposed again`);
    });
  useKeys({ k: () => void keep(), d: () => void drop(), s: onLater });
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
      <p class="statement">{description}</p>
      {diff === undefined ? (
        body.trim() !== description.trim() && <Markdown text={body} />
      ) : (
        <Diff text={diff} />
      )}
      <p class="note">Waits: {reason}</p>
      {statedGuard !== undefined && <p class="quiet">Its text states a guard: {statedGuard}</p>}
      <div class="buttons">
        <button type="button" class="primary" onClick={() => void keep()}>
          Keep <kbd aria-hidden="true">k</kbd>
        </button>
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
