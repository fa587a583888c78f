import { Field, Facts, Form, Head } from "../parts/fields.tsx";
import type { VNode } from "preact";
import { call } from "../state/call.ts";
import { Waiting } from "../parts/messages.tsx";
import { MemoryLink, plural, Repository } from "../parts/words.tsx";
import { useAnswer } from "../state/live.ts";
import { useState } from "preact/hooks";
import { linkTo } from "../state/address.ts";

/** How heed is set up here: the stores, what stops tools, and what is wrong. */
export function SetupScreen(): VNode {
  const { value, error } = useAnswer(() => call("setup.status"), [], ["settings", "memories"]);
  if (!value) return <Waiting error={error} what="Looking around" />;
  const { version, stores, problems, places, mode, repository, sessions, receipts, learn, policy } = value;
  return (
    <>
      <Head title="Setup" note={`heed ${version}`} />
      {problems.map((problem) => (
        <p class="trouble">{problem}</p>
      ))}
      <section class="card">
        <h3>Stores</h3>
        <ul class="findings">
          {stores.map(({ store, memories, index }) => (
            <li>
              <div>
                <strong>{store.kind}</strong> {plural(memories, "memory", "memories")}, index {index}
                {!store.isTrusted && <span class="tag">not trusted: data, not rules</span>}
                {store.isReadOnly && <span class="tag">read only</span>}
              </div>
              <code class="quiet">{store.root}</code>
            </li>
          ))}
        </ul>
        {stores.length === 0 && (
          <p>
            None yet: <code>heed init</code> makes one.
          </p>
        )}
      </section>
      <GuardList />
      <section class="card">
        <h3>This machine</h3>
        <Facts
          facts={[
            ["mode", mode],
            ...(policy ? [["the organisation's policy", policy.says] as const] : []),
            ["repository", repository === undefined ? "none here" : <Repository of={repository} />],
            ["sessions", `${sessions}, with ${plural(receipts, "receipt")}`],
            ["learning by a model", learn.mode === "model" ? "on" : "off"],
            ...Object.entries(places).map(
              ([name, path]) => [name.replace("userStore", "your store"), <code>{path}</code>] as const,
            ),
          ]}
        />
        <p class="quiet">
          Set by <code>heed mode</code> and <code>heed map</code>; <code>heed init</code> connects clients.
        </p>
      </section>
    </>
  );
}

/** The rules that stop tools, and what they would say to a command. */
function GuardList(): VNode {
  const { value, error } = useAnswer(() => call("guards.list"), [], ["memories", "settings", "injected"]);
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
      {value?.guards.length === 0 && (
        <p class="quiet">
          No rule has a guard. Open a <a href={linkTo("memories", { type: "feedback" })}>rule</a> and choose
          Guard: it stops the tools that would break it.
        </p>
      )}
      <ul class="findings">
        {value?.guards.map(({ handle, summary, isInForce, whyNot }) => (
          <li>
            <div>
              <MemoryLink name={handle.replace(/^heed:/, "")} />
              {!isInForce && <span class="tag">not in force: {whyNot}</span>}
            </div>
            <span class="quiet">{summary}</span>
          </li>
        ))}
        {value?.problems.map(({ handle, message, remedy }) => (
          <li class="trouble">
            {handle}: {message} → {remedy}
          </li>
        ))}
      </ul>
      {(value?.guards.length ?? 0) > 0 && (
        <Form class="one-line" onSubmit={({ command: given = "" }) => setCommand(given)}>
          <Field label="Try a command: nothing is run" name="command" spellcheck={false} />
          <button>Ask the guards</button>
          {trial.value && (
            <p role="status">
              <strong>{trial.value.action}</strong> {trial.value.reason ?? ""}
            </p>
          )}
        </Form>
      )}
    </section>
  );
}
