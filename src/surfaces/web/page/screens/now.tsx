import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Decision, Receipt } from "../../../../heed.ts";
import { address, linkTo, show } from "../state/address.ts";
import { call } from "../state/call.ts";
import { Head } from "../parts/fields.tsx";
import { Waiting } from "../parts/messages.tsx";
import { Known, MemoryLink, plural, Time, tokens } from "../parts/words.tsx";
import { memories, overview, useAnswer } from "../state/live.ts";

const RECEIPTS = 1_000;
const SHOWN = 8;

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
  const injected = today.filter((receipt) => receipt.chars > 0);
  const chars = injected.reduce((sum, receipt) => sum + receipt.chars, 0);
  const known = memories.value.value?.filter((memory) => memory.known !== undefined).length ?? 0;
  const stops = today.filter(isStop).length;
  const { pending = 0 } = overview.value ?? {};
  return (
    <ul class="today" aria-label="Today">
      <Figure count={stops} href={linkTo("now", { session: "stops" })} words="stopped today" />
      <Figure count={injected.length} href={linkTo("now")} words={`injected today, ${tokens(chars)}`} />
      <Figure
        count={pending}
        href={linkTo("review")}
        isException={pending > 0}
        words="waiting for approval"
      />
      <Figure
        count={known}
        href={linkTo("memories", { state: "needs a look" })}
        isException={known > 0}
        words="moved or expired"
      />
    </ul>
  );
}

function Figure(props: { count: number; href: string; isException?: boolean; words: string }): VNode {
  const { count, href, isException = false, words } = props;
  return (
    <li>
      <a href={href} class={`card ${isException ? "is-exception" : ""}`}>
        <strong>{count.toLocaleString("en")}</strong> <span>{words}</span>
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
        <strong>{isStop(receipt) ? "stopped" : kind.replace("-", " ")}</strong>
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
      <span class="tag">{form}</span> <span class="tag">{type}</span> <MemoryLink name={name} />{" "}
      <Known {...decision} />
    </li>
  );
}

function folderOf(cwd: string): string {
  return cwd.split(/[\\/]/).at(-1) ?? cwd;
}
