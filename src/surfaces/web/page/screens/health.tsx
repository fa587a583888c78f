import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { HealthSection, TidyReport } from "../../../../heed.ts";
import { linkTo } from "../state/address.ts";
import type { CallError } from "../state/call.ts";
import { call } from "../state/call.ts";
import { touch } from "../state/live.ts";
import { Trouble, Waiting } from "../parts/trouble.tsx";
import { plural } from "../parts/words.tsx";
import { asCallError, useAnswer } from "../state/use-answer.ts";
import { Remedies } from "./remedies.tsx";

/** So many problems of files are listed. */
const MAX_PROBLEMS = 50;

/** What is wrong with the memories here, each problem with its remedy as a button. */
export function HealthScreen(): VNode {
  const { value, error } = useAnswer(() => call("upkeep.health"), [], ["memories"]);
  if (!value) return <Waiting error={error} what="Looking over all memories" />;
  const { sections, telemetry, total, byStanding } = value;
  const withFindings = sections.filter(({ findings, failed }) => findings.length > 0 || failed !== undefined);
  const withheld = sections.filter((section) => section.withheld !== undefined);
  return (
    <>
      <div class="head">
        <h2>Health</h2>
        <span class="quiet">
          {plural(total, "memory", "memories")}:{" "}
          {Object.entries(byStanding)
            .map(([standing, count]) => `${count.toLocaleString("en")} ${standing}`)
            .join(", ")}
        </span>
      </div>
      {withFindings.length === 0 && <p class="empty">Nothing is wrong, as far as can be told.</p>}
      {withFindings.map((section) => (
        <Section section={section} />
      ))}
      <FileCheck />
      <Tidy />
      {withheld.length > 0 && (
        <details>
          <summary>Not said yet: {withheld.map(({ title }) => title.toLowerCase()).join(", ")}</summary>
          <p class="quiet">{[...new Set(withheld.map((section) => section.withheld))].join(" · ")}</p>
        </details>
      )}
      <p class="quiet">
        {telemetry.since === undefined
          ? "Nothing was told yet."
          : `What is said of use rests on ${plural(telemetry.receipts, "receipt")} since ${telemetry.since.slice(0, 10)}.`}
      </p>
    </>
  );
}

function Section({ section: { title, findings, failed } }: { section: HealthSection }): VNode {
  return (
    <section class="card">
      <h3>{title}</h3>
      {failed !== undefined && <p class="trouble">It could not be looked at: {failed}</p>}
      <ul class="findings">
        {findings.map((finding) => (
          <li>
            <div>
              <strong>{finding.subject}</strong> {finding.words}
            </div>
            <Remedies remedies={finding.remedies} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What is wrong with files, each with its line and remedy: every file is read for it, so it is asked for. */
function FileCheck(): VNode {
  const [isWanted, setIsWanted] = useState(false);
  const { value, error } = useAnswer(
    () => (isWanted ? call("upkeep.check") : Promise.resolve(undefined)),
    [isWanted],
  );
  const problems = (value?.stores ?? []).flatMap(({ store, problems }) =>
    problems.map((problem) => ({ ...problem, root: store.root })),
  );
  return (
    <section class="card">
      <h3>Files</h3>
      <p class="quiet">Reads every file, as the gates would: edits by hand pass none.</p>
      <ul class="findings">
        {problems.slice(0, MAX_PROBLEMS).map(({ file, line, message, remedy, root }) => (
          <li>
            <code class="path">{`${root}/${file}${line === undefined ? "" : `:${line}`}`}</code>
            <p>{message}</p>
            {remedy !== undefined && <p class="remedy">→ {remedy}</p>}
          </li>
        ))}
      </ul>
      {problems.length > MAX_PROBLEMS && (
        <p>and {problems.length - MAX_PROBLEMS} more: heed check lists all</p>
      )}
      {value && problems.length === 0 && <p>Nothing is wrong with any file.</p>}
      {isWanted && !value && <Waiting error={error} what="Reading every file" />}
      {!isWanted && (
        <button type="button" onClick={() => setIsWanted(true)}>
          Check all files
        </button>
      )}
    </section>
  );
}

/** Upkeep: first what it would do, then, asked for, that. */
function Tidy(): VNode {
  const [report, setReport] = useState<TidyReport | undefined>(undefined);
  const [error, setError] = useState<CallError | undefined>(undefined);
  const tidy = (isApplied: boolean): void => {
    setError(undefined);
    call("upkeep.tidy", { isApplied }).then(
      (made) => {
        setReport(made);
        if (isApplied) touch("memories", "inbox");
      },
      (failure: unknown) => setError(asCallError(failure)),
    );
  };
  return (
    <section class="card">
      <h3>Upkeep</h3>
      <p class="quiet">Merges twins and hands expired episodes to the history. Every step can be undone.</p>
      {report && report.steps.length === 0 && <p>There is nothing to do.</p>}
      {report && (
        <ul class="findings">
          {report.steps.map(({ action, name, other, reason }) => (
            <li>
              <span class="tag">{action}</span> <a href={linkTo("memories", { open: name })}>{name}</a>
              {other !== undefined && (
                <>
                  {" "}
                  and <a href={linkTo("memories", { open: other })}>{other}</a>
                </>
              )}{" "}
              {reason}
            </li>
          ))}
          {report.problems.map((problem) => (
            <li class="trouble">{problem}</li>
          ))}
        </ul>
      )}
      <div class="buttons">
        <button type="button" onClick={() => tidy(false)}>
          What would it do?
        </button>
        {report && !report.isApplied && report.steps.length > 0 && (
          <button type="button" class="primary" onClick={() => tidy(true)}>
            Do it
          </button>
        )}
        {report?.isApplied === true && <span>Done: {plural(report.changes.length, "change")}.</span>}
      </div>
      {error && <Trouble error={error} />}
    </section>
  );
}
