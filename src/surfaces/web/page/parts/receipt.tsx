import type { VNode } from "preact";
import type { Decision, Receipt } from "../../../../heed.ts";
import { call, useAnswer } from "../state/call.ts";
import { Waiting } from "./messages.tsx";
import { Known, MemoryLink, OnDemand, plural, Time, tokens } from "./words.tsx";

const SHOWN = 5;

export function isStop({ decisions }: Pick<Receipt, "decisions">): boolean {
  return decisions.some((one) => /^(?:deny|ask)$/.test(one?.guard?.action ?? ""));
}

const isInjected = (one: Decision | undefined): one is Decision => one !== undefined && one.form !== "none";

/** What a session was given, or stopped at; with `name` what of it was that memory. */
export function Injection({ receipt, name }: { receipt: Receipt; name?: string }): VNode {
  const { id, time, session, cwd, kind, about, chars, decisions, isCut } = receipt;
  const injected = decisions.filter((one) => isInjected(one) && (name === undefined || one.name === name));
  const [more, others] = [injected.length - SHOWN, decisions.length - injected.length];
  return (
    <li class="card injection">
      <p class="marks">
        {isStop(receipt) ? <strong class="bad">stopped</strong> : <strong>{kind.replace("-", " ")}</strong>}
        {about !== "" && kind !== "session-start" && <q>{about}</q>}
        <span class="quiet">
          <Time of={time} /> · {chars > 0 && `${tokens(chars)} · `}
          {isCut && "cut by the deadline · "}
          {cwd.split(/[\\/]/).at(-1)}, session {session.slice(0, 12)}
        </span>
      </p>
      <Decisions of={injected.slice(0, SHOWN)} />
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
  const {
    context,
    receipt: { decisions },
  } = value;
  const others = decisions.filter((one) => one && !isInjected(one));
  return (
    <>
      {context !== "" && <pre tabIndex={0}>{context}</pre>}
      <Decisions of={decisions.filter(isInjected)} isExplained />
      {others.length > 0 && <p class="quiet">Considered, and not injected:</p>}
      <Decisions of={others} isExplained />
    </>
  );
}

/** One line each: the figures behind the reason are its tooltip. */
function Decisions(props: { of: readonly Decision[]; isExplained?: boolean }): VNode {
  return (
    <ul class="lines">
      {props.of.map((decision) => {
        const { name, type, reason, probability } = decision;
        const likely = probability === undefined ? "" : `relevant with ${Math.round(probability * 100)} %`;
        return (
          <li title={[reason, likely].filter(Boolean).join("; ")}>
            <span class="tag">{type}</span> <MemoryLink name={name} /> <Known {...decision} />{" "}
            {props.isExplained && <span class="quiet">{likely || reason}</span>}
          </li>
        );
      })}
    </ul>
  );
}
