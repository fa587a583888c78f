import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { linkTo } from "../state/address.ts";
import { call } from "../state/call.ts";
import { Waiting } from "../parts/trouble.tsx";
import { Time } from "../parts/words.tsx";
import { useAnswer } from "../state/use-answer.ts";

/** The rules that stop tools, and what they would say to a command. */
export function GuardList(): VNode {
  const { value, error } = useAnswer(() => call("guards.list"), [], ["memories", "settings", "told"]);
  const [command, setCommand] = useState("");
  const trial = useAnswer(
    () => (command === "" ? Promise.resolve(undefined) : call("guards.try", { input: { command } })),
    [command],
    ["memories"],
  );
  return (
    <section class="card">
      <h3>Guards</h3>
      {!value && <Waiting error={error} what="Reading guards" />}
      {value?.guards.length === 0 && <p class="quiet">No rule carries a guard.</p>}
      <ul class="findings">
        {value?.guards.map(({ handle, summary, isInForce, whyNot, fired, wrong, letPass, lastFired }) => (
          <li>
            <a href={linkTo("memories", { open: handle.replace(/^heed:/, "") })}>{handle}</a> {summary}
            {!isInForce && <span class="tag">not in force: {whyNot}</span>}
            <div class="quiet">
              fired {fired} times, {wrong} wrongly, let pass {letPass} times, last <Time of={lastFired} />
            </div>
          </li>
        ))}
        {value?.problems.map(({ handle, message, remedy }) => (
          <li class="trouble">
            {handle}: {message} → {remedy}
          </li>
        ))}
      </ul>
      {(value?.guards.length ?? 0) > 0 && (
        <form
          class="one-line"
          onSubmit={(event) => {
            event.preventDefault();
            setCommand((event.currentTarget.elements.namedItem("command") as HTMLInputElement).value);
          }}
        >
          <label>
            Try a command: nothing is run
            <input name="command" autoComplete="off" spellcheck={false} />
          </label>
          <button type="submit">Ask the guards</button>
          {trial.value && (
            <p role="status">
              <strong>{trial.value.action}</strong> {trial.value.reason ?? ""}
            </p>
          )}
        </form>
      )}
    </section>
  );
}
