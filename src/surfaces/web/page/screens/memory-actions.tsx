import { Choices, Field, Form } from "../parts/fields.tsx";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { GateRefusal, ShownMemory } from "../../../../heed.ts";
import { GUARD_RECIPES } from "../../../guard-recipes.ts";
import { address, show } from "../state/address.ts";
import { call, CallError } from "../state/call.ts";
import { Replayed, sayChange, Waiting, concludeWrite, useAct } from "../parts/messages.tsx";
import { Diff } from "../parts/markdown.tsx";
import { useAnswer } from "../state/live.ts";

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
  const { metadata, store } = memory;
  const isRule = metadata.type === "feedback";
  if (store.isReadOnly || metadata.section !== undefined)
    return <p class="note">It belongs to another tool: heed reads it and changes nothing in it.</p>;
  return (
    <section>
      <Choices
        label="Actions"
        words={ACTIONS.filter(([name]) => name !== "guard" || isRule)}
        chosen={doing}
        onChoose={(name) => show({ do: doing === name ? "" : name })}
      />
      {doing === "edit" && <MemoryEditor memory={memory} />}
      {doing === "verify" && (
        <OneLine
          label="How was it checked? Its claims are checked again besides."
          initial=""
          button="Verify"
          act={async (note) => {
            const result = await call("maintenance.verify", metadata.id, { note });
            if (result.outcome === "refused") return result.refusals;
            return sayChange({ id: result.change, summary: result.announcement });
          }}
        />
      )}
      {doing === "repair" && <Repair memory={memory} />}
      {doing === "guard" && <Guard memory={memory} />}
      {doing === "rename" && (
        <OneLine
          label="New name"
          initial={metadata.name}
          button="Rename"
          act={async (newName) =>
            sayChange(await call("memories.rename", metadata.id, newName, metadata.contentHash))
          }
        />
      )}
      {doing === "remove" && (
        <OneLine
          label="Why is it removed?"
          initial={address.value.params["reason"] ?? ""}
          button="Remove"
          act={async (reason) => {
            sayChange(await call("memories.remove", metadata.id, reason, metadata.contentHash));
            show({ open: "" });
          }}
        />
      )}
    </section>
  );
}

type Work = (text: string) => Promise<readonly GateRefusal[] | void>;

function OneLine(props: { label: string; initial: string; button: string; act: Work }): VNode {
  const { label, initial, button, act: work } = props;
  const { act, trouble } = useAct();
  const submit = async ({ text = "" }: Readonly<Record<string, string | undefined>>): Promise<void> => {
    if (await act(async () => work(text))) show({ do: "" });
  };
  return (
    <Form class="one-line" onSubmit={(values) => void submit(values)}>
      <Field label={label} name="text" defaultValue={initial} required autoFocus />
      <button>{button}</button>
      {trouble}
    </Form>
  );
}

function Repair({ memory: { metadata } }: { memory: ShownMemory }): VNode {
  const { value, error } = useAnswer(
    () => call("maintenance.repair", metadata.id, {}),
    [metadata.id, metadata.contentHash],
  );
  const { act, trouble } = useAct();
  if (!value) return <Waiting error={error} what="Asking git what became of it" />;
  const accept = async (): Promise<void> => {
    const { change = "", name } = await call("maintenance.repair", metadata.id, {
      isApplied: true,
      ifHash: value.hash,
    });
    show({ do: "" });
    sayChange({ id: change, summary: `repaired ${name}` });
  };
  return (
    <div class="form">
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
        <>
          <Diff text={value.diff} />
          <button onClick={() => void act(accept)}>Make exactly this change</button>
        </>
      )}
      {trouble}
    </div>
  );
}

function Guard({ memory: { metadata } }: { memory: ShownMemory }): VNode {
  const [guard, setGuard] = useState<string>(GUARD_RECIPES[0]?.guard ?? "");
  const [tried, setTried] = useState(guard);
  const { act, trouble } = useAct();
  const add = async (): Promise<void> => {
    const change = await call("guards.add", metadata.id, { guard });
    show({ do: "" });
    sayChange(change);
  };
  return (
    <div class="form">
      <label>
        Start from
        <select
          onChange={({ currentTarget: { value } }) => {
            setGuard(value);
            setTried(value);
          }}
        >
          {GUARD_RECIPES.map((recipe) => (
            <option key={recipe.guard} value={recipe.guard}>
              {recipe.stops}
            </option>
          ))}
        </select>
      </label>
      <label>
        The guard, as it stands in the file
        <textarea
          rows={3}
          value={guard}
          onInput={(event) => setGuard(event.currentTarget.value)}
          onChange={() => setTried(guard)}
        />
      </label>
      <p class="quiet">In force, it stops a model's tool.</p>
      <Replayed handle={metadata.id} guard={tried} />
      <button onClick={() => void act(add)}>Put it into force</button>
      {trouble}
    </div>
  );
}

/** The file of a memory to be edited. What was read is what is replaced: when somebody changed it, nothing is overwritten. */
export function MemoryEditor({ memory: { metadata } }: { memory: ShownMemory }): VNode {
  const { value, error } = useAnswer(() => call("memories.showFile", metadata.id), [metadata.id]);
  if (!value) return <Waiting error={error} what="Reading the file" />;
  return <Editor id={metadata.id} text={value.text} seenHash={metadata.contentHash} />;
}

function Editor({ id, text: initial, seenHash }: { id: string; text: string; seenHash: string }): VNode {
  const [text, setText] = useState(initial);
  const [hash, setHash] = useState(seenHash);
  const { act, trouble } = useAct();
  const [theirs, setTheirs] = useState<string | undefined>(undefined);
  const save = async (): Promise<void> => {
    setTheirs(undefined);
    const isSaved = await act(async () => {
      try {
        return await concludeWrite(await call("memories.edit", id, { text, ifHash: hash }));
      } catch (failure) {
        if (!(failure instanceof CallError) || failure.code !== "changed-outside") throw failure;
        const [{ metadata }, file] = await Promise.all([
          call("memories.show", id),
          call("memories.showFile", id),
        ]);
        setTheirs(file.text);
        setHash(metadata.contentHash);
        throw failure;
      }
    });
    if (isSaved) show({ do: "" });
  };
  return (
    <Form class="form" onSubmit={() => void save()}>
      <label>
        The whole file; the gates look at it before it counts
        <textarea
          class="file"
          rows={16}
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      {theirs === undefined ? (
        <button>Save</button>
      ) : (
        <div class="conflict">
          <p>
            It was changed elsewhere since you opened it. Nothing was overwritten; this is what it says now:
          </p>
          <pre tabIndex={0}>{theirs}</pre>
          <button>Save mine over it</button>{" "}
          <button
            type="button"
            onClick={() =>
              void act(async () => {
                setText(theirs);
                setTheirs(undefined);
              })
            }
          >
            Take theirs
          </button>
        </div>
      )}
      {trouble}
    </Form>
  );
}
