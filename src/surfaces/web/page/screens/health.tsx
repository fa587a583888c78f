import type { VNode } from "preact";
import type { HealthSection, Remedy } from "../../../../heed.ts";
import { linkTo } from "../state/address.ts";
import { call } from "../state/call.ts";
import { touch, asCallError, useAnswer } from "../state/live.ts";
import { Waiting, takeBack, say, useAct } from "../parts/messages.tsx";
import { plural } from "../parts/words.tsx";
import { remedyLine } from "../../../remedy-line.ts";

/** What is wrong with the memories here, each problem with its remedy as a button. */
export function HealthScreen(): VNode {
  const { value, error } = useAnswer(() => call("maintenance.health"), [], ["memories"]);
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
      {withFindings.length === 0 && <p class="empty">Nothing is wrong, as far as heed can see.</p>}
      {withFindings.map((section) => (
        <Section section={section} />
      ))}
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

type Work = readonly [title: string, work: () => Promise<void>];
type Link = readonly [title: string, href: string];

/** The remedies of a finding: what needs nothing more is done by its button, the rest is led to. */
function Remedies({ remedies }: { remedies: readonly Remedy[] }): VNode {
  const { act, trouble } = useAct();
  return (
    <div class="buttons">
      {remedies.map((remedy) => {
        const [work, link, line] = [actOf(remedy), linkOf(remedy), remedyLine(remedy)];
        if (work)
          return (
            <button title={line} onClick={() => void act(work[1])}>
              {work[0]}
            </button>
          );
        return link ? (
          <a class="button" title={line} href={link[1]}>
            {link[0]}
          </a>
        ) : (
          <code class="quiet">{line}</code>
        );
      })}
      {trouble}
    </div>
  );
}

function actOf({ command, args: [name = ""], options = {} }: Remedy): Work | undefined {
  const { tag } = options;
  if (command === "verify --extract-claims")
    return ["Add the claims that it makes", () => extractClaims(name)];
  if (command === "edit" && tag !== undefined) return [`Tag it ${tag}`, () => retag(name, tag.split(","))];
  return undefined;
}

/** What is done about a memory that is opened, by the command that would do it. */
const OPENED: Readonly<Record<string, readonly [title: string, doing: string]>> = {
  show: ["Look at it", ""],
  verify: ["Verify", "verify"],
  "verify --repair": ["Repair", "repair"],
  edit: ["Edit", "edit"],
  remove: ["Remove", "remove"],
};

function linkOf({ command, args: [name = ""], options = {} }: Remedy): Link | undefined {
  const [title, doing] = OPENED[command] ?? [];
  if (title !== undefined && doing !== undefined) {
    const isLater = command === "edit" && options["expires"] !== undefined;
    const address = linkTo("memories", { open: name, do: doing, reason: options["reason"] ?? "" });
    return [isLater ? "Give it a later date" : title, address];
  }
  if (command === "why") return ["Try a prompt", linkTo("why")];
  if (command === "guard test") return ["Try the guards", linkTo("setup")];
  return command === "list" ? ["Look at them", linkTo("memories", { ...options })] : undefined;
}

async function retag(name: string, tags: string[]): Promise<void> {
  const { metadata } = await call("memories.show", name);
  const result = await call("memories.update", name, { tags, ifHash: metadata.contentHash });
  if (result.outcome === "refused") throw asCallError(result.refusals[0]?.reason);
  touch("memories");
  say(`tagged ${name} ${tags.join(", ")}`);
}

async function extractClaims(name: string): Promise<void> {
  const { memories, changes } = await call("maintenance.extractClaims", { handles: [name], isApplied: true });
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
