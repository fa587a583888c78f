import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Heed } from "../../../../heed.ts";
import { call, useAnswer } from "../state/call.ts";
import { Field, Form, Head } from "../parts/fields.tsx";
import { Waiting } from "../parts/messages.tsx";
import { Facts, MemoryLink, plural, Repository } from "../parts/words.tsx";
import { linkTo } from "../state/page.ts";
import { Health } from "./health.tsx";

export function SetupScreen(): VNode {
  const { value, error } = useAnswer(() => call("setup.status"), [], ["settings", "memories"]);
  if (!value) return <Waiting error={error} what="Reading the setup" />;
  const { version, stores, problems, mode, repository, sessions, receipts, learn, policy } = value;
  const { policy: policyFile, ...places } = value.places;
  return (
    <>
      <Head title="Setup" note={`heed ${version}`} />
      {problems.map((problem) => (
        <p class="trouble">{problem}</p>
      ))}
      <Health />
      <GuardList />
      <Clients />
      <section class="card">
        <h3>Stores</h3>
        <Facts
          facts={stores.map(({ store, memories, index }) => [
            store.kind,
            <>
              {plural(memories, "memory", "memories")}, index {index}
              {!store.isTrusted && ", not trusted: data, not rules"}
              {store.isReadOnly && ", read only"}: <code>{store.root}</code>
            </>,
          ])}
        />
        {stores.length === 0 && (
          <p>
            None yet: <code>heed init</code> makes one.
          </p>
        )}
      </section>
      <section class="card">
        <h3>This machine</h3>
        <Facts
          facts={[
            ["mode", mode],
            ["your organisation's policy", policy && `${policy.says} (${policyFile})`],
            ["repository", repository === undefined ? "none here" : <Repository of={repository} />],
            ["sessions", `${sessions}, with ${plural(receipts, "receipt")}`],
            ["learning by a model", learn.mode === "model" ? "on" : "off"],
            ...Object.entries(places).map(
              ([name, path]) => [name.replace("userStore", "your store"), <code>{path}</code>] as const,
            ),
          ]}
        />
        <p class="quiet">
          Change these with <code>heed config mode</code> and <code>heed config map</code>.
        </p>
      </section>
    </>
  );
}

function Clients(): VNode {
  const { value } = useAnswer(() => call("clients"), [], ["settings"]);
  return (
    <section class="card">
      <h3>Clients</h3>
      <Facts
        facts={(value ?? []).map(({ title, isConnected }) => [
          title,
          isConnected ? "connected" : "not connected",
        ])}
      />
      {value?.every(({ isConnected }) => isConnected) === false || value?.length === 0 ? (
        <p class="quiet">
          Connect a client: <code>heed init</code>
        </p>
      ) : null}
    </section>
  );
}

type GuardTrial = Awaited<ReturnType<Heed["guards"]["try"]>>;

function GuardList(): VNode {
  const { value, error } = useAnswer(() => call("guards.list"), [], ["memories", "settings", "injected"]);
  const [trial, setTrial] = useState<GuardTrial | undefined>(undefined);
  return (
    <section class="card">
      <h3>Guards</h3>
      {!value && <Waiting error={error} what="Reading guards" />}
      {value?.guards.length === 0 && (
        <p class="quiet">
          No rule has a guard. Open a <a href={linkTo("memories", { type: "feedback" })}>rule</a> and choose
          Guard to stop tools that would break it.
        </p>
      )}
      <ul class="findings">
        {value?.guards.map(({ handle, summary, isInForce, whyNot }) => (
          <li>
            <div>
              <MemoryLink name={handle.replace(/^heed:/, "")} />{" "}
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
        <Form
          button="Ask the guards"
          act={async (given) => setTrial(await call("guards.try", { input: { command: given("command") } }))}
        >
          <Field label="Try a command: nothing is run" name="command" spellcheck={false} />
          {trial && (
            <p role="status">
              <strong>{trial.action}</strong> {trial.reason}
            </p>
          )}
        </Form>
      )}
    </section>
  );
}
