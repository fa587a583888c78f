import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Trouble, Waiting, say, useAct } from "../parts/messages.tsx";
import { plural } from "../parts/words.tsx";
import { call } from "../state/call.ts";
import { touch, useAnswer } from "../state/live.ts";
import type { Finding } from "../../../clients/doctor/try-client.ts";
import type { ClientPlan, ClientStanding, ClientWork } from "../../server/client-desk.ts";

/** The agents' clients: which heed is connected with, what would be written for one, shown before it is; and the doctor. */
export function Clients(): VNode {
  const { value, error } = useAnswer(() => call("clients.list"), [], ["settings"]);
  const [asked, setAsked] = useState<{ name: string; work: ClientWork } | undefined>(undefined);
  if (!value) return <Waiting error={error} what="Looking for clients" />;
  const [here, elsewhere] = [value.filter(isHere), value.filter((client) => !isHere(client))];
  const row = (client: ClientStanding): VNode => (
    <li>
      <strong>{client.title}</strong>{" "}
      <span class={client.isConnected ? "standing fresh" : "quiet"}>
        {client.isConnected ? "● connected" : "not connected"}
      </span>
      <div class="quiet">{client.note ?? client.foundBy ?? "not found on this machine"}</div>
      {client.note === undefined && (
        <div class="buttons">
          {(client.isConnected ? (["connect", "disconnect"] as const) : (["connect"] as const)).map(
            (work) => (
              <button
                aria-expanded={asked?.name === client.name && asked.work === work}
                onClick={() => setAsked({ name: client.name, work })}
              >
                {titleOf(work, client.isConnected)}
                <span class="unseen"> {client.title}</span>
              </button>
            ),
          )}
        </div>
      )}
      {asked?.name === client.name && (
        <Plan key={asked.work} name={client.name} work={asked.work} onDone={() => setAsked(undefined)} />
      )}
    </li>
  );
  return (
    <>
      <section class="card" aria-label="Clients">
        <h3>Clients</h3>
        <p class="quiet">What would be written is shown first; every file can be given back as it was.</p>
        <ul class="findings">{here.map(row)}</ul>
        {here.length === 0 && <p>No client was found on this machine.</p>}
        <details>
          <summary>{plural(elsewhere.length, "other")} that heed knows</summary>
          <ul class="findings">{elsewhere.map(row)}</ul>
        </details>
      </section>
      <Doctor onMend={(name, work) => setAsked({ name, work })} />
    </>
  );
}

function isHere({ isConnected, foundBy }: ClientStanding): boolean {
  return isConnected || foundBy !== undefined;
}

function titleOf(work: ClientWork, isConnected: boolean): string {
  if (work === "disconnect") return "Take heed out …";
  return isConnected ? "Write it again …" : "Connect …";
}

/** What would be written, line by line, and the button that writes exactly that. */
function Plan({ name, work, onDone }: { name: string; work: ClientWork; onDone: () => void }): VNode {
  const { value, error } = useAnswer(() => call("clients.plan", name, work), [name, work], ["settings"]);
  const { act, trouble } = useAct();
  if (!value) return <Waiting error={error} what="Reading its files" />;
  const isChange = value.files.some(({ action }) => action !== "unchanged" && action !== "left");
  const carryOut = async (): Promise<void> => {
    try {
      const { title, notes } = await call("clients.carryOut", name, work, value.token);
      onDone();
      say([work === "connect" ? `${title} is connected` : `heed is out of ${title}`, ...notes].join(" · "));
    } finally {
      touch("settings");
    }
  };
  return (
    <section class="plan" aria-label={`What would be written for ${value.title}`}>
      {value.files.map((file) => (
        <PlannedFile file={file} />
      ))}
      {!isChange && <p>There is nothing to do: its files are as they should be.</p>}
      {value.notes.map((note) => (
        <p class="note">{note}</p>
      ))}
      <div class="buttons">
        {isChange && (
          <button class="primary" onClick={() => void act(carryOut)}>
            Write exactly this
          </button>
        )}
        <button onClick={onDone}>Leave it</button>
      </div>
      {trouble}
    </section>
  );
}

const ACTIONS: Readonly<Record<ClientPlan["files"][number]["action"], string>> = {
  created: "would be created",
  changed: "would be changed",
  restored: "would be given back as it was",
  removed: "would be removed",
  unchanged: "is as it should be",
  left: "is left alone",
};

function PlannedFile({ file }: { file: ClientPlan["files"][number] }): VNode {
  const { action, why, byHand, lines } = file;
  return (
    <div>
      <p>
        <code class="path">{file.file}</code> {ACTIONS[action]}
        {why !== undefined && `: ${why}`}
      </p>
      {lines.length > 0 && (
        <pre class="diff" tabIndex={0} aria-label={`lines of ${file.file}`}>
          {lines.map(({ sign, text }) => (
            <span class={sign === "+" ? "added" : "taken"}>{`${sign} ${text}\n`}</span>
          ))}
        </pre>
      )}
      {byHand !== undefined && (
        <>
          <p>To add by hand:</p>
          <pre tabIndex={0}>{byHand}</pre>
        </>
      )}
    </div>
  );
}

const STATES: Readonly<Record<Finding["state"], readonly [mark: string, standing: string]>> = {
  ok: ["● well", "fresh"],
  mended: ["● mended", "fresh"],
  note: ["◐ note", "check"],
  wrong: ["✕ wrong", "stale"],
};

/** Runs all that is connected, in a home that is thrown away: it takes seconds, so it is asked for. */
function Doctor({ onMend }: { onMend: (client: string, work: ClientWork) => void }): VNode {
  const [run, setRun] = useState(0);
  const { value, error, isLoading } = useAnswer(
    () => (run === 0 ? Promise.resolve(undefined) : call("clients.examine")),
    [run],
  );
  const wrong = (value ?? []).filter(({ state }) => state === "wrong").length;
  return (
    <section class="card" aria-label="Doctor">
      <h3>Doctor</h3>
      <p class="quiet">
        Runs heed's hook in each connected client's own shape, and its server, in a home that is thrown away.
        Nothing is changed.
      </p>
      {value && (
        <>
          <p role="status">
            {wrong === 0 ? "All is well." : `${plural(wrong, "thing is", "things are")} wrong.`}
          </p>
          <ul class="findings">
            {value.map((finding) => (
              <Found finding={finding} onMend={onMend} />
            ))}
          </ul>
        </>
      )}
      {run > 0 && isLoading && <Waiting error={error} what="Running what is connected" />}
      {error && !isLoading && <Trouble error={error} />}
      <button disabled={run > 0 && isLoading} onClick={() => setRun(run + 1)}>
        {run === 0 ? "Examine" : "Examine again"}
      </button>
    </section>
  );
}

function Found({
  finding,
  onMend,
}: {
  finding: Finding;
  onMend: (client: string, work: ClientWork) => void;
}): VNode {
  const { about, what, state, detail, remedy } = finding;
  const [mark, standing] = STATES[state];
  const work = state !== "wrong" || about === "machine" ? undefined : WORK_OF[what];
  return (
    <li>
      <span class={`standing ${standing}`}>{mark}</span> <strong>{about}</strong> {what}:{" "}
      <span class="path">{detail}</span>
      {remedy !== undefined && <p class="remedy">→ {remedy}</p>}
      {work && <button onClick={() => onMend(about, work)}>Show what would put it right</button>}
    </li>
  );
}

/** What puts a wrong part of a client right: its files are written again, or heed's second place is taken out. */
const WORK_OF: Readonly<Record<string, ClientWork | undefined>> = { file: "connect", doubles: "disconnect" };
