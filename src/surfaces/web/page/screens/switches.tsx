import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { MapSetting, Mode } from "../../../../heed.ts";
import type { CallError } from "../state/call.ts";
import { call } from "../state/call.ts";
import { touch } from "../state/live.ts";
import { say } from "../parts/toast.tsx";
import { Trouble } from "../parts/trouble.tsx";
import { asCallError, useAnswer } from "../state/use-answer.ts";

const MODES: readonly (readonly [mode: Mode, what: string])[] = [
  ["typed", "rules, a map, and facts where they are sure"],
  ["pull", "rules; facts when the model asks"],
  ["rules", "rules alone"],
  ["off", "nothing"],
];

type Where = "user" | "project";

/** How much is told, how large the map is, and which memory is written: each for oneself or for the project. */
export function Switches({ mode, hasProject }: { mode: Mode; hasProject: boolean }): VNode {
  const [where, setWhere] = useState<Where>("user");
  const [error, setError] = useState<CallError | undefined>(undefined);
  const map = useAnswer(() => call("session.map", {}), [], ["settings", "memories"]).value;
  const set = (work: Promise<unknown>, words: string): void => {
    setError(undefined);
    work.then(
      () => {
        touch("settings");
        say(`${words}, for ${where === "user" ? "you everywhere" : "this project"}`);
      },
      (failure: unknown) => setError(asCallError(failure)),
    );
  };
  const setMap = (given: string): void => {
    const setting = (/^\d+$/.test(given) ? Number(given) : given) as MapSetting;
    set(call("setup.setMap", setting, where), `map ${given}`);
  };
  return (
    <section class="card">
      <h3>How much is told</h3>
      <fieldset>
        <legend class="unseen">Mode</legend>
        {MODES.map(([name, what]) => (
          <label class="check">
            <input
              type="radio"
              name="mode"
              checked={mode === name}
              onChange={() => set(call("setup.setMode", name, where), `mode ${name}`)}
            />
            <strong>{name}</strong> {what}
          </label>
        ))}
      </fieldset>
      <form
        class="choice"
        onSubmit={(event) => {
          event.preventDefault();
          setMap((event.currentTarget.elements.namedItem("map") as HTMLInputElement).value.trim());
        }}
      >
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
        <button type="submit">Set</button>
      </form>
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
      {error && <Trouble error={error} />}
    </section>
  );
}

/** Where Claude Code remembers by itself too, one of the two memories is written. */
function Writer(): VNode | null {
  const { value } = useAnswer(() => call("setup.clientMemory"), [], ["settings"]);
  const [error, setError] = useState<CallError | undefined>(undefined);
  if (value?.isOn !== true) return null;
  const choose = (writer: "heed" | "client"): void => {
    setError(undefined);
    call("setup.setWriter", writer).then(
      () => {
        touch("settings");
        say(`${writer === "heed" ? "heed" : "Claude Code's own memory"} is the one that is written`);
      },
      (failure: unknown) => setError(asCallError(failure)),
    );
  };
  return (
    <fieldset>
      <legend>Claude Code keeps a memory of its own too. Which of the two is written?</legend>
      {(["heed", "client"] as const).map((writer) => (
        <label class="check">
          <input
            type="radio"
            name="writer"
            checked={value.writer === writer}
            onChange={() => choose(writer)}
          />
          {writer === "heed" ? "heed" : `Claude Code's: ${value.directory}`}
        </label>
      ))}
      {error && <Trouble error={error} />}
    </fieldset>
  );
}
