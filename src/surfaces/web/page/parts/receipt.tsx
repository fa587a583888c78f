import type { VNode } from "preact";
import type { Decision, Receipt } from "../../../../heed.ts";
import { call, useAnswer } from "../state/call.ts";
import { Waiting } from "./messages.tsx";
import { Known, MemoryLink, OnDemand, plural, Time, tokens } from "./words.tsx";

const SHOWN = 8;

/** Whether a guard kept a tool from running. */
export function isStop({ decisions }: Receipt): boolean {
  return decisions.some((one) => /^(?:deny|ask)$/.test(one?.guard?.action ?? ""));
}

/** One injection: what came of it, and on demand why. */
export function Injection({ receipt }: { receipt: Receipt }): VNode {
  const { id, time, session, cwd, kind, about, chars, decisions, isCut } = receipt;
  const injected = decisions.filter((one) => one && one.form !== "none");
  return (
    <li class="card injection">
      <p class="marks">
        <strong>{isStop(receipt) ? "stopped" : kind.replace("-", " ")}</strong>
        {about !== "" && kind !== "session-start" && <q>{about}</q>}
        <span class="quiet">
          <Time of={time} /> · {tokens(chars)}
          {isCut && ", cut by the deadline"} · {cwd.split(/[\\/]/).at(-1)}, session {session.slice(0, 12)}
        </span>
      </p>
      <ul>
        {injected.slice(0, SHOWN).map((decision) => (
          <Decided decision={decision} />
        ))}
      </ul>
      <OnDemand
        summary={
          <>
            why
            {injected.length > SHOWN && `, and ${plural(injected.length - SHOWN, "more", "more")}`}
            <span class="quiet"> {plural(decisions.length - injected.length, "other")} considered</span>
          </>
        }
      >
        {() => <Why receipt={id} />}
      </OnDemand>
    </li>
  );
}

/** The injected text, and the reason for each memory, injected or not. */
export function Why({ receipt }: { receipt: string }): VNode {
  const { value, error } = useAnswer(() => call("session.why", { receipt }), [receipt]);
  if (!value) return <Waiting error={error} what="Reading the receipt" />;
  return (
    <>
      {value.context !== "" && <pre tabIndex={0}>{value.context}</pre>}
      <ul>
        {value.receipt.decisions.filter(Boolean).map((decision) => (
          <Decided decision={decision} isWhole />
        ))}
      </ul>
    </>
  );
}

function Decided({ decision, isWhole = false }: { decision: Decision; isWhole?: boolean }): VNode {
  const { name, type, form, reason, probability } = decision;
  return (
    <li title={reason}>
      <span class="tag">{form === "none" ? "not injected" : form}</span> <span class="tag">{type}</span>{" "}
      <MemoryLink name={name} /> <Known {...decision} />
      {isWhole && (
        <div class="quiet">
          {reason}
          {probability !== undefined && `; relevant with ${Math.round(probability * 100)} %`}
        </div>
      )}
    </li>
  );
}
