import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Decision, Receipt } from "../../../../heed.ts";
import { address, linkTo, show } from "../state/address.ts";
import { call } from "../state/call.ts";
import { Waiting } from "../parts/messages.tsx";
import { plural, StandingMark, Time, tokens, TypeMark } from "../parts/words.tsx";
import { overview, useAnswer } from "../state/live.ts";

const RECEIPTS = 200;
/** Decisions of a telling that are shown at once. */
const SHOWN = 8;

const KINDS: Readonly<Record<Receipt["kind"], string>> = {
  "session-start": "the session began",
  "subagent-start": "a subagent began",
  prompt: "prompt",
  "tool-use": "tool use",
  "tool-failure": "a tool failed",
  stop: "the model stopped",
  compaction: "the context was compacted",
  "session-end": "the session ended",
};

/** What sessions were given, the newest first, each with its reason and its cost. */
export function NowScreen(): VNode {
  const { session = "" } = address.value.params;
  const { value, error } = useAnswer(() => call("session.receipts", { limit: RECEIPTS }), [], ["told"]);
  const sessions = sessionsOf(value ?? []);
  const shown = sessions.find(({ id }) => id === session) ?? sessions[0];
  return (
    <>
      <div class="head">
        <h2>Now</h2>
        {overview.value && (
          <span class="quiet">
            {plural(overview.value.total, "memory", "memories")} here · mode {overview.value.mode}
            {overview.value.pending > 0 && (
              <>
                {" · "}
                <a href={linkTo("review")}>
                  {plural(overview.value.pending, "waits", "wait")} for your approval
                </a>
              </>
            )}
          </span>
        )}
      </div>
      {!value && <Waiting error={error} what="Reading receipts" />}
      {value?.length === 0 && (
        <p class="empty">
          No session was told anything yet. Begin one in a connected client, or ask{" "}
          <a href={linkTo("why")}>what a prompt would be told</a>.
        </p>
      )}
      {shown && (
        <>
          <label class="choice">
            Session{" "}
            <select value={shown.id} onChange={({ currentTarget }) => show({ session: currentTarget.value })}>
              {sessions.map(({ id, cwd, receipts }) => (
                <option
                  value={id}
                >{`${folderOf(cwd)} · ${id.slice(0, 12)} · ${plural(receipts.length, "telling")}`}</option>
              ))}
            </select>
          </label>
          <p class="quiet">
            <code class="path">{shown.cwd}</code> · {plural(shown.receipts.length, "telling")} ·{" "}
            {shown.chars.toLocaleString("en")} characters, {tokens(shown.chars)} in all
          </p>
          <ol class="tellings">
            {shown.receipts.map((receipt) => (
              <Telling key={receipt.id} receipt={receipt} />
            ))}
          </ol>
        </>
      )}
    </>
  );
}

function Telling({ receipt }: { receipt: Receipt }): VNode {
  const { id, time, kind, about, chars, decisions, isCut, elapsedMs } = receipt;
  const [isWhole, setIsWhole] = useState(false);
  const told = decisions.filter((one) => one && one.form !== "none");
  const others = decisions.length - told.length;
  const listed = isWhole ? told : told.slice(0, SHOWN);
  return (
    <li class="card telling">
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
      <ul class="decisions">
        {listed.map((decision) => (
          <Told key={`${decision.store} ${decision.name} ${decision.form}`} decision={decision} />
        ))}
      </ul>
      {told.length > listed.length && (
        <button type="button" class="plain" onClick={() => setIsWhole(true)}>
          {plural(told.length - listed.length, "more", "more")}
        </button>
      )}
      {others > 0 && (
        <p class="quiet">{plural(others, "other was", "others were")} considered and not told</p>
      )}
    </li>
  );
}

function Told({ decision }: { decision: Decision }): VNode {
  const { name, type, form, reason, chars, standing, verdict } = decision;
  return (
    <li>
      <span class={`told told-${form}`}>{form}</span> <TypeMark type={type} />{" "}
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

interface Session {
  id: string;
  cwd: string;
  chars: number;
  receipts: Receipt[];
}

/** Receipts by session, that with the newest first. */
function sessionsOf(receipts: readonly Receipt[]): Session[] {
  const sessions = new Map<string, Session>();
  for (const receipt of receipts) {
    const { session: id, cwd } = receipt;
    const session = sessions.get(id) ?? { id, cwd, chars: 0, receipts: [] };
    sessions.set(id, session);
    session.receipts.push(receipt);
    session.chars += receipt.chars;
  }
  return [...sessions.values()];
}

function folderOf(cwd: string): string {
  return cwd.split(/[\\/]/).at(-1) ?? cwd;
}
