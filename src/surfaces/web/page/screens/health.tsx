import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { HealthFinding, HealthSection, TidyReport } from "../../../../heed.ts";
import { linkTo } from "../state/address.ts";
import type { CallError } from "../state/call.ts";
import { call } from "../state/call.ts";
import { sayChange, takeBack } from "../parts/act.ts";
import { say } from "../parts/toast.tsx";
import { touch } from "../state/live.ts";
import { Trouble, Waiting } from "../parts/trouble.tsx";
import { plural } from "../parts/words.tsx";
import { asCallError, useAnswer } from "../state/use-answer.ts";

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
            .map(([standing, count]) => `${count} ${standing}`)
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
            <Remedy finding={finding} />
          </li>
        ))}
      </ul>
    </section>
  );
}

const TITLES: Readonly<Record<string, string>> = {
  verify: "Verify",
  repair: "Repair",
  edit: "Edit",
  remove: "Remove",
  show: "Look at it",
  update: "Look at it",
};

/** The command that mends a finding, as a button: it leads to the memory with what is to be done at hand. */
function Remedy({ finding: { subject, command, words } }: { finding: HealthFinding }): VNode {
  const [error, setError] = useState<CallError | undefined>(undefined);
  const [, verb = "", name = ""] = /^heed (\w+) ([^\s,"']+)/.exec(command) ?? [];
  const run = (work: () => Promise<void>) => (): void => {
    setError(undefined);
    work().catch((failure: unknown) => setError(asCallError(failure)));
  };
  const retag = /^heed update (\S+) --tag (\S+)$/.exec(command);
  const reason = /--reason "?([^"]+)"?$/.exec(command)?.[1] ?? "";
  const prompt = command.startsWith("heed why");
  return (
    <div class="buttons">
      {retag ? (
        <button type="button" onClick={run(() => replaceTag(retag[1] ?? "", subject, retag[2] ?? ""))}>
          Tag it {retag[2]}
        </button>
      ) : verb === "anchor" ? (
        <button type="button" onClick={run(() => anchor(name))}>
          Add the claims that it makes
        </button>
      ) : verb === "restore" ? (
        <button type="button" onClick={run(async () => sayChange(await call("memories.restore", name)))}>
          Restore {name}
        </button>
      ) : verb in TITLES && name !== "" ? (
        <>
          <a
            class="button"
            href={linkTo("memories", { open: name, do: verb === "show" ? "" : verb, reason })}
          >
            {TITLES[verb]}
          </a>
          {/\b(?:stale|renamed|moved|broken|is now)\b/.test(words) && verb !== "repair" && (
            <a class="button" href={linkTo("memories", { open: name, do: "repair" })}>
              Repair
            </a>
          )}
        </>
      ) : prompt ? (
        <a class="button" href={linkTo("why")}>
          Try a prompt
        </a>
      ) : null}
      <code class="quiet">{command}</code>
      {error && <Trouble error={error} />}
    </div>
  );
}

async function replaceTag(name: string, tag: string, like: string): Promise<void> {
  const { card } = await call("memories.show", name);
  const tags = [...new Set(card.tags.map((one) => (one === tag ? like : one)))];
  const result = await call("memories.update", name, { tags, ifHash: card.contentHash });
  if (result.outcome === "refused") throw asCallError(result.refusals[0]?.reason);
  touch("memories");
  say(`tagged ${name} ${like}`);
}

async function anchor(name: string): Promise<void> {
  const { memories, changes } = await call("upkeep.anchor", { handles: [name], isApplied: true });
  touch("memories");
  const added = memories.flatMap((memory) => memory.added);
  const [change] = changes;
  say(
    added.length === 0
      ? `${name} makes no claim that can be checked`
      : `${name} now claims ${added.join(", ")}`,
    change === undefined ? undefined : () => void takeBack(change),
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
      <p class="quiet">
        Merges twins, absorbs expired episodes, asks about near-duplicates. Every step can be undone.
      </p>
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
