import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { GateRefusal, RepairResult, ShownMemory } from "../../../../heed.ts";
import { GUARD_RECIPES } from "../../../guard-recipes.ts";
import { address, show } from "../state/address.ts";
import type { CallError } from "../state/call.ts";
import { call } from "../state/call.ts";
import { sayChange } from "../parts/act.ts";
import { Diff } from "../parts/diff.tsx";
import { Refusals, Trouble, Waiting } from "../parts/trouble.tsx";
import { asCallError, useAnswer } from "../state/use-answer.ts";
import { MemoryEditor } from "./memory-editor.tsx";

const ACTIONS: readonly (readonly [name: string, title: string])[] = [
  ["edit", "Edit"],
  ["verify", "Verify"],
  ["repair", "Repair"],
  ["guard", "Guard"],
  ["rename", "Rename"],
  ["remove", "Remove"],
];

/** What can be done with a memory; the address says which is at hand (`do=`), so that a problem can lead to its remedy. */
export function MemoryActions({ memory }: { memory: ShownMemory }): VNode {
  const { do: doing = "" } = address.value.params;
  const { card, store } = memory;
  const isRule = card.type === "feedback";
  if (store.isReadOnly || card.section !== undefined)
    return <p class="note">It belongs to another tool: heed reads it and changes nothing in it.</p>;
  return (
    <section class="actions" aria-label="Actions">
      <div class="buttons">
        {ACTIONS.filter(([name]) => name !== "guard" || isRule).map(([name, title]) => (
          <button
            type="button"
            aria-expanded={doing === name}
            class={doing === name ? "is-on" : ""}
            onClick={() => show({ do: doing === name ? "" : name })}
          >
            {title}
          </button>
        ))}
      </div>
      {doing === "edit" && <MemoryEditor memory={memory} />}
      {doing === "verify" && <Verify memory={memory} />}
      {doing === "repair" && <Repair memory={memory} />}
      {doing === "guard" && <Guard memory={memory} />}
      {doing === "rename" && (
        <OneLine
          label="New name"
          initial={card.name}
          button="Rename"
          act={async (newName) =>
            sayChange(await call("memories.rename", card.id, newName, card.contentHash))
          }
        />
      )}
      {doing === "remove" && (
        <OneLine
          label="Why is it removed?"
          initial={address.value.params["reason"] ?? ""}
          button="Remove"
          act={async (reason) => {
            sayChange(await call("memories.remove", card.id, reason, card.contentHash));
            show({ open: "" });
          }}
        />
      )}
    </section>
  );
}

interface OneLineProps {
  label: string;
  initial: string;
  button: string;
  act: (text: string) => Promise<void>;
}

/** A field and a button. */
export function OneLine({ label, initial, button, act }: OneLineProps): VNode {
  const [error, setError] = useState<CallError | undefined>(undefined);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem("text") as HTMLInputElement;
    setError(undefined);
    act(field.value).then(
      () => show({ do: "" }),
      (failure: unknown) => setError(asCallError(failure)),
    );
  };
  return (
    <form class="one-line" onSubmit={submit}>
      <label>
        {label}
        <input name="text" defaultValue={initial} required autoFocus autoComplete="off" />
      </label>
      <button type="submit">{button}</button>
      {error && <Trouble error={error} />}
    </form>
  );
}

function Verify({ memory: { card } }: { memory: ShownMemory }): VNode {
  const [refusals, setRefusals] = useState<readonly GateRefusal[]>([]);
  return (
    <>
      <OneLine
        label="How was it checked? Its claims are checked again besides."
        initial=""
        button="Verify"
        act={async (note) => {
          setRefusals([]);
          const result = await call("upkeep.verify", card.id, { note });
          if (result.outcome === "refused") {
            setRefusals(result.refusals);
            throw asCallError("not verified");
          }
          sayChange({ id: result.change, summary: result.announcement });
        }}
      />
      {refusals.length > 0 && <Refusals refusals={refusals} />}
    </>
  );
}

function Repair({ memory: { card } }: { memory: ShownMemory }): VNode {
  const { value, error } = useAnswer(() => call("upkeep.repair", card.id, {}), [card.id, card.contentHash]);
  const [failure, setFailure] = useState<CallError | undefined>(undefined);
  if (!value) return <Waiting error={error} what="Asking git what became of it" />;
  const accept = ({ hash }: RepairResult): void => {
    call("upkeep.repair", card.id, { isApplied: true, ifHash: hash }).then(
      ({ change, name }) => {
        show({ do: "" });
        sayChange({ id: change ?? "", summary: `repaired ${name}` });
      },
      (refused: unknown) => setFailure(asCallError(refused)),
    );
  };
  return (
    <div class="form">
      {value.steps.map(({ words, was, becomes, isCertain }) => (
        <p>
          {words}: <code>{was}</code> becomes <code>{becomes}</code>
          {!isCertain && <span class="quiet"> (likely, not certain)</span>}
        </p>
      ))}
      {value.open.map((claim) => (
        <p class="quiet">
          Nobody knows what became of <code>{claim}</code>: edit the memory.
        </p>
      ))}
      {value.outcome === "nothing" ? (
        <p class="quiet">There is nothing that could be put right by what git knows.</p>
      ) : (
        <>
          <Diff text={value.diff} />
          <button type="button" onClick={() => accept(value)}>
            Make exactly this change
          </button>
        </>
      )}
      {failure && <Trouble error={failure} />}
    </div>
  );
}

function Guard({ memory: { card } }: { memory: ShownMemory }): VNode {
  const [guard, setGuard] = useState<string>(GUARD_RECIPES[0]?.guard ?? "");
  const [failure, setFailure] = useState<CallError | undefined>(undefined);
  const add = (): void => {
    call("guards.add", card.id, { guard }).then(
      (change) => {
        show({ do: "" });
        sayChange(change);
      },
      (refused: unknown) => setFailure(asCallError(refused)),
    );
  };
  return (
    <div class="form">
      <label>
        Start from
        <select onChange={(event) => setGuard(event.currentTarget.value)}>
          {GUARD_RECIPES.map((recipe) => (
            <option key={recipe.guard} value={recipe.guard}>
              {recipe.stops}
            </option>
          ))}
        </select>
      </label>
      <label>
        The guard, as it stands in the file
        <textarea rows={3} value={guard} onInput={(event) => setGuard(event.currentTarget.value)} />
      </label>
      <p class="quiet">In force, it stops a model's tool.</p>
      <button type="button" onClick={add}>
        Put it into force
      </button>
      {failure && <Trouble error={failure} />}
    </div>
  );
}
