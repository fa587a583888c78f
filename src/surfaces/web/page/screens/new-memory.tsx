import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { GateRefusal } from "../../../../heed.ts";
import { call } from "../state/call.ts";
import { Field, Form, TypeField, useTypes, type Values } from "../parts/fields.tsx";
import { concludeWrite } from "../parts/messages.tsx";
import { linkTo, page, show } from "../state/page.ts";

const REASON = ["reason", "Reason", "what went wrong, or what is gained"] as const;
const HOW = ["how", "How", "when it holds, and what to do then"] as const;
/** Fields for the parts that a type may ask for. */
const PARTS: Readonly<Record<string, readonly (readonly [name: string, label: string, hint: string])[]>> = {
  grounds: [REASON, HOW],
  symptom: [["symptom", "Symptom", "the message or behaviour that was seen"]],
  failed: [["failed", "Failed", "what was tried and did not help"]],
  solution: [["solution", "Solution", "what worked"]],
  why: [REASON],
  "how-to-apply": [HOW],
  steps: [["steps", "Steps", "a numbered list"]],
};

export function NewMemory(): VNode {
  const types = useTypes();
  const [type, setType] = useState("feedback");
  const { needs = [], asks = [] } = types.find(({ name }) => name === type) ?? {};
  const parts = [...needs, ...asks].flatMap((need) => PARTS[need] ?? []);
  const stores = new Set(
    page.overview?.byStore.flatMap(({ store }) => (store.isReadOnly ? [] : [store.kind])),
  );
  const write = async (values: Values): Promise<readonly GateRefusal[]> => {
    const given = (name: string): string => values(name).trim();
    const labelled = parts.flatMap(([name, label]) =>
      given(name) === "" || [REASON[0], HOW[0]].some((field) => field === name)
        ? []
        : [`**${label}:** ${given(name)}`],
    );
    const [reason, how, store] = [given("reason"), given("how"), given("store")];
    const result = await call("memories.write", {
      type,
      statement: given("statement"),
      body: [given("body") || given("statement"), ...labelled].join("\n"),
      ...(reason !== "" && { reason }),
      ...(how !== "" && { how }),
      ...(store !== "" && { store: store as "user" }),
    });
    const refusals = await concludeWrite(result);
    if (result.outcome !== "refused") show({ open: "metadata" in result ? result.metadata.id : "" });
    return refusals;
  };
  return (
    <section class="detail" aria-label="New memory">
      <a class="close" href={linkTo("memories", { ...page.params, open: "" })}>
        Close
      </a>
      <h2 tabIndex={-1}>New memory</h2>
      <Form button="Remember" act={write}>
        {(refusals) => {
          const about = (name: string) => ({
            name,
            problem: refusals.find((refusal) => fieldsOf(refusal).includes(name))?.reason,
          });
          return (
            <>
              <TypeField value={type} onChange={setType} />
              <Field
                label="Statement"
                hint="In one sentence, clear without any context"
                {...about("statement")}
                required
                autoFocus
              />
              {parts.map(([name, label, hint]) => (
                <Field key={name} label={label} hint={hint} rows={2} {...about(name)} />
              ))}
              <Field label="More" hint="optional" rows={3} {...about("body")} />
              {stores.size > 1 && (
                <label>
                  Store <span class="quiet">(project: shared with everybody who has this repository)</span>
                  <select name="store">
                    <option value="">as the type says</option>
                    {[...stores].map((kind) => (
                      <option value={kind}>{kind}</option>
                    ))}
                  </select>
                </label>
              )}
            </>
          );
        }}
      </Form>
    </section>
  );
}

/** The fields that a refusal is about: parts that are missing, what a draft that would pass has otherwise, else the sentence. */
function fieldsOf({ needs, proposal = {} }: Partial<GateRefusal>): readonly string[] {
  if (needs) return needs.flatMap((need) => PARTS[need]?.[0]?.[0] ?? []);
  const changed = Object.keys(proposal);
  return changed.length > 0 ? changed : ["statement"];
}
