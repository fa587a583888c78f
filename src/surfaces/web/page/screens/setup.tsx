import type { VNode } from "preact";
import { call, useAnswer } from "../state/call.ts";
import { Head } from "../parts/fields.tsx";
import { Waiting } from "../parts/messages.tsx";
import { type Fact, Facts, plural } from "../parts/words.tsx";
import { Health } from "./health.tsx";

export function SetupScreen(): VNode {
  const { value, error } = useAnswer(() => call("setup.status"), []);
  if (!value) return <Waiting error={error} what="Reading the setup" />;
  const { version, stores, problems, mode, learn, policy, places } = value;
  return (
    <>
      <Head title="Setup" note={`heed ${version}`} />
      {problems.map((problem) => (
        <p class="trouble">{problem}</p>
      ))}
      <Health />
      <section class="card">
        <h3>This machine</h3>
        <Facts
          facts={[
            ...stores.map(({ store, memories }): Fact => [
              `${store.kind} store`,
              <>
                {plural(memories, "memory", "memories")}
                {!store.isTrusted && ", not trusted: data, not rules"}
                {store.isReadOnly && ", read only"}: <code>{store.root}</code>
              </>,
            ]),
            ["stores", stores.length > 0 ? undefined : <code>heed init</code>],
            ["mode", mode],
            ["your organisation's policy", policy && `${policy.says} (${places.policy})`],
            ["learning by a model", learn.mode === "model" ? "on" : "off"],
          ]}
        />
        <p class="quiet">
          Change these with <code>heed config mode</code> and <code>heed config map</code>. Which clients are
          connected: <code>heed doctor</code>.
        </p>
      </section>
    </>
  );
}
