import type { VNode } from "preact";
import type { HealthSection, Remedy } from "../../../../heed.ts";
import { remedyLine } from "../../../remedy-line.ts";
import { call, useAnswer } from "../state/call.ts";
import { Waiting } from "../parts/messages.tsx";
import { type Fact, MemoryLink, OnDemand, Facts, plural } from "../parts/words.tsx";
import { linkTo } from "../state/page.ts";
import { Head } from "../parts/fields.tsx";

/** Findings of what is only to tidy up that are shown at once. */
const SHOWN = 5;

function Health(): VNode {
  const { value, error } = useAnswer(() => call("maintenance.health"), []);
  if (!value) return <Waiting error={error} what="Checking all memories" />;
  const { sections, errors, warnings } = value;
  const found = sections.filter(({ count }) => count > 0);
  return (
    <section class="card health">
      <h3>Health</h3>
      <p role="status">
        {found.length > 0 ? `${errors} wrong, ${warnings} to tidy up` : "Nothing to repair."}
      </p>
      {found.map(({ kind, isWrong, title, findings, count }) => {
        const shown = isWrong ? findings.length : SHOWN;
        const more = findings.slice(shown);
        return (
          <section key={kind}>
            <h4 class={isWrong ? "bad" : ""}>
              {title} <span class="tag">{count}</span>
            </h4>
            <Findings findings={findings.slice(0, shown)} />
            {more.length > 0 && (
              <OnDemand summary={`${more.length} more`}>{() => <Findings findings={more} />}</OnDemand>
            )}
          </section>
        );
      })}
    </section>
  );
}

function Findings({ findings }: Pick<HealthSection, "findings">): VNode {
  return (
    <ul class="findings">
      {findings.map(({ subject, words, remedies }) => (
        <li key={`${subject} ${words}`}>
          <div>
            {remedies.some(({ args: [about] }) => about === subject) ? (
              <MemoryLink name={subject} />
            ) : (
              subject !== "." && !words.startsWith(subject) && subject
            )}{" "}
            <span class="quiet">{words.replace(/^(?:check|stale|\.): /, "")}</span>
          </div>
          <Remedies remedies={remedies} />
        </li>
      ))}
    </ul>
  );
}

/** What is done about a memory where the page does what a command does; empty: it is looked at. */
const DOING: Readonly<Record<string, string>> = {
  show: "",
  list: "",
  "list --rules": "",
  "check --confirm": "Verify",
  "check --fix": "Repair",
  edit: "Edit",
  remove: "Remove",
};

/** Led to where the page can do it, else the command. */
function Remedies({ remedies }: { remedies: readonly Remedy[] }): VNode {
  return (
    <div class="buttons">
      {remedies.map((remedy) => {
        const { command, args, options = {} } = remedy;
        const [name = ""] = args;
        const title = remedyLine(remedy);
        const doing = DOING[command];
        if (doing === undefined) return <code class="quiet">{title}</code>;
        const words = doing || (name === "" ? "Look at them" : "Look at it");
        const params = name === "" ? options : { open: name, do: doing, reason: options["reason"] ?? "" };
        return (
          <a class="button" title={title} href={linkTo("memories", params)}>
            {options["expires"] === undefined ? words : "Give it a later date"}
          </a>
        );
      })}
    </div>
  );
}

export function SetupScreen(): VNode {
  const { value, error } = useAnswer(() => call("setup.status"), []);
  if (!value) return <Waiting error={error} what="Reading the setup" />;
  const { version, stores, problems, mode, learn, policy, places } = value;
  return (
    <>
      <Head title="Setup" note={`heed ${version}`} />
      {problems.map((problem) => (
        <p class="trouble">{problem}</p>
      ))}
      <Health />
      <section class="card">
        <h3>This machine</h3>
        <Facts
          facts={[
            ...stores.map(({ store, memories }): Fact => [
              `${store.kind} store`,
              <>
                {plural(memories, "memory", "memories")}
                {!store.isTrusted && ", not trusted: data, not rules"}
                {store.isReadOnly && ", read only"}: <code>{store.root}</code>
              </>,
            ]),
            ["stores", stores.length > 0 ? undefined : <code>heed init</code>],
            ["mode", mode],
            ["your organisation's policy", policy && `${policy.says} (${places.policy})`],
            ["learning by a model", learn.mode === "model" ? "on" : "off"],
          ]}
        />
        <p class="quiet">
          Change these with <code>heed config mode</code> and <code>heed config map</code>. Which clients are
          connected: <code>heed doctor</code>.
        </p>
      </section>
    </>
  );
}
