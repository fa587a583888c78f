import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Mode } from "../../../../heed.ts";
import type { CallError } from "../state/call.ts";
import { call } from "../state/call.ts";
import { touch } from "../state/live.ts";
import { say } from "../parts/toast.tsx";
import { Trouble, Waiting } from "../parts/trouble.tsx";
import { plural } from "../parts/words.tsx";
import { asCallError, useAnswer } from "../state/use-answer.ts";
import { GuardList } from "./guard-list.tsx";

const MODES: readonly (readonly [mode: Mode, what: string])[] = [
  ["typed", "rules, a map, and facts where they are sure"],
  ["pull", "rules; facts when the model asks"],
  ["rules", "rules alone"],
  ["off", "nothing"],
];

/** How heed is set up here: how much is pushed, the stores, what stops tools, and what is wrong. */
export function SetupScreen(): VNode {
  const { value, error } = useAnswer(() => call("setup.status"), [], ["settings", "memories"]);
  if (!value) return <Waiting error={error} what="Looking around" />;
  const { version, stores, problems, places, mode, repository, sessions, receipts, judge } = value;
  return (
    <>
      <div class="head">
        <h2>Setup</h2>
        <span class="quiet">heed {version}</span>
      </div>
      {problems.map((problem) => (
        <p class="trouble">{problem}</p>
      ))}
      <ModeChoice mode={mode} hasProject={stores.some(({ store }) => store.kind === "project")} />
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
          <dd>{repository ?? "none here"}</dd>
          <dt>sessions</dt>
          <dd>
            {sessions}, with {plural(receipts, "receipt")}
          </dd>
          <dt>judge</dt>
          <dd>{judge.state}</dd>
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

function ModeChoice({ mode, hasProject }: { mode: Mode; hasProject: boolean }): VNode {
  const [where, setWhere] = useState<"user" | "project">("user");
  const [error, setError] = useState<CallError | undefined>(undefined);
  const choose = (wanted: Mode): void => {
    setError(undefined);
    call("setup.setMode", wanted, where).then(
      () => {
        touch("settings");
        say(`mode ${wanted}, for ${where === "user" ? "you everywhere" : "this project"}`);
      },
      (failure: unknown) => setError(asCallError(failure)),
    );
  };
  return (
    <section class="card">
      <h3>How much is told</h3>
      <fieldset>
        <legend class="unseen">Mode</legend>
        {MODES.map(([name, what]) => (
          <label class="check">
            <input type="radio" name="mode" checked={mode === name} onChange={() => choose(name)} />
            <strong>{name}</strong> {what}
          </label>
        ))}
      </fieldset>
      {hasProject && (
        <label class="choice">
          A choice holds for{" "}
          <select
            value={where}
            onChange={({ currentTarget }) => setWhere(currentTarget.value as "user" | "project")}
          >
            <option value="user">me, everywhere</option>
            <option value="project">this project, for everybody</option>
          </select>
        </label>
      )}
      {error && <Trouble error={error} />}
    </section>
  );
}
