import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Change, ShownMemory } from "../../../../heed.ts";
import { call, useAnswer } from "../state/call.ts";
import { Form } from "../parts/fields.tsx";
import { concludeWrite, refused, sayChange, Waiting } from "../parts/messages.tsx";
import { Diff } from "../parts/text.tsx";
import { page, show } from "../state/page.ts";

interface Action {
  memory: ShownMemory;
}

const ACTIONS: Readonly<Record<string, (props: Action) => VNode>> = {
  Edit,
  Verify: line(
    "Confirm it",
    "How did you check it? Its claims are checked again too.",
    async (memory, note) => {
      const result = await call("maintenance.verify", memory.id, { note });
      if (result.outcome === "refused") throw refused(result.refusals);
      return { id: result.change, summary: result.announcement };
    },
  ),
  Repair,
  Rename: line("Rename it", "New name", (memory, name) =>
    call("memories.rename", memory.id, name, memory.contentHash),
  ),
  Remove: line("Remove it", "Why is it removed?", async (memory, reason) => {
    const change = await call("memories.remove", memory.id, reason, memory.contentHash);
    show({ open: "" });
    return change;
  }),
};

/** What can be done with a memory; `do` in the address says which is at hand, so that a finding can lead to it. */
export function MemoryActions({ memory }: Action): VNode {
  const { do: doing = "" } = page.params;
  const { metadata, store } = memory;
  if (store.isReadOnly || metadata.section !== undefined)
    return <p class="note">Another tool owns this memory: heed only reads it.</p>;
  const Chosen = Object.hasOwn(ACTIONS, doing) ? ACTIONS[doing] : undefined;
  return (
    <section>
      <div class="buttons" role="group" aria-label="Actions">
        {Object.keys(ACTIONS).map((name) => (
          <button
            aria-expanded={doing === name}
            onClick={() => show({ do: doing === name ? "" : name, reason: "" })}
          >
            {name}
          </button>
        ))}
      </div>
      {Chosen && <Chosen memory={memory} />}
    </section>
  );
}

/** An action that needs one line, and makes a change. */
function line(
  button: string,
  label: string,
  act: (memory: ShownMemory["metadata"], given: string) => Promise<Pick<Change, "id" | "summary">>,
): (props: Action) => VNode {
  return ({ memory: { metadata } }) => (
    <Form button={button} act={async (given) => sayChange(await act(metadata, given))}>
      <label>
        {label}
        <input
          name="given"
          autoComplete="off"
          defaultValue={page.params["reason"] ?? ""}
          required
          autoFocus
        />
      </label>
    </Form>
  );
}

function Repair({ memory: { metadata } }: Action): VNode {
  const { id, contentHash } = metadata;
  const { value, error } = useAnswer(() => call("maintenance.repair", id, {}), [id, contentHash]);
  if (!value) return <Waiting error={error} what="Searching git" />;
  const accept = async (): Promise<void> => {
    const request = { isApplied: true, ifHash: value.hash };
    const { change = "" } = await call("maintenance.repair", id, request);
    sayChange({ id: change, summary: `repaired: ${metadata.statement}` });
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
          git cannot tell where <code>{claim}</code> went: edit the memory.
        </p>
      ))}
      {value.outcome === "nothing" ? (
        <p class="quiet">git knows no repair for this.</p>
      ) : (
        <Form button="Make exactly this change" act={accept}>
          <Diff text={value.diff} />
        </Form>
      )}
    </>
  );
}

/** Replaces exactly what was read: a file that somebody changed meanwhile is not overwritten. */
function Edit({ memory: { metadata } }: Action): VNode {
  const { id, contentHash } = metadata;
  const { value, error } = useAnswer(() => call("memories.showFile", id), [id], 0);
  const [ifHash] = useState(contentHash);
  if (!value) return <Waiting error={error} what="Reading the file" />;
  return (
    <Form
      button="Save"
      act={async (text) => concludeWrite(await call("memories.edit", id, { text, ifHash }))}
    >
      <label>
        The whole file; it is checked before it is saved
        <textarea name="given" autoComplete="off" rows={16} spellcheck={false} defaultValue={value.text} />
      </label>
    </Form>
  );
}
