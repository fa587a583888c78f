import type { VNode } from "preact";
import { call } from "../state/call.ts";
import { linkTo } from "../state/address.ts";
import { useAnswer } from "../state/use-answer.ts";
import { Waiting } from "../parts/trouble.tsx";
import { plural, tokens, TypeMark } from "../parts/words.tsx";

/** The map that a fresh session is told here, line by line, each with why it stands where it stands. */
export function MapOfSession({ isOpen }: { isOpen: boolean }): VNode {
  const { value, error } = useAnswer(() => call("session.map", {}), [], ["memories", "settings"]);
  if (!value) return <Waiting error={error} what="Drawing the map" />;
  const { text, budgetChars, lines, leftCount } = value;
  return (
    <details class="card" open={isOpen}>
      <summary>
        <strong>The map that a fresh session is told</strong>{" "}
        <span class="quiet">
          {budgetChars === 0
            ? "none: it is switched off, or the mode tells none"
            : `${plural(lines.length, "line")}, ${text.length.toLocaleString("en")} of ${budgetChars.toLocaleString("en")} characters, ${tokens(text.length)}; ${plural(leftCount, "fact has", "facts have")} no line`}
        </span>
      </summary>
      <ul class="map-lines">
        {lines.map(({ handles, type, text: line, why }) => (
          <li>
            <TypeMark type={type} />{" "}
            {handles.length === 1 ? (
              <a href={linkOf(handles[0])}>{withoutHandles(line)}</a>
            ) : (
              withoutHandles(line)
            )}
            <div class="quiet">
              {handles.length > 1 && (
                <>
                  look-alikes in one line:{" "}
                  {handles.map((handle) => (
                    <>
                      <a href={linkOf(handle)}>{nameOf(handle)}</a>{" "}
                    </>
                  ))}
                  ·{" "}
                </>
              )}
              {why}
            </div>
          </li>
        ))}
      </ul>
    </details>
  );
}

function nameOf(handle: string | undefined): string {
  return (handle ?? "").replace(/^heed:/, "");
}

function linkOf(handle: string | undefined): string {
  return linkTo("memories", { open: nameOf(handle) });
}

/** The line without the mark of the list and the handles, which the links stand for. */
function withoutHandles(line: string): string {
  return line.replace(/^- /, "").replace(/ \[heed:[^\]]*\]/g, "");
}
