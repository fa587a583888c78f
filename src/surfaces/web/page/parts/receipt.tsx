import type { VNode } from "preact";
import type { Decision, Receipt } from "../../../../heed.ts";
import { call, useAnswer } from "../state/call.ts";
import { Waiting } from "./messages.tsx";
import { Known, MemoryLink, OnDemand, plural, Time, tokens } from "./words.tsx";

const SHOWN = 8;

export function isStop({ decisions }: Receipt): boolean {
  return decisions.some((one) => /^(?:deny|ask)$/.test(one?.guard?.action ?? ""));
}

export function Injection({ receipt }: { receipt: Receipt }): VNode {
  const { id, time, session, cwd, kind, about, chars, decisions, isCut } = receipt;
  const injected = decisions.filter((one) => one && one.form !== "none");
  const [more, others] = [injected.length - SHOWN, decisions.length - injected.length];
  return (
    <li class="card injection">
      <p class="marks">
        <strong>{isStop(receipt) ? "stopped" : kind.replace("-", " ")}</strong>
        {about !== "" && kind !== "session-start" && <q>{about}</q>}
        <span class="quiet">
          <Time of={time} /> · {chars > 0 && `${tokens(chars)} · `}
          {isCut && "cut by the deadline · "}
          {cwd.split(/[\\/]/).at(-1)}, session {session.slice(0, 12)}
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
            why {more > 0 && `and ${more.toLocaleString("en")} more `}
            {others > 0 && <span class="quiet">{plural(others, "other")} considered</span>}
          </>
        }
      >
        {() => <Why receipt={id} />}
      </OnDemand>
    </li>
  );
}

export function Why({ receipt }: { receipt: string }): VNode {
  const { value, error } = useAnswer(() => call("session.why", { receipt }), [receipt]);
  if (!value) return <Waiting error={error} what="Reading the receipt" />;
  return (
    <>
      {value.context !== "" && <pre tabIndex={0}>{value.context}</pre>}
      <ul>
        {value.receipt.decisions.filter(Boolean).map((decision) => (
          <Decided decision={decision} isExplained />
        ))}
      </ul>
    </>
  );
}

/** One line: the figures behind the reason are its tooltip. */
function Decided({ decision, isExplained = false }: { decision: Decision; isExplained?: boolean }): VNode {
  const { name, type, form, reason, probability } = decision;
  const likely = probability === undefined ? "" : `relevant with ${Math.round(probability * 100)} %`;
  return (
    <li title={[reason, likely].filter(Boolean).join("; ")}>
      <span class="tag">{type}</span> <MemoryLink name={name} /> <Known {...decision} />{" "}
      {isExplained && (
        <span class="quiet">
          {form === "none" && "not injected: "}
          {likely || reason}
        </span>
      )}
    </li>
  );
}
