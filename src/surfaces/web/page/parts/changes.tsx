import type { VNode } from "preact";
import type { Change } from "../../../../heed.ts";
import { call, useAnswer } from "../state/call.ts";
import { attempt, takeBack, Waiting } from "./messages.tsx";
import { Diff } from "./text.tsx";
import { OnDemand, Time } from "./words.tsx";

/** The last 20 changes, of one memory or of all, each with the way back. */
export function Changes({ handle }: { handle?: string }): VNode {
  const request = { handle, limit: 20 };
  const { value, error } = useAnswer(() => call("history.list", request), [handle]);
  if (!value) return <Waiting error={error} what="Reading the history" />;
  return (
    <>
      {value.map((change) => (
        <OnDemand
          key={change.id}
          summary={
            <>
              <Time of={change.time} /> <span class="quiet">{change.actor}</span> {wordsOf(change)}
            </>
          }
        >
          {() => (
            <>
              {handle !== undefined && <Difference handle={handle} change={change.id} />}
              <button onClick={() => void attempt(() => takeBack(change.id, handle))}>
                Take this change back
              </button>
            </>
          )}
        </OnDemand>
      ))}
    </>
  );
}

/** Without the handle of the one memory that it is about. */
function wordsOf({ summary, files: [file = "", ...more] }: Change): string {
  return more.length > 0 ? summary : summary.replace(` ${file.replace(/\.md$/, "")}: `, ": ");
}

function Difference({ handle, change }: { handle: string; change: string }): VNode {
  const { value, error } = useAnswer(() => call("history.diff", handle, { change }), [handle, change]);
  return value === undefined ? <Waiting error={error} what="Comparing" /> : <Diff text={value} />;
}
