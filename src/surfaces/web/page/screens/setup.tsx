import type { VNode } from "preact";
import { call } from "../state/call.ts";
import { Waiting } from "../parts/trouble.tsx";
import { plural, shortName } from "../parts/words.tsx";
import { useAnswer } from "../state/use-answer.ts";
import { Clients } from "./clients.tsx";
import { GuardList } from "./guard-list.tsx";
import { Switches } from "./switches.tsx";

/** How heed is set up here: how much is pushed, the stores, what stops tools, and what is wrong. */
export function SetupScreen(): VNode {
  const { value, error } = useAnswer(() => call("setup.status"), [], ["settings", "memories"]);
  if (!value) return <Waiting error={error} what="Looking around" />;
  const { version, stores, problems, places, mode, repository, sessions, receipts, learn } = value;
  return (
    <>
      <div class="head">
        <h2>Setup</h2>
        <span class="quiet">heed {version}</span>
      </div>
      {problems.map((problem) => (
        <p class="trouble">{problem}</p>
      ))}
      <Switches mode={mode} hasProject={stores.some(({ store }) => store.kind === "project")} />
      <Clients />
      <section class="card">
        <h3>Stores</h3>
        <ul class="findings">
          {stores.map(({ store, memories, index }) => (
            <li>
              <strong>{store.kind}</strong> {plural(memories, "memory", "memories")}, index {index}
              {!store.isTrusted && <span class="tag">not trusted: data, not rules</span>}
              {store.isReadOnly && <span class="tag">read only</span>}
              <div>
                <code class="path">{store.root}</code>
              </div>
            </li>
          ))}
        </ul>
        {stores.length === 0 && <p>None yet: run heed init.</p>}
      </section>
      <GuardList />
      <section class="card">
        <h3>This machine</h3>
        <dl class="facts">
          <dt>repository</dt>
          <dd title={repository}>{repository === undefined ? "none here" : shortName(repository)}</dd>
          <dt>sessions</dt>
          <dd>
            {sessions}, with {plural(receipts, "receipt")}
          </dd>
          <dt>learning by a model</dt>
          <dd>{learn.mode === "model" ? "on" : "off"}</dd>
          {Object.entries(places).map(([name, path]) => (
            <>
              <dt>{name}</dt>
              <dd>
                <code class="path">{path}</code>
              </dd>
            </>
          ))}
        </dl>
      </section>
    </>
  );
}
