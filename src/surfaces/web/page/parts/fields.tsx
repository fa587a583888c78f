import type { ComponentChildren, VNode } from "preact";
import { useAct } from "./messages.tsx";

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

/** A field named `given`, and the button that does something with it; what was refused stays below. */
export function Form(props: {
  button: string;
  act: (given: string) => Promise<unknown>;
  children: ComponentChildren;
}): VNode {
  const { act, trouble } = useAct();
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const given = new FormData(event.currentTarget as HTMLFormElement).get("given");
    void act(() => props.act(typeof given === "string" ? given : ""));
  };
  return (
    <form class="form" onSubmit={submit}>
      {props.children}
      {trouble}
      <button class="primary">{props.button}</button>
    </form>
  );
}
