import { Form, Head } from "../parts/fields.tsx";
import type { VNode } from "preact";
import type { Explained, Decision } from "../../../../heed.ts";
import { address, goTo, linkTo } from "../state/address.ts";
import { call } from "../state/call.ts";
import { Waiting } from "../parts/messages.tsx";
import { Known, MemoryLink, plural, Time, tokens } from "../parts/words.tsx";
import { useAnswer } from "../state/live.ts";
import { useState } from "preact/hooks";

/** What would be injected on a prompt here, or what was, with the numbers behind each decision. */
export function WhyScreen(): VNode {
  const { prompt = "", receipt = "" } = address.value.params;
  return (
    <>
      <Head title="Why" />
      <Form class="form" onSubmit={({ prompt: given = "" }) => goTo("why", { prompt: given })}>
        <label>
          A prompt, as it could be typed here
          <textarea
            key={prompt}
            name="prompt"
            rows={2}
            data-search
            required
            defaultValue={prompt}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || event.shiftKey) return;
              event.preventDefault();
              event.currentTarget.form?.requestSubmit();
            }}
          />
        </label>
        <button class="primary">What would it get?</button>
      </Form>
      {receipt !== "" && <Answer key={receipt} about={{ receipt }} />}
      {receipt === "" && prompt !== "" && <Answer key={prompt} about={{ prompt }} />}
      {receipt === "" && prompt === "" && (
        <p class="quiet">
          Nothing is injected by asking, and no trace is left.{" "}
          <a href={linkTo("now")}>What sessions were given</a>
        </p>
      )}
      <MapOfSession key={`${prompt} ${receipt}`} isOpen={receipt === "" && prompt === ""} />
    </>
  );
}

function Answer({ about }: { about: Explained }): VNode {
  const isPast = "receipt" in about;
  const { value, error } = useAnswer(
    () => call("session.why", about),
    [about],
    isPast ? [] : ["memories", "settings"],
  );
  if (!value) return <Waiting error={error} what="Asking" />;
  const { receipt, context, isDryRun } = value;
  return (
    <section aria-label="What was injected">
      <p class="marks" role="status">
        {isDryRun ? (
          <strong>It would get</strong>
        ) : (
          <>
            <strong>It got</strong> <Time of={receipt.time} /> <span class="quiet">{receipt.kind}</span>
          </>
        )}
        <span class="quiet">
          {context.length.toLocaleString("en")} characters, {tokens(context.length)}, {receipt.elapsedMs} ms
        </span>
      </p>
      {receipt.about !== "" && !isDryRun && <p class="about">{receipt.about}</p>}
      {context === "" ? (
        <p class="empty">Nothing: no memory is surely relevant to it.</p>
      ) : (
        <pre tabIndex={0}>{context}</pre>
      )}
      <Candidates decisions={receipt.decisions.filter(Boolean)} />
      {!isDryRun && receipt.kind === "prompt" && (
        <a href={linkTo("why", { prompt: receipt.about })}>What would it get today?</a>
      )}
    </section>
  );
}

/** What was considered: injected as what or not, how sure it was, and the terms behind that. */
export function Candidates({ decisions }: { decisions: readonly Decision[] }): VNode {
  const injected = decisions.filter(({ form }) => form !== "none");
  return (
    <>
      <h3>
        {plural(injected.length, "injected", "injected")},{" "}
        {plural(decisions.length - injected.length, "not", "not")}
      </h3>
      <div class="wide" tabIndex={0} role="region" aria-label="Candidates">
        <table class="candidates">
          <thead>
            <tr>
              {["memory", "injected as", "is relevant to it", "score", "reason"].map((title) => (
                <th scope="col">{title}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {decisions.map((decision) => (
              <Candidate key={`${decision.store} ${decision.name} ${decision.form}`} decision={decision} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** What the terms of relevance mean; their sum is the log-odds behind "is relevant to it". */
const TERMS: Readonly<Record<string, string>> = {
  bias: "few memories are relevant to a prompt",
  likelihood: "telling words in common",
  headCoverage: "how much of its head the prompt holds",
};

function Candidate({ decision }: { decision: Decision }): VNode {
  const { name, type, form, reason, probability, score, terms } = decision;
  const [isOpen, setIsOpen] = useState(false);
  const parts = Object.entries(terms ?? {});
  return (
    <>
      <tr class={form === "none" ? "is-not-injected" : ""}>
        <td>
          <MemoryLink name={name} /> <span class="tag">{type}</span> <Known {...decision} />
        </td>
        <td>{form === "none" ? "not injected" : form}</td>
        <td class="number">{probability === undefined ? "" : `${Math.round(probability * 100)} %`}</td>
        <td class="number">{score === undefined ? "" : score.toFixed(2)}</td>
        <td>
          {reason}{" "}
          {parts.length > 0 && (
            <button class="plain" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
              terms<span class="unseen"> of {name}</span>
            </button>
          )}
        </td>
      </tr>
      {isOpen && (
        <tr>
          <td colSpan={5}>
            <ul class="terms">
              {parts
                .sort(([, a], [, b]) => Math.abs(b) - Math.abs(a))
                .map(([term, value]) => (
                  <li>
                    {TERMS[term] ?? term}{" "}
                    <strong>
                      {value > 0 ? "+" : ""}
                      {value.toFixed(2)}
                    </strong>
                  </li>
                ))}
            </ul>
          </td>
        </tr>
      )}
    </>
  );
}

/** The map of a fresh session here, line by line, each with the reason for its place. */
export function MapOfSession({ isOpen }: { isOpen: boolean }): VNode {
  const { value, error } = useAnswer(() => call("session.map", {}), [], ["memories", "settings"]);
  if (!value) return <Waiting error={error} what="Drawing the map" />;
  const { text, budgetChars, lines, leftCount } = value;
  return (
    <details class="card" open={isOpen}>
      <summary>
        <strong>The map of a fresh session</strong>{" "}
        <span class="quiet">
          {budgetChars === 0
            ? "none: it is switched off, or the mode tells none"
            : `${plural(lines.length, "line")}, ${text.length.toLocaleString("en")} of ${budgetChars.toLocaleString("en")} characters, ${tokens(text.length)}; ${plural(leftCount, "fact has", "facts have")} no line`}
        </span>
      </summary>
      <ul class="map-lines">
        {lines.map(({ handles, type, text: line, why }) => (
          <li>
            <span class="tag">{type}</span>{" "}
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

/** The line without the mark of the list and the handles, which links replace. */
function withoutHandles(line: string): string {
  return line.replace(/^- /, "").replace(/ \[heed:[^\]]*\]/g, "");
}
