import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Change, GateRefusal, ShownMemory } from "../../../../heed.ts";
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
    return <p class="note">Another tool owns this memory: heed only reads it.</p>;
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

interface Ask {
  button: string;
  label: string;
  value?: string | undefined;
  /** Refusals, or the change that was made. */
  act: (given: string) => Promise<readonly GateRefusal[] | Pick<Change, "id" | "summary">>;
  /** The memory is not there any more. */
  isEnd?: boolean;
}

function OneLine({ button, label, value, act, isEnd = false }: Ask): VNode {
  return (
    <Form
      button={button}
      act={async (given) => {
        const done = await act(given("line"));
        if (!("id" in done)) return done;
        show({ do: "", ...(isEnd && { open: "" }) });
        return sayChange(done);
      }}
    >
      <Field label={label} name="line" defaultValue={value ?? ""} required autoFocus />
    </Form>
  );
}

function Verify({ memory: { metadata } }: { memory: ShownMemory }): VNode {
  return (
    <OneLine
      button="Confirm it"
      label="How did you check it? Its claims are checked again too."
      act={async (note) => {
        const result = await call("maintenance.verify", metadata.id, { note });
        return result.outcome === "refused"
          ? result.refusals
          : { id: result.change, summary: result.announcement };
      }}
    />
  );
}

function Rename({ memory: { metadata } }: { memory: ShownMemory }): VNode {
  const { id, name, contentHash } = metadata;
  const act: Ask["act"] = (given) => call("memories.rename", id, given, contentHash);
  return <OneLine button="Rename it" label="New name" value={name} act={act} />;
}

function Remove({ memory: { metadata } }: { memory: ShownMemory }): VNode {
  const { id, contentHash } = metadata;
  const act: Ask["act"] = (given) => call("memories.remove", id, given, contentHash);
  const { reason } = page.params;
  return <OneLine button="Remove it" label="Why is it removed?" value={reason} act={act} isEnd />;
}

function Repair({ memory: { metadata } }: { memory: ShownMemory }): VNode {
  const { id, contentHash } = metadata;
  const { value, error } = useAnswer(() => call("maintenance.repair", id, {}), [id, contentHash]);
  if (!value) return <Waiting error={error} what="Searching git" />;
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

function Guard({ memory: { metadata } }: { memory: ShownMemory }): VNode {
  const { value = [] } = useAnswer(() => call("guards.recipes", metadata.id), [metadata.id], ["inbox"]);
  const [words, setWords] = useState("");
  const [given, setGuard] = useState<string | undefined>(undefined);
  const found = value.filter(({ stops, guard }) =>
    `${stops} ${guard}`.toLowerCase().includes(words.toLowerCase()),
  );
  const guard = given ?? found[0]?.guard ?? "";
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
        Filter
        <input type="search" value={words} onInput={({ currentTarget }) => setWords(currentTarget.value)} />
      </label>
      <label>
        Start from
        <select value={guard} onChange={({ currentTarget }) => setGuard(currentTarget.value)}>
          {found.map((recipe) => (
            <option value={recipe.guard}>{recipe.stops}</option>
          ))}
        </select>
      </label>
      <label>
        The guard, as written in the file
        <textarea rows={3} value={guard} onInput={({ currentTarget }) => setGuard(currentTarget.value)} />
      </label>
      {guard !== "" && <Replayed handle={metadata.id} guard={guard} />}
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
        label="The whole file; it is checked before it is saved"
        name="text"
        rows={16}
        spellcheck={false}
        defaultValue={text}
      />
      {theirs !== undefined && (
        <div class="conflict">
          <p>It changed elsewhere since you opened it. Nothing was overwritten; it now says:</p>
          <pre tabIndex={0}>{theirs}</pre>
        </div>
      )}
    </Form>
  );
}
