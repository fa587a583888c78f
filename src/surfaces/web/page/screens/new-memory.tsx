import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { GateRefusal, MemoryDraft } from "../../../../heed.ts";
import { call } from "../state/call.ts";
import { Field, Form, TypeField } from "../parts/fields.tsx";
import { concludeWrite, useAct } from "../parts/messages.tsx";
import { overview, useAnswer } from "../state/live.ts";

/** The labelled parts that a type may ask for: a field each. */
const WHY = ["why", "Why", "what went wrong, or what is gained"] as const;
const HOW = ["how-to-apply", "How to apply", "when it holds, and what to do then"] as const;
const PARTS: Readonly<Record<string, readonly (readonly [name: string, label: string, hint: string])[]>> = {
  grounds: [WHY, HOW],
  symptom: [["symptom", "Symptom", "the message or behaviour that was seen"]],
  failed: [["failed", "Failed", "what was tried and did not help"]],
  solution: [["solution", "Solution", "what worked"]],
  why: [WHY],
  "how-to-apply": [HOW],
  steps: [["steps", "Steps", "a numbered list"]],
};
const STORES: Readonly<Record<string, string>> = {
  user: "yours alone",
  project: "this repository's, shared with everybody who has it",
  team: "your team's",
};

/** A new memory, through the gates. `onDone`: its name, or undefined when it waits. */
export function NewMemory({ onDone }: { onDone: (name: string | undefined) => void }): VNode {
  const types = useAnswer(() => call("memories.types"), [], ["settings"]);
  const [type, setType] = useState("feedback");
  const { act, refusals, trouble } = useAct();
  const { needs = [], asks = [] } = types.value?.find(({ name }) => name === type) ?? {};
  const parts = [...needs, ...asks].flatMap((need) => PARTS[need] ?? []);
  const stores = new Set(
    overview.value?.byStore.flatMap(({ store }) => (store.isReadOnly ? [] : [store.kind])),
  );
  const write = async (values: Readonly<Record<string, string | undefined>>): Promise<void> => {
    const field = (name: string): string => (values[name] ?? "").trim();
    const labelled = parts.flatMap(([name, label]) =>
      field(name) === "" ? [] : [`**${label}:** ${field(name)}`],
    );
    const tags = field("tags").split(/[\s,]+/);
    const draft = {
      type,
      description: field("description"),
      body: [field("body") || field("description"), ...labelled].join("\n"),
      name: field("name"),
      store: field("store"),
      tags: tags.filter((tag) => tag !== ""),
      keepsRelativeDates: values["keepsRelativeDates"] !== undefined,
    };
    const given = Object.entries(draft).filter(([, value]) => value !== "" && value !== false);
    let id: string | undefined;
    const isWritten = await act(async () => {
      const result = await call("memories.write", Object.fromEntries(given) as unknown as MemoryDraft);
      id = "metadata" in result ? result.metadata.id : undefined;
      return concludeWrite(result);
    });
    if (isWritten) onDone(id);
  };
  const isUndated = refusals.some(({ gate }) => gate === "relative-dates");
  const problem = (name: string): string | undefined =>
    refusals.find((refusal) => fieldsOf(refusal).includes(name))?.reason;
  return (
    <section class="pane detail" aria-label="New memory">
      <button class="plain close" onClick={() => onDone(undefined)}>
        Close <kbd aria-hidden="true">Esc</kbd>
      </button>
      <h2>New memory</h2>
      <Form class="form" onSubmit={(values) => void write(values)}>
        <TypeField value={type} onChange={setType} />
        <Field
          label="In one sentence"
          hint="clear without any context"
          name="description"
          problem={problem("description")}
          required
          autoFocus
        />
        {parts.map(([name, label, hint]) => (
          <Field key={name} label={label} hint={hint} name={name} rows={2} problem={problem(name)} />
        ))}
        <Field label="More, in markdown" hint="optional" name="body" rows={3} problem={problem("body")} />
        {stores.size > 1 && (
          <label>
            Store
            <select name="store">
              <option value="">as the type says</option>
              {[...stores].map((kind) => (
                <option value={kind}>{STORES[kind] ?? kind}</option>
              ))}
            </select>
          </label>
        )}
        <Field label="Tags" hint="optional" name="tags" problem={problem("tags")} />
        <Field label="Name" hint="optional; made from the sentence" name="name" problem={problem("name")} />
        {isUndated && (
          <label class="check">
            <input type="checkbox" name="keepsRelativeDates" /> keep the words for days as they are
          </label>
        )}
        {trouble}
        <button class="primary">Remember</button>
      </Form>
    </section>
  );
}

/** The fields that a refusal is about: the parts that are missing, what the draft that would pass has otherwise, else the sentence. */
function fieldsOf({ gate, needs, proposal = {} }: GateRefusal): readonly string[] {
  if (needs) return needs.flatMap((need) => PARTS[need]?.[0]?.[0] ?? []);
  if (gate === "tags") return ["tags"];
  const changed = Object.keys(proposal);
  return changed.length > 0 ? changed : ["description"];
}
