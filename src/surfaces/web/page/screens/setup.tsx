import { Field, Facts, Form } from "../parts/fields.tsx";
import type { VNode } from "preact";
import { call } from "../state/call.ts";
import { Waiting, say, useAct } from "../parts/messages.tsx";
import { plural, shortName, Time } from "../parts/words.tsx";
import { useAnswer, touch } from "../state/live.ts";
import { useState } from "preact/hooks";
import type { MapSetting, Mode } from "../../../../heed.ts";
import { linkTo } from "../state/address.ts";

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
      <section class="card">
        <h3>Clients</h3>
        <p>
          <code>heed init</code> connects them, and shows every line first; <code>heed doctor</code> tests
          what is connected.
        </p>
      </section>
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
        <Facts
          facts={[
            ["repository", <span title={repository}>{shortName(repository ?? "none here")}</span>],
            ["sessions", `${sessions}, with ${plural(receipts, "receipt")}`],
            ["learning by a model", learn.mode === "model" ? "on" : "off"],
            ...Object.entries(places).map(
              ([name, path]) => [name, <code class="path">{path}</code>] as const,
            ),
          ]}
        />
      </section>
    </>
  );
}

const MODES: readonly (readonly [mode: Mode, what: string])[] = [
  ["typed", "rules, a map, and facts where they are sure"],
  ["pull", "rules; facts when the model asks"],
  ["rules", "rules alone"],
  ["off", "nothing"],
];

type Where = "user" | "project";

/** How much is injected, how large the map is, and which memory is written: each for oneself or for the project. */
export function Switches({ mode, hasProject }: { mode: Mode; hasProject: boolean }): VNode {
  const [where, setWhere] = useState<Where>("user");
  const { act, trouble } = useAct();
  const map = useAnswer(() => call("session.map", {}), [], ["settings", "memories"]).value;
  const set = (work: () => Promise<unknown>, words: string): void =>
    void act(async () => {
      await work();
      touch("settings");
      say(`${words}, for ${where === "user" ? "you everywhere" : "this project"}`);
    });
  const setMap = (given: string): void => {
    const setting = (/^\d+$/.test(given) ? Number(given) : given) as MapSetting;
    set(() => call("setup.setMap", setting, where), `map ${given}`);
  };
  return (
    <section class="card">
      <h3>How much is injected</h3>
      <Radios
        legend="Mode"
        choices={MODES.map(([name, what]) => [name, `${name}: ${what}`] as const)}
        chosen={mode}
        onChoose={(name) => set(() => call("setup.setMode", name, where), `mode ${name}`)}
      />
      <Form class="choice" onSubmit={({ map: size = "" }) => setMap(size.trim())}>
        <label>
          The map's size: auto, off, or so many characters{" "}
          <input
            name="map"
            size={6}
            required
            pattern="auto|off|[0-9]+"
            autoComplete="off"
            key={map?.budgetChars}
            defaultValue={map === undefined ? "" : map.budgetChars === 0 ? "off" : String(map.budgetChars)}
          />
        </label>
        <button>Set</button>
      </Form>
      {hasProject && (
        <label class="choice">
          A choice holds for{" "}
          <select value={where} onChange={({ currentTarget }) => setWhere(currentTarget.value as Where)}>
            <option value="user">me, everywhere</option>
            <option value="project">this project, for everybody</option>
          </select>
        </label>
      )}
      <Writer />
      {trouble}
    </section>
  );
}

/** Where Claude Code remembers by itself too, one of the two memories is written. */
function Writer(): VNode | null {
  const { value } = useAnswer(() => call("setup.clientMemory"), [], ["settings"]);
  const { act, trouble } = useAct();
  if (value?.isOn !== true) return null;
  const choose = (writer: "heed" | "client"): void =>
    void act(async () => {
      await call("setup.setWriter", writer);
      touch("settings");
      say(`${writer === "heed" ? "heed" : "Claude Code's own memory"} is the one that is written`);
    });
  return (
    <>
      <Radios
        legend="Claude Code keeps a memory of its own too. Which of the two is written?"
        choices={[
          ["heed", "heed"],
          ["client", `Claude Code's: ${value.directory}`],
        ]}
        chosen={value.writer}
        onChoose={choose}
      />
      {trouble}
    </>
  );
}

/** One of several words, each with what it means. */
function Radios<Word extends string>({
  legend,
  choices,
  chosen,
  onChoose,
}: {
  legend: string;
  choices: readonly (readonly [word: Word, meaning: string])[];
  chosen: string | undefined;
  onChoose: (word: Word) => void;
}): VNode {
  return (
    <fieldset>
      <legend>{legend}</legend>
      {choices.map(([word, meaning]) => (
        <label class="check">
          <input type="radio" name={legend} checked={chosen === word} onChange={() => onChoose(word)} />
          {meaning}
        </label>
      ))}
    </fieldset>
  );
}

/** The rules that stop tools, and what they would say to a command. */
export function GuardList(): VNode {
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
