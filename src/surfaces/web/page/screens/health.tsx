import type { VNode } from "preact";
import type { HealthSection, MemoryChanges, Remedy } from "../../../../heed.ts";
import { linkTo } from "../state/address.ts";
import { call } from "../state/call.ts";
import { touch, useAnswer } from "../state/live.ts";
import { Head } from "../parts/fields.tsx";
import { concludeWrite, say, useAct, Waiting } from "../parts/messages.tsx";
import { MemoryLink } from "../parts/words.tsx";
import { remedyLine } from "../../../remedy-line.ts";

/** What is wrong with the memories here, each problem with its remedy as a button. */
export function HealthScreen(): VNode {
  const { value, error } = useAnswer(() => call("maintenance.health"), [], ["memories", "settings"]);
  if (!value) return <Waiting error={error} what="Looking over all memories" />;
  const { sections, errors, warnings } = value;
  const found = sections.filter(({ findings, failed }) => findings.length > 0 || failed !== undefined);
  const withheld = sections.filter((section) => section.withheld !== undefined);
  return (
    <>
      <Head title="Health" note={found.length > 0 ? `${errors} wrong, ${warnings} to tidy up` : undefined} />
      {found.length === 0 && (
        <p class="empty">
          Nothing to repair. <a href={linkTo("why")}>See what a prompt gets</a>, or{" "}
          <a href={linkTo("memories", { order: "last injected" })}>what was injected last</a>.
        </p>
      )}
      {found.map((section) => (
        <Section section={section} />
      ))}
      {withheld.length > 0 && (
        <details>
          <summary>Not known yet: {withheld.map(({ title }) => title.toLowerCase()).join(", ")}</summary>
          <p class="quiet">{[...new Set(withheld.map((section) => section.withheld))].join(" · ")}</p>
        </details>
      )}
    </>
  );
}

function Section({
  section: { isWrong, title, findings, count, failed },
}: {
  section: HealthSection;
}): VNode {
  return (
    <section class={`card ${isWrong ? "wrong" : ""}`}>
      <h3>
        {title} {count === undefined && <span class="quiet">{findings.length}</span>}
      </h3>
      {failed !== undefined && <p class="trouble">It could not be looked at: {failed}</p>}
      <ul class="findings">
        {findings.map(({ subject, words, remedies }) => (
          <li key={`${subject} ${words}`}>
            <div>
              <MemoryLink name={subject} />{" "}
              <span class="line">{words.replace(/^(?:check|stale): /, "")}</span>
            </div>
            <Remedies remedies={remedies} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The remedies of a finding: what needs nothing more is done by its button, the rest is led to. */
function Remedies({ remedies }: { remedies: readonly Remedy[] }): VNode {
  const { act, trouble } = useAct();
  return (
    <div class="buttons">
      {remedies.map((remedy) => {
        const { command, args, options = {} } = remedy;
        const [name = ""] = args;
        const line = remedyLine(remedy);
        const [title, change] = changeOf(remedy);
        if (title !== undefined)
          return (
            <button title={line} onClick={() => void act(() => update(name, change))}>
              {title}
            </button>
          );
        if (command === "map")
          return (
            <button title={line} onClick={() => void act(() => setMap(Number(name)))}>
              Let the map have {Number(name).toLocaleString("en")}
            </button>
          );
        const [words, screen, doing = ""] = LED_TO[command] ?? [];
        if (words === undefined || screen === undefined) return <code class="quiet">{line}</code>;
        const params =
          screen === "memories" && name !== ""
            ? { open: name, do: doing, reason: options["reason"] ?? "" }
            : { ...options };
        return (
          <a class="button" title={line} href={linkTo(screen, params)}>
            {options["expires"] === undefined ? words : "Give it a later date"}
          </a>
        );
      })}
      {trouble}
    </div>
  );
}

/** Where a command is at hand on the page: the screen, and what is done about the memory that is opened. */
const LED_TO: Readonly<Record<string, readonly [title: string, screen: string, doing?: string]>> = {
  show: ["Look at it", "memories"],
  rules: ["Look at it", "memories"],
  list: ["Look at them", "memories"],
  verify: ["Verify", "memories", "verify"],
  "verify --repair": ["Repair", "memories", "repair"],
  edit: ["Edit", "memories", "edit"],
  remove: ["Remove", "memories", "remove"],
  "guard add": ["Add a guard", "memories", "guard"],
  "guard test": ["Try the guards", "setup"],
  why: ["Try a prompt", "why"],
};

/** What one button changes in a memory; nothing where more has to be said. */
function changeOf({
  command,
  options: { tag, path } = {},
}: Remedy): [title?: string, changes?: MemoryChanges] {
  if (command === "edit --no-branch")
    return ["Keep it on every branch", { scope: path === undefined ? {} : { paths: path.split(",") } }];
  return command === "edit" && tag !== undefined ? [`Tag it ${tag}`, { tags: tag.split(",") }] : [];
}

async function update(name: string, changes: MemoryChanges = {}): ReturnType<typeof concludeWrite> {
  const { metadata } = await call("memories.show", name);
  return concludeWrite(await call("memories.update", name, { ...changes, ifHash: metadata.contentHash }));
}

async function setMap(chars: number): Promise<void> {
  await call("setup.setMap", chars, "user");
  touch("settings");
  say(`a session's map may now have ${chars.toLocaleString("en")} characters`);
}
