import type { VNode } from "preact";
import type { GateRefusal } from "../../../../heed.ts";
import { linkTo } from "../state/address.ts";
import type { CallError } from "../state/call.ts";

/** What heed refused, with its code and the remedy that its message or data has. */
export function Trouble({ error }: { error: CallError }): VNode {
  const { remedy, gate } = error.data;
  return (
    <div class="trouble" role="alert">
      <strong>{typeof gate === "string" ? `gate ${gate}` : error.code}</strong> {error.message}
      {typeof remedy === "string" && <p class="remedy">→ {remedy}</p>}
    </div>
  );
}

/** What gates refused: which, why, and what would pass. */
export function Refusals({ refusals }: { refusals: readonly GateRefusal[] }): VNode {
  return (
    <div class="trouble" role="alert">
      {refusals.map(({ gate, reason, remedy, duplicates = [] }) => (
        <div>
          <strong>gate {gate}</strong> {reason}
          <p class="remedy">→ {remedy}</p>
          {duplicates.map(({ name, description, similarity, removed }) => (
            <p>
              {removed ? <span>{name}</span> : <a href={linkTo("memories", { open: name })}>{name}</a>}{" "}
              <span class="quiet">
                {Math.round(similarity * 100)} % alike{removed ? `, removed: ${removed.reason}` : ""}
              </span>{" "}
              {description}
            </p>
          ))}
        </div>
      ))}
    </div>
  );
}

/** What stands where nothing is there yet. */
export function Waiting({ error, what }: { error?: CallError | undefined; what: string }): VNode {
  return error ? (
    <Trouble error={error} />
  ) : (
    <p class="loading" aria-busy="true">
      {what} …
    </p>
  );
}
