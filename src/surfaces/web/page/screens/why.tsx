import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Decision, Explained, Explanation } from "../../../../heed.ts";
import { address, goTo, linkTo } from "../state/address.ts";
import { call } from "../state/call.ts";
import { say } from "../parts/toast.tsx";
import { Waiting } from "../parts/trouble.tsx";
import { plural, StandingMark, Time, tokens, TypeMark } from "../parts/words.tsx";
import { useAnswer } from "../state/use-answer.ts";

/** What a prompt would be told here, or what a past telling was, with the numbers behind each decision. */
export function WhyScreen(): VNode {
  const { prompt = "", receipt = "" } = address.value.params;
  const ask = (event: SubmitEvent): void => {
    event.preventDefault();
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem(
      "prompt",
    ) as HTMLTextAreaElement;
    goTo("why", { prompt: field.value });
  };
  return (
    <>
      <h2>Why</h2>
      <form class="form" onSubmit={ask}>
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
        <button type="submit">What would it be told?</button>
      </form>
      {receipt !== "" && <Answer key={receipt} about={{ receipt }} />}
      {receipt === "" && prompt !== "" && <Answer key={prompt} about={{ prompt }} />}
      {receipt === "" && prompt === "" && (
        <p class="quiet">Nothing is told by asking, and no trace is left.</p>
      )}
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
  const { receipt, context, isRehearsal } = value;
  return (
    <section aria-label="What was told">
      <p class="marks">
        {isRehearsal ? (
          <strong>It would be told</strong>
        ) : (
          <>
            <strong>It was told</strong> <Time of={receipt.time} /> <span class="quiet">{receipt.kind}</span>
          </>
        )}
        <span class="quiet">
          {context.length.toLocaleString("en")} characters, {tokens(context.length)}, {receipt.elapsedMs} ms
        </span>
        {isRehearsal || receipt.kind === "prompt" ? <Further about={about} value={value} /> : null}
      </p>
      {receipt.about !== "" && !isRehearsal && <p class="about">{receipt.about}</p>}
      {context === "" ? (
        <p class="empty">Nothing: no memory is sure enough to bear on it.</p>
      ) : (
        <pre class="context" tabIndex={0}>
          {context}
        </pre>
      )}
      <Candidates decisions={receipt.decisions.filter(Boolean)} />
    </section>
  );
}

function Further({
  about,
  value: { receipt, isRehearsal },
}: {
  about: Explained;
  value: Explanation;
}): VNode {
  const save = (): void => {
    call("upkeep.saveTest", about).then(
      ({ path }) => say(`saved as a test case in ${path}: heed test runs it`),
      (error: unknown) => say(error instanceof Error ? error.message : String(error)),
    );
  };
  return (
    <>
      {!isRehearsal && <a href={linkTo("why", { prompt: receipt.about })}>ask today's memories</a>}
      <button type="button" class="plain" onClick={save}>
        save as a test
      </button>
    </>
  );
}

function Candidates({ decisions }: { decisions: readonly Decision[] }): VNode {
  const told = decisions.filter(({ form }) => form !== "none");
  return (
    <>
      <h3>
        {plural(told.length, "told", "told")}, {plural(decisions.length - told.length, "not", "not")}
      </h3>
      <div class="wide" tabIndex={0} role="region" aria-label="Candidates">
        <table class="candidates">
          <thead>
            <tr>
              <th scope="col">memory</th>
              <th scope="col">told as</th>
              <th scope="col" class="number">
                bears on it
              </th>
              <th scope="col" class="number">
                score
              </th>
              <th scope="col">reason</th>
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

function Candidate({ decision }: { decision: Decision }): VNode {
  const { name, type, form, reason, probability, score, terms, standing, verdict } = decision;
  const [isOpen, setIsOpen] = useState(false);
  const parts = Object.entries(terms ?? {});
  return (
    <>
      <tr class={form === "none" ? "is-not-told" : ""}>
        <td>
          <a href={linkTo("memories", { open: name })}>{name}</a> <TypeMark type={type} />{" "}
          {standing !== undefined && (
            <StandingMark standing={standing} {...(verdict !== undefined && { words: verdict })} />
          )}
        </td>
        <td>
          <span class={`told told-${form}`}>{form === "none" ? "not told" : form}</span>
        </td>
        <td class="number">{probability === undefined ? "" : `${Math.round(probability * 100)} %`}</td>
        <td class="number">{score === undefined ? "" : score.toFixed(2)}</td>
        <td>
          {reason}{" "}
          {parts.length > 0 && (
            <button type="button" class="plain" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
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
                    {term}{" "}
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
