import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Decision } from "../../../../heed.ts";
import { linkTo } from "../state/address.ts";
import { plural, StandingMark, TypeMark } from "../parts/words.tsx";

/** What was considered: told as what or not, how sure it was, and the terms behind that. */
export function Candidates({ decisions }: { decisions: readonly Decision[] }): VNode {
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

/** What the terms of relevance mean; their sum is the log-odds behind "bears on it". */
const TERMS: Readonly<Record<string, string>> = {
  bias: "few memories bear on a prompt",
  likelihood: "telling words in common",
  headCoverage: "how much of its head the prompt holds",
};

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
        <td class="number" data-label="bears on it">
          {probability === undefined ? "" : `${Math.round(probability * 100)} %`}
        </td>
        <td class="number" data-label="score">
          {score === undefined ? "" : score.toFixed(2)}
        </td>
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
