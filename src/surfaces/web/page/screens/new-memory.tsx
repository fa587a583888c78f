import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { GateRefusal, RelationKind } from "../../../../heed.ts";
import type { CallError } from "../state/call.ts";
import { call } from "../state/call.ts";
import { concludeWrite } from "../parts/act.ts";
import { Refusals, Trouble } from "../parts/trouble.tsx";
import { asCallError, useAnswer } from "../state/use-answer.ts";

/** A new memory, through the gates. `onDone`: its name, or undefined when it waits. */
export function NewMemory({ onDone }: { onDone: (name: string | undefined) => void }): VNode {
  const types = useAnswer(() => call("memories.types"), [], ["settings"]);
  const [type, setType] = useState("feedback");
  const [refusals, setRefusals] = useState<readonly GateRefusal[]>([]);
  const [error, setError] = useState<CallError | undefined>(undefined);
  const policy = types.value?.find(({ name }) => name === type);
  const write = async (form: HTMLFormElement): Promise<void> => {
    const fields = new FormData(form);
    const field = (name: string): string => {
      const value = fields.get(name);
      return typeof value === "string" ? value.trim() : "";
    };
    setError(undefined);
    const parts = [field("body") === "" ? field("description") : field("body")];
    if (field("why") !== "") parts.push(`**Why:** ${field("why")}`);
    if (field("how") !== "") parts.push(`**How to apply:** ${field("how")}`);
    const tags = field("tags")
      .split(/[\s,]+/)
      .filter((tag) => tag !== "");
    try {
      const result = await call("memories.write", {
        type,
        description: field("description"),
        body: parts.join("\n"),
        ...(field("name") !== "" && { name: field("name") }),
        ...(tags.length > 0 && { tags }),
        ...(field("relation") !== "" && {
          relation: { kind: field("relation") as RelationKind, to: field("to") },
        }),
        ...(fields.has("keepsRelativeDates") && { keepsRelativeDates: true }),
      });
      const refused = await concludeWrite(result);
      setRefusals(refused);
      if (refused.length === 0) onDone("card" in result ? result.card.id : undefined);
    } catch (failure) {
      setError(asCallError(failure));
    }
  };
  const near = refusals.flatMap(({ duplicates = [] }) => duplicates);
  const isUndated = refusals.some(({ gate }) => gate === "relative-dates");
  return (
    <section class="pane detail" aria-label="New memory">
      <button type="button" class="plain close" onClick={() => onDone(undefined)}>
        Close <kbd aria-hidden="true">Esc</kbd>
      </button>
      <h2>New memory</h2>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void write(event.currentTarget);
        }}
      >
        <label>
          Type
          <select value={type} onChange={({ currentTarget }) => setType(currentTarget.value)}>
            {(types.value ?? [])
              .filter(({ injection }) => injection !== "resume")
              .map(({ name, holds }) => (
                <option value={name}>{`${name}: ${holds}`}</option>
              ))}
          </select>
        </label>
        <label>
          In one sentence that stands alone
          <input name="description" required autoFocus autoComplete="off" />
        </label>
        <label>
          More, in markdown <span class="quiet">(optional)</span>
          <textarea name="body" rows={4} />
        </label>
        {policy?.injection === "always" && (
          <>
            <label>
              Why <span class="quiet">(only if there is a reason)</span>
              <input name="why" autoComplete="off" />
            </label>
            <label>
              How to apply <span class="quiet">(optional)</span>
              <input name="how" autoComplete="off" />
            </label>
          </>
        )}
        <label>
          Tags <span class="quiet">(optional)</span>
          <input name="tags" autoComplete="off" />
        </label>
        <label>
          Name <span class="quiet">(optional; made of the sentence)</span>
          <input name="name" autoComplete="off" />
        </label>
        {near.length > 0 && (
          <label>
            How does it relate to what it resembles?
            <select name="relation">
              <option value="replaces">it replaces</option>
              <option value="adds">it adds to</option>
              <option value="distinct">it is distinct from</option>
            </select>
            <select name="to">
              {near.map(({ name }) => (
                <option value={name}>{name}</option>
              ))}
            </select>
          </label>
        )}
        {isUndated && (
          <label class="check">
            <input type="checkbox" name="keepsRelativeDates" /> keep the words for days as they are
          </label>
        )}
        <button type="submit">Remember</button>
      </form>
      {error && <Trouble error={error} />}
      {refusals.length > 0 && <Refusals refusals={refusals} />}
    </section>
  );
}
