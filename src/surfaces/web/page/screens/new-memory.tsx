import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Relation, RelationKind } from "../../../../heed.ts";
import { call } from "../state/call.ts";
import { Field, Form, TypeField } from "../parts/fields.tsx";
import { concludeWrite, useAct } from "../parts/messages.tsx";
import { useAnswer } from "../state/live.ts";

/** A new memory, through the gates. `onDone`: its name, or undefined when it waits. */
export function NewMemory({ onDone }: { onDone: (name: string | undefined) => void }): VNode {
  const types = useAnswer(() => call("memories.types"), [], ["settings"]);
  const [type, setType] = useState("feedback");
  const { act, refusals, trouble } = useAct();
  const policy = types.value?.find(({ name }) => name === type);
  const write = async (values: Readonly<Record<string, string | undefined>>): Promise<void> => {
    const field = (name: string): string => (values[name] ?? "").trim();
    const parts = [field("body") === "" ? field("description") : field("body")];
    if (field("why") !== "") parts.push(`**Why:** ${field("why")}`);
    if (field("how") !== "") parts.push(`**How to apply:** ${field("how")}`);
    const tags = field("tags")
      .split(/[\s,]+/)
      .filter((tag) => tag !== "");
    let id: string | undefined;
    const isWritten = await act(async () => {
      const result = await call("memories.write", {
        type,
        description: field("description"),
        body: parts.join("\n"),
        ...(field("name") !== "" && { name: field("name") }),
        ...(tags.length > 0 && { tags }),
        ...(field("relation") !== "" && { relation: relationOf(field("relation")) }),
        ...(values["keepsRelativeDates"] !== undefined && { keepsRelativeDates: true }),
      });
      id = "metadata" in result ? result.metadata.id : undefined;
      return concludeWrite(result);
    });
    if (isWritten) onDone(id);
  };
  const isUndated = refusals.some(({ gate }) => gate === "relative-dates");
  return (
    <section class="pane detail" aria-label="New memory">
      <button class="plain close" onClick={() => onDone(undefined)}>
        Close <kbd aria-hidden="true">Esc</kbd>
      </button>
      <h2>New memory</h2>
      <Form class="form" onSubmit={(values) => void write(values)}>
        <TypeField value={type} onChange={setType} />
        <Field label="In one sentence that can be understood alone" name="description" required autoFocus />
        <Field label="More, in markdown" hint="optional" name="body" rows={4} />
        {policy?.injection === "always" && (
          <>
            <Field label="Why" hint="only if there is a reason" name="why" />
            <Field label="How to apply" hint="optional" name="how" />
          </>
        )}
        <Field label="Tags" hint="optional" name="tags" />
        <Field label="Name" hint="optional; made of the sentence" name="name" />
        {isUndated && (
          <label class="check">
            <input type="checkbox" name="keepsRelativeDates" /> keep the words for days as they are
          </label>
        )}
        {trouble}
        <button>Remember</button>
      </Form>
    </section>
  );
}

/** The choice among the near memories of a refusal: `kind name`. */
function relationOf(chosen: string): Relation {
  const [kind, ...to] = chosen.split(" ");
  return { kind: kind as RelationKind, to: to.join(" ") };
}
