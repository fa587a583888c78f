import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { ShownMemory } from "../../../../heed.ts";
import { GUARD_RECIPES } from "../../../guard-recipes.ts";
import { call, useAnswer } from "../state/call.ts";
import { Field, Form } from "../parts/fields.tsx";
import { concludeWrite, Replayed, sayChange, Waiting } from "../parts/messages.tsx";
import { Diff } from "../parts/text.tsx";
import { CallError, page, show } from "../state/page.ts";

const ACTIONS: Readonly<Record<string, (props: { memory: ShownMemory }) => VNode>> = {
  Edit,
  Verify,
  Repair,
  Guard,
  Rename,
  Remove,
};

/** What can be done with a memory; `do` in the address says which is at hand, so that a finding can lead to it. */
export function MemoryActions({ memory }: { memory: ShownMemory }): VNode {
  const { do: doing = "" } = page.params;
  const { metadata, store } = memory;
  if (store.isReadOnly || metadata.section !== undefined)
    return <p class="note">It belongs to another tool: heed reads it and changes nothing in it.</p>;
  const Action = Object.hasOwn(ACTIONS, doing) ? ACTIONS[doing] : undefined;
  return (
    <section>
      <div class="buttons" role="group" aria-label="Actions">
        {Object.keys(ACTIONS)
          .filter((name) => name !== "Guard" || metadata.type === "feedback")
          .map((name) => (
            <button aria-expanded={doing === name} onClick={() => show({ do: doing === name ? "" : name })}>
              {name}
            </button>
          ))}
      </div>
      {Action && <Action memory={memory} />}
    </section>
  );
}

function Verify({ memory: { metadata } }: { memory: ShownMemory }): VNode {
  return (
    <Form
      button="Say so"
      act={async (given) => {
        const result = await call("maintenance.verify", metadata.id, { note: given("note") });
        if (result.outcome === "refused") return result.refusals;
        show({ do: "" });
        return sayChange({ id: result.change, summary: result.announcement });
      }}
    >
      <Field
        label="How was it checked? Its claims are checked again besides."
        name="note"
        required
        autoFocus
      />
    </Form>
  );
}

function Rename({ memory: { metadata } }: { memory: ShownMemory }): VNode {
  const { id, name, contentHash } = metadata;
  return (
    <Form
      button="Rename it"
      act={async (given) => {
        const change = await call("memories.rename", id, given("name"), contentHash);
        show({ do: "" });
        sayChange(change);
      }}
    >
      <Field label="New name" name="name" defaultValue={name} required autoFocus />
    </Form>
  );
}

function Remove({ memory: { metadata } }: { memory: ShownMemory }): VNode {
  const { reason = "" } = page.params;
  return (
    <Form
      button="Remove it"
      act={async (given) => {
        const change = await call("memories.remove", metadata.id, given("why"), metadata.contentHash);
        show({ open: "", do: "" });
        sayChange(change);
      }}
    >
      <Field label="Why is it removed?" name="why" defaultValue={reason} required autoFocus />
    </Form>
  );
}

function Repair({ memory: { metadata } }: { memory: ShownMemory }): VNode {
  const { id, contentHash } = metadata;
  const { value, error } = useAnswer(() => call("maintenance.repair", id, {}), [id, contentHash]);
  if (!value) return <Waiting error={error} what="Asking git what became of it" />;
  const accept = async (): Promise<void> => {
    const { change = "", name } = await call("maintenance.repair", id, {
      isApplied: true,
      ifHash: value.hash,
    });
    show({ do: "" });
    sayChange({ id: change, summary: `repaired ${name}` });
  };
  return (
    <>
      {value.steps.map(({ words, was, becomes }) => (
        <p>
          {words}: <code>{was}</code> becomes <code>{becomes}</code>
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
        <Form button="Make exactly this change" act={accept}>
          <Diff text={value.diff} />
        </Form>
      )}
    </>
  );
}

function Guard({ memory: { metadata } }: { memory: ShownMemory }): VNode {
  const [guard, setGuard] = useState<string>(GUARD_RECIPES[0]?.guard ?? "");
  return (
    <Form
      button="Put it into force"
      act={async () => {
        const change = await call("guards.add", metadata.id, { guard });
        show({ do: "" });
        sayChange(change);
      }}
    >
      <label>
        Start from
        <select onChange={({ currentTarget }) => setGuard(currentTarget.value)}>
          {GUARD_RECIPES.map((recipe) => (
            <option value={recipe.guard}>{recipe.stops}</option>
          ))}
        </select>
      </label>
      <label>
        The guard, as it stands in the file
        <textarea rows={3} value={guard} onInput={({ currentTarget }) => setGuard(currentTarget.value)} />
      </label>
      <p class="quiet">In force, it stops a model's tool.</p>
      <Replayed handle={metadata.id} guard={guard} />
    </Form>
  );
}

function Edit({ memory: { metadata } }: { memory: ShownMemory }): VNode {
  const { value, error } = useAnswer(() => call("memories.showFile", metadata.id), [metadata.id]);
  if (!value) return <Waiting error={error} what="Reading the file" />;
  return <Editor id={metadata.id} text={value.text} seenHash={metadata.contentHash} />;
}

/** Replaces exactly what was read: a file that somebody changed meanwhile is shown, not overwritten. */
function Editor({ id, text, seenHash }: { id: string; text: string; seenHash: string }): VNode {
  const [hash, setHash] = useState(seenHash);
  const [theirs, setTheirs] = useState<string | undefined>(undefined);
  return (
    <Form
      button={theirs === undefined ? "Save" : "Save mine over it"}
      act={async (given) => {
        try {
          const result = await call("memories.edit", id, { text: given("text"), ifHash: hash });
          if (result.outcome !== "refused") show({ do: "" });
          return await concludeWrite(result);
        } catch (failure) {
          if (!(failure instanceof CallError) || failure.code !== "changed-outside") throw failure;
          const { metadata } = await call("memories.show", id);
          setTheirs((await call("memories.showFile", id)).text);
          setHash(metadata.contentHash);
          throw failure;
        }
      }}
    >
      <Field
        label="The whole file; the gates look at it before it counts"
        name="text"
        rows={16}
        spellcheck={false}
        defaultValue={text}
      />
      {theirs !== undefined && (
        <div class="conflict">
          <p>
            It was changed elsewhere since you opened it. Nothing was overwritten; this is what it says now:
          </p>
          <pre tabIndex={0}>{theirs}</pre>
        </div>
      )}
    </Form>
  );
}
