import type { ComponentChildren, VNode } from "preact";
import { address, show } from "../state/address.ts";
import { call } from "../state/call.ts";
import { useAnswer } from "../state/live.ts";

interface FormProps {
  class: string;
  onSubmit: (values: Readonly<Record<string, string | undefined>>) => void;
  isSearch?: boolean;
  children: ComponentChildren;
}

/** A form that gives what is in its fields. */
export function Form({ class: style, onSubmit, isSearch = false, children }: FormProps): VNode {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const values = [...new FormData(event.currentTarget as HTMLFormElement)];
    onSubmit(
      Object.fromEntries(values.map(([name, value]) => [name, typeof value === "string" ? value : ""])),
    );
  };
  return (
    <form class={style} onSubmit={submit} {...(isSearch && { role: "search" })}>
      {children}
    </form>
  );
}

interface FieldProps {
  label: string;
  name: string;
  /** Follows the label, such as `optional`. */
  hint?: string;
  rows?: number;
  defaultValue?: string;
  required?: boolean;
  autoFocus?: boolean;
  spellcheck?: boolean;
}

/** A field for a text, with its label. */
export function Field({ label, hint, rows, ...field }: FieldProps): VNode {
  return (
    <label>
      {label} {hint !== undefined && <span class="quiet">({hint})</span>}
      {rows === undefined ? <input autoComplete="off" {...field} /> : <textarea rows={rows} {...field} />}
    </label>
  );
}

interface TypeFieldProps {
  value: string;
  onChange?: (type: string) => void;
}

/** A choice among the types of memories that a person writes. */
export function TypeField({ value, onChange }: TypeFieldProps): VNode {
  const types = useAnswer(() => call("memories.types"), [], ["settings"]).value ?? [];
  return (
    <label>
      Type
      <select
        name="type"
        key={types.length}
        defaultValue={value}
        onChange={({ currentTarget }) => onChange?.(currentTarget.value)}
      >
        {types
          .filter(({ injection, name }) => injection !== "resume" || name === value)
          .map(({ name, holds }) => (
            <option value={name} selected={name === value}>{`${name}: ${holds}`}</option>
          ))}
      </select>
    </label>
  );
}

/** Buttons of which one is pressed: what a screen shows. */
export function Choices({
  label,
  words,
  chosen,
  onChoose,
}: {
  label: string;
  words: readonly (readonly [name: string, title: string])[];
  chosen: string;
  onChoose: (name: string) => void;
}): VNode {
  return (
    <div class="buttons" role="group" aria-label={label}>
      {words.map(([name, title]) => (
        <button aria-pressed={chosen === name} onClick={() => onChoose(name)}>
          {title}
        </button>
      ))}
    </div>
  );
}

/** What is known of something, a line each; what is empty is left out. */
export function Facts({
  facts,
}: {
  facts: readonly (readonly [label: string, value: ComponentChildren])[];
}): VNode {
  return (
    <dl>
      {facts
        .filter(([, value]) => value !== undefined && value !== "")
        .map(([label, value]) => (
          <>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </>
        ))}
    </dl>
  );
}

/** Whether a list shows what belongs to other repositories: `all` in the address. */
export function OtherRepositories(): VNode {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={address.value.params["all"] === "yes"}
        onChange={({ currentTarget }) => show({ all: currentTarget.checked ? "yes" : "" })}
      />
      other repositories too
    </label>
  );
}
