import type { ComponentChildren, VNode } from "preact";
import { useId } from "preact/hooks";
import type { TypePolicy } from "../../../../heed.ts";
import { address, show } from "../state/address.ts";
import { call } from "../state/call.ts";
import { useAnswer } from "../state/live.ts";

/** The title of a screen; `note` is what it shows in a few words, and is read out when it changes. */
export function Head(props: {
  title: string;
  note?: ComponentChildren;
  children?: ComponentChildren;
}): VNode {
  const { title, note, children } = props;
  return (
    <div class="head">
      <h2>{title}</h2>
      <span class="quiet" role="status">
        {note}
      </span>
      {children}
    </div>
  );
}

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
  /** Why what it holds was refused: the field is marked with it. */
  problem?: string | undefined;
  rows?: number;
  defaultValue?: string;
  required?: boolean;
  autoFocus?: boolean;
  spellcheck?: boolean;
}

/** A field for a text, with its label. */
export function Field({ label, hint, rows, problem, ...field }: FieldProps): VNode {
  const id = useId();
  const marked = problem !== undefined && { "aria-invalid": true, "aria-describedby": id };
  return (
    <label>
      {label} {hint !== undefined && <span class="quiet">({hint})</span>}
      {rows === undefined ? (
        <input autoComplete="off" {...field} {...marked} />
      ) : (
        <textarea rows={rows} {...field} {...marked} />
      )}
      {problem !== undefined && (
        <span class="bad" id={id}>
          {problem}
        </span>
      )}
    </label>
  );
}

/** What happens to the memories of a type, for whoever chooses one. */
const BECOMES: Partial<Record<TypePolicy["injection"], string>> = {
  always: "In every session, whole. A guard can enforce it.",
  personal: "One line in the index of every session, in every repository.",
  related: "One line in the index; the full text is added to a prompt that is clearly about it.",
  mentioned: "One line in the index; the full text is added to a prompt that mentions it.",
  symptom: "One line in the index; the full text is added when the same error appears.",
  listed: "One line in the index; an agent opens it before it does the task.",
};

/** A choice among the types of memories that a person writes. */
export function TypeField(props: { value: string; onChange?: (type: string) => void }): VNode {
  const { value, onChange } = props;
  const id = useId();
  const types = useAnswer(() => call("memories.types"), [], ["settings"]).value ?? [];
  const chosen = types.find(({ name }) => name === value);
  return (
    <label>
      Type
      <select
        name="type"
        key={types.length}
        aria-describedby={id}
        defaultValue={value}
        onChange={({ currentTarget }) => onChange?.(currentTarget.value)}
      >
        {types
          .filter(({ injection, name }) => injection !== "resume" || name === value)
          .map(({ name, holds }) => (
            <option value={name} selected={name === value}>{`${name}: ${holds}`}</option>
          ))}
      </select>
      <span class="quiet" id={id}>
        {onChange && chosen && BECOMES[chosen.injection]}
      </span>
    </label>
  );
}

/** Buttons of which one is pressed: what a screen shows. */
export function Choices(props: {
  label: string;
  words: readonly (readonly [name: string, title: string])[];
  chosen: string;
  onChoose: (name: string) => void;
}): VNode {
  const { label, words, chosen, onChoose } = props;
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
export function Facts(props: {
  facts: readonly (readonly [label: ComponentChildren, ComponentChildren])[];
}): VNode {
  const known = props.facts.filter(([, value]) => value !== undefined && value !== "");
  return (
    <dl>
      {known.map(([label, value]) => (
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
