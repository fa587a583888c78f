import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { GateRefusal, ShownMemory } from "../../../../heed.ts";
import { show } from "../state/address.ts";
import type { CallError } from "../state/call.ts";
import { call } from "../state/call.ts";
import { concludeWrite } from "../parts/act.ts";
import { Refusals, Trouble, Waiting } from "../parts/trouble.tsx";
import { asCallError, useAnswer } from "../state/use-answer.ts";

/** The file of a memory to be edited. What was read is what is replaced: when somebody changed it, nothing is overwritten. */
export function MemoryEditor({ memory: { card } }: { memory: ShownMemory }): VNode {
  const { value, error } = useAnswer(() => call("memories.showFile", card.id), [card.id]);
  if (!value) return <Waiting error={error} what="Reading the file" />;
  return <Editor id={card.id} text={value.text} seenHash={card.contentHash} />;
}

function Editor({ id, text: initial, seenHash }: { id: string; text: string; seenHash: string }): VNode {
  const [text, setText] = useState(initial);
  const [hash, setHash] = useState(seenHash);
  const [refusals, setRefusals] = useState<readonly GateRefusal[]>([]);
  const [error, setError] = useState<CallError | undefined>(undefined);
  const [theirs, setTheirs] = useState<string | undefined>(undefined);
  const save = async (): Promise<void> => {
    setError(undefined);
    setTheirs(undefined);
    try {
      const refused = await concludeWrite(await call("memories.edit", id, { text, ifHash: hash }));
      setRefusals(refused);
      if (refused.length === 0) show({ do: "" });
    } catch (failure) {
      const told = asCallError(failure);
      setError(told);
      if (told.code !== "changed-outside") return;
      const [{ card }, file] = await Promise.all([call("memories.show", id), call("memories.showFile", id)]);
      setTheirs(file.text);
      setHash(card.contentHash);
    }
  };
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <label>
        The file, front matter and text; the gates look at it before it counts
        <textarea
          class="file"
          rows={16}
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      {theirs === undefined ? (
        <button type="submit">Save</button>
      ) : (
        <div class="conflict">
          <p>
            It was changed elsewhere since you opened it. Nothing was overwritten; this is what it says now:
          </p>
          <pre tabIndex={0}>{theirs}</pre>
          <button type="submit">Save mine over it</button>{" "}
          <button
            type="button"
            onClick={() => {
              setText(theirs);
              setTheirs(undefined);
              setError(undefined);
            }}
          >
            Take theirs
          </button>
        </div>
      )}
      {error && <Trouble error={error} />}
      {refusals.length > 0 && <Refusals refusals={refusals} />}
    </form>
  );
}
