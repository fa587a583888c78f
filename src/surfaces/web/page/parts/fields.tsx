import type { ComponentChildren, VNode } from "preact";
import { useId } from "preact/hooks";
import type { TypePolicy } from "../../../../heed.ts";
import { call, useAnswer } from "../state/call.ts";
import { type Refusal, useAct, type Work } from "./messages.tsx";

/** The title of a screen; `note` is read out when it changes. */
export function Head(props: {
  title: string;
  note?: ComponentChildren;
  children?: ComponentChildren;
}): VNode {
  return (
    <div class="head">
      <h2 tabIndex={-1}>{props.title}</h2>
      <span class="quiet" role="status">
        {props.note}
      </span>
      {props.children}
    </div>
  );
}

export type Values = (name: string) => string;

/** Fields, and the button that does something with them; what was refused stays below. */
export function Form(props: {
  button: string;
  act: (given: Values) => ReturnType<Work>;
  children: ComponentChildren | ((refusals: readonly Refusal[]) => ComponentChildren);
}): VNode {
  const { act, refusals, trouble } = useAct();
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const given: Values = (name) => {
      const value = data.get(name);
      return typeof value === "string" ? value : "";
    };
    void act(() => props.act(given));
  };
  return (
    <form class="form" onSubmit={submit}>
      {typeof props.children === "function" ? props.children(refusals) : props.children}
      {trouble}
      <button class="primary">{props.button}</button>
    </form>
  );
}

type Given = "name" | "value" | "defaultValue" | "required" | "spellcheck";
interface FieldProps extends Partial<Pick<HTMLTextAreaElement, Given>> {
  label: string;
  /** Follows the label, such as `optional`. */
  hint?: string;
  /** Why its text was refused; marks the field. */
  problem?: string | undefined;
  rows?: number;
  autoFocus?: boolean;
  onText?: (text: string) => void;
}

export function Field({ label, hint, rows, problem, onText, ...given }: FieldProps): VNode {
  const id = useId();
  const field = {
    autoComplete: "off",
    onInput: (event: { currentTarget: { value: string } }) => onText?.(event.currentTarget.value),
    ...given,
    ...(problem !== undefined && { "aria-invalid": true, "aria-describedby": id }),
  };
  return (
    <label>
      {label} {hint !== undefined && <span class="quiet">({hint})</span>}
      {rows === undefined ? <input {...field} /> : <textarea rows={rows} {...field} />}
      {problem !== undefined && (
        <span class="bad" id={id}>
          {problem}
        </span>
      )}
    </label>
  );
}

export function useTypes(): readonly TypePolicy[] {
  return useAnswer(() => call("memories.types"), [], ["settings"]).value ?? [];
}

export function TypeField(props: { value: string; onChange?: (type: string) => void }): VNode {
  const { value, onChange } = props;
  const types = useTypes().filter(({ injection, name }) => injection !== "resume" || name === value);
  return (
    <label>
      Type
      <select
        name="type"
        key={types.length}
        onChange={({ currentTarget }) => onChange?.(currentTarget.value)}
      >
        {types.map(({ name, holds }) => (
          <option value={name} selected={name === value}>{`${name}: ${holds}`}</option>
        ))}
      </select>
    </label>
  );
}
