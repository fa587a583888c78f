import type { ComponentChildren, VNode } from "preact";
import { useAct, type Work } from "./messages.tsx";

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

type Values = (name: string) => string;

/** Fields, and the button that does something with them; what was refused stays below. */
export function Form(props: {
  button: string;
  act: (given: Values) => ReturnType<Work>;
  children: ComponentChildren;
}): VNode {
  const { act, trouble } = useAct();
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
      {props.children}
      {trouble}
      <button class="primary">{props.button}</button>
    </form>
  );
}

type Given = "name" | "defaultValue" | "required" | "spellcheck";
interface FieldProps extends Partial<Pick<HTMLTextAreaElement, Given>> {
  label: string;
  rows?: number;
  autoFocus?: boolean;
}

export function Field({ label, rows, ...given }: FieldProps): VNode {
  const field = { autoComplete: "off", ...given };
  return (
    <label>
      {label}
      {rows === undefined ? <input {...field} /> : <textarea rows={rows} {...field} />}
    </label>
  );
}
