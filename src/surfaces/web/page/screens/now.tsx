import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";
import type { Decision, Receipt } from "../../../../heed.ts";
import { address, linkTo, show } from "../state/address.ts";
import { call } from "../state/call.ts";
import { Head } from "../parts/fields.tsx";
import { Waiting } from "../parts/messages.tsx";
import { Known, MemoryLink, plural, Time, tokens, TypeMark } from "../parts/words.tsx";
import { memories, overview, useAnswer } from "../state/live.ts";

const RECEIPTS = 1_000;
const SHOWN = 8;

const KINDS: Readonly<Record<Receipt["kind"], string>> = {
  "session-start": "session start",
  "subagent-start": "subagent start",
  prompt: "prompt",
  "tool-use": "tool use",
  "tool-result": "tool result",
  "tool-failure": "failed tool",
  stop: "end of turn",
  compaction: "compaction",
  "session-end": "session end",
};

/** What sessions were given, the newest first, each with its reason and its cost. */
export function NowScreen(): VNode {
  const { session = "" } = address.value.params;
  const { value, error } = useAnswer(() => call("session.receipts", { limit: RECEIPTS }), [], ["injected"]);
  const sessions = Map.groupBy(value ?? [], (receipt) => receipt.session);
  const isStops = session === "stops";
  const [id = ""] = sessions.has(session) ? [session] : sessions.keys();
  const receipts = isStops ? (value ?? []).filter(isStop) : sessions.get(id);
  const chars = receipts?.reduce((sum, receipt) => sum + receipt.chars, 0) ?? 0;
  return (
    <>
      <Head
        title="Now"
        note={receipts && `${plural(receipts.length, isStops ? "stop" : "injection")}, ${tokens(chars)}`}
      >
        {value && value.length > 0 && (
          <label class="choice">
            <span class="unseen">Session</span>
            <select
              value={isStops ? "stops" : id}
              onChange={({ currentTarget }) => show({ session: currentTarget.value })}
            >
              {[...sessions].map(([name, all]) => (
                <option
                  value={name}
                >{`${folderOf(all[0]?.cwd ?? "")} · session ${name.slice(0, 12)} · ${plural(all.length, "injection")}`}</option>
              ))}
              <option value="stops">stops of all sessions</option>
            </select>
          </label>
        )}
      </Head>
      {value && <Today receipts={value} />}
      {!value && <Waiting error={error} what="Reading receipts" />}
      {value?.length === 0 && (
        <p class="empty">
          No session was given anything yet. Connect a client with <code>heed init</code> and begin a session,{" "}
          <a href={linkTo("memories", { open: "new" })}>write a rule</a> for it to get, or see{" "}
          <a href={linkTo("why")}>what a prompt would get</a>.
        </p>
      )}
      {isStops && receipts?.length === 0 && <p class="empty">No guard has stopped a tool.</p>}
      <ol>
        {receipts?.map((receipt) => (
          <Injection key={receipt.id} receipt={receipt} />
        ))}
      </ol>
    </>
  );
}

/** What today came to, each figure with the way to what is behind it. */
function Today({ receipts }: { receipts: readonly Receipt[] }): VNode {
  const midnight = new Date().setHours(0, 0, 0, 0);
  const today = receipts.filter(({ time }) => Date.parse(time) >= midnight);
  const chars = today.reduce((sum, receipt) => sum + receipt.chars, 0);
  const known = [...(memories.value?.values() ?? [])].filter((memory) => memory.known !== undefined).length;
  const stops = today.filter(isStop).length;
  const waiting = overview.value?.pending ?? 0;
  return (
    <ul class="today" aria-label="Today">
      <Figure count={stops} href={linkTo("now", { session: "stops" })}>
        {stops === 1 ? "stop" : "stops"} today
      </Figure>
      <Figure count={today.filter((one) => one.chars > 0).length} href={linkTo("why")}>
        injected today, {tokens(chars)}
      </Figure>
      <Figure count={waiting} href={linkTo("review")} isException={waiting > 0}>
        waiting for your approval
      </Figure>
      <Figure count={known} href={linkTo("memories", { state: "needs a look" })} isException={known > 0}>
        moved, changed or expired
      </Figure>
    </ul>
  );
}

interface FigureProps {
  count: number;
  href: string;
  isException?: boolean;
  children: ComponentChildren;
}

function Figure({ count, href, isException = false, children }: FigureProps): VNode {
  return (
    <li>
      <a href={href} class={isException ? "is-exception" : ""}>
        <strong>{count.toLocaleString("en")}</strong> <span>{children}</span>
      </a>
    </li>
  );
}

/** Whether a guard kept a tool from running. */
function isStop({ decisions }: Receipt): boolean {
  return decisions.some((one) => /^(?:deny|ask)$/.test(one?.guard?.action ?? ""));
}

function Injection({ receipt }: { receipt: Receipt }): VNode {
  const { id, time, kind, about, chars, decisions, isCut } = receipt;
  const [isWhole, setIsWhole] = useState(false);
  const injected = decisions.filter((one) => one && one.form !== "none");
  const others = decisions.length - injected.length;
  const listed = isWhole ? injected : injected.slice(0, SHOWN);
  return (
    <li class={`card ${isStop(receipt) ? "stop" : ""} injection`}>
      <p class="marks">
        <strong>{isStop(receipt) ? "stopped" : KINDS[kind]}</strong>
        {about !== "" && kind !== "session-start" && <q class="about">{about}</q>}
        <span class="quiet">
          <Time of={time} /> · {tokens(chars)}
          {isCut ? ", cut by the deadline" : ""} · <a href={linkTo("why", { receipt: id })}>why</a>
        </span>
      </p>
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
  const { name, type, form, reason } = decision;
  return (
    <li title={reason}>
      <span class={`injected injected-${form}`}>{form}</span> <TypeMark type={type} />{" "}
      <MemoryLink name={name} /> <Known {...decision} />
    </li>
  );
}

function folderOf(cwd: string): string {
  return cwd.split(/[\\/]/).at(-1) ?? cwd;
}
