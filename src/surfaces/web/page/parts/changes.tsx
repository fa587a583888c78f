import type { VNode } from "preact";
import { call, useAnswer } from "../state/call.ts";
import { takeBack, Waiting } from "./messages.tsx";
import { Diff } from "./text.tsx";
import { OnDemand, Time } from "./words.tsx";

/** The last 20 changes, of one memory or of all, each with the way back. */
export function Changes({ handle }: { handle?: string }): VNode {
  const { value, error } = useAnswer(
    () => call("history.list", { handle, limit: 20 }),
    [handle],
    ["memories"],
  );
  if (!value) return <Waiting error={error} what="Reading the history" />;
  return (
    <>
      {value.map(({ id, time, actor, summary }) => (
        <OnDemand
          key={id}
          summary={
            <>
              <Time of={time} /> <span class="quiet">{actor}</span> {summary}
            </>
          }
        >
          {() => (
            <>
              {handle !== undefined && <Difference handle={handle} change={id} />}
              <button onClick={() => void takeBack(id, handle)}>Take this change back</button>
            </>
          )}
        </OnDemand>
      ))}
    </>
  );
}

function Difference({ handle, change }: { handle: string; change: string }): VNode {
  const { value, error } = useAnswer(() => call("history.diff", handle, { change }), [handle, change]);
  return value === undefined ? <Waiting error={error} what="Comparing" /> : <Diff text={value} />;
}
