import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Decision, Receipt } from "../../../../heed.ts";
import { address, linkTo, show } from "../state/address.ts";
import { call } from "../state/call.ts";
import { Waiting } from "../parts/messages.tsx";
import { plural, StandingMark, Time, tokens, TypeMark } from "../parts/words.tsx";
import { useAnswer } from "../state/live.ts";

const RECEIPTS = 200;
const SHOWN = 8;

const KINDS: Readonly<Record<Receipt["kind"], string>> = {
  "session-start": "the session began",
  "subagent-start": "a subagent began",
  prompt: "prompt",
  "tool-use": "tool use",
  "tool-result": "tool result",
  "tool-failure": "a tool failed",
  stop: "the model stopped",
  compaction: "the context was compacted",
  "session-end": "the session ended",
};

/** What sessions were given, the newest first, each with its reason and its cost. */
export function NowScreen(): VNode {
  const { session = "" } = address.value.params;
  const { value, error } = useAnswer(() => call("session.receipts", { limit: RECEIPTS }), [], ["injected"]);
  const sessions = Map.groupBy(value ?? [], (receipt) => receipt.session);
  // The newest first, as receipts come.
  const [id = ""] = sessions.has(session) ? [session] : sessions.keys();
  const receipts = sessions.get(id);
  const chars = receipts?.reduce((sum, receipt) => sum + receipt.chars, 0) ?? 0;
  return (
    <>
      <h2>Now</h2>
      {!value && <Waiting error={error} what="Reading receipts" />}
      {value?.length === 0 && (
        <p class="empty">
          Nothing was injected into a session yet. Begin one in a connected client, or ask{" "}
          <a href={linkTo("why")}>what a prompt would get</a>.
        </p>
      )}
      {receipts && (
        <>
          <label class="choice">
            Session{" "}
            <select value={id} onChange={({ currentTarget }) => show({ session: currentTarget.value })}>
              {[...sessions].map(([name, all]) => (
                <option
                  value={name}
                >{`${folderOf(all[0]?.cwd ?? "")} · ${name.slice(0, 12)} · ${plural(all.length, "injection")}`}</option>
              ))}
            </select>
          </label>
          <p class="quiet">
            <code class="path">{receipts[0]?.cwd}</code> · {plural(receipts.length, "injection")} ·{" "}
            {chars.toLocaleString("en")} characters, {tokens(chars)} in all
          </p>
          <ol>
            {receipts.map((receipt) => (
              <Injection key={receipt.id} receipt={receipt} />
            ))}
          </ol>
        </>
      )}
    </>
  );
}

function Injection({ receipt }: { receipt: Receipt }): VNode {
  const { id, time, kind, about, chars, decisions, isCut, elapsedMs } = receipt;
  const [isWhole, setIsWhole] = useState(false);
  const injected = decisions.filter((one) => one && one.form !== "none");
  const others = decisions.length - injected.length;
  const listed = isWhole ? injected : injected.slice(0, SHOWN);
  return (
    <li class="card injection">
      <p class="marks">
        <Time of={time} />
        <strong>{KINDS[kind]}</strong>
        <span class="quiet">
          {chars.toLocaleString("en")} characters, {tokens(chars)}, {elapsedMs} ms
          {isCut ? ", cut by the deadline" : ""}
        </span>
        <a href={linkTo("why", { receipt: id })}>why</a>
      </p>
      {about !== "" && kind !== "session-start" && <p class="about">{about}</p>}
      <ul>
        {listed.map((decision) => (
          <Injected key={`${decision.store} ${decision.name} ${decision.form}`} decision={decision} />
        ))}
      </ul>
      {injected.length > listed.length && (
        <button class="plain" onClick={() => setIsWhole(true)}>
          {plural(injected.length - listed.length, "more", "more")}
        </button>
      )}
      {others > 0 && (
        <p class="quiet">{plural(others, "other was", "others were")} considered and not injected</p>
      )}
    </li>
  );
}

function Injected({ decision }: { decision: Decision }): VNode {
  const { name, type, form, reason, chars, standing, verdict } = decision;
  return (
    <li>
      <span class={`injected injected-${form}`}>{form}</span> <TypeMark type={type} />{" "}
      <a href={linkTo("memories", { open: name })}>{name}</a> <span class="quiet">{reason}</span>
      {standing !== undefined && standing !== "fresh" && (
        <>
          {" "}
          <StandingMark standing={standing} {...(verdict !== undefined && { words: verdict })} />
        </>
      )}
      {chars > 0 && <span class="quiet"> · {chars} characters</span>}
    </li>
  );
}

function folderOf(cwd: string): string {
  return cwd.split(/[\\/]/).at(-1) ?? cwd;
}
