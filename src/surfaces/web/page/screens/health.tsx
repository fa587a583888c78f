import type { VNode } from "preact";
import type { Remedy } from "../../../../heed.ts";
import { remedyLine } from "../../../remedy-line.ts";
import { call, useAnswer } from "../state/call.ts";
import { concludeWrite, say, useAct, Waiting, type Work } from "../parts/messages.tsx";
import { MemoryLink } from "../parts/words.tsx";
import { linkTo, touch } from "../state/page.ts";

export function Health(): VNode {
  const { value, error } = useAnswer(() => call("maintenance.health"), [], ["memories", "settings"]);
  if (!value) return <Waiting error={error} what="Checking all memories" />;
  const { sections, errors, warnings } = value;
  const found = sections.filter(({ findings, failed }) => findings.length > 0 || failed !== undefined);
  return (
    <section class="card health">
      <h3>Health</h3>
      <p role="status">
        {found.length > 0 ? `${errors} wrong, ${warnings} to tidy up` : "Nothing to repair."}
      </p>
      {found.map(({ isWrong, title, findings, count, failed }) => (
        <>
          <h4 class={isWrong ? "bad" : ""}>
            {title} {count === undefined && findings.length}
          </h4>
          {failed !== undefined && <p class="trouble">This check failed: {failed}</p>}
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
        </>
      ))}
    </section>
  );
}

/** Where the page does what a command does, and what is done there about the memory. */
const LED_TO: Readonly<Record<string, readonly [title: string, doing: string]>> = {
  show: ["Look at it", ""],
  "list --rules": ["Look at it", ""],
  list: ["Look at them", ""],
  "check --confirm": ["Verify", "Verify"],
  "check --fix": ["Repair", "Repair"],
  edit: ["Edit", "Edit"],
  remove: ["Remove", "Remove"],
  "guard add": ["Add a guard", "Guard"],
};

/** Done by a button where nothing more is to be said, led to where the page can do it, else the command. */
function Remedies({ remedies }: { remedies: readonly Remedy[] }): VNode {
  const { act, trouble } = useAct();
  return (
    <div class="buttons">
      {remedies.map((remedy) => {
        const { command, args, options = {} } = remedy;
        const [name = ""] = args;
        const line = remedyLine(remedy);
        const [title, fix] = fixOf(remedy) ?? [];
        if (fix)
          return (
            <button title={line} onClick={() => void act(fix)}>
              {title}
            </button>
          );
        const [words, doing = ""] = LED_TO[command] ?? [];
        if (words === undefined) return <code class="quiet">{line}</code>;
        const reason = options["reason"] ?? "";
        return (
          <a
            class="button"
            title={line}
            href={linkTo("memories", name === "" ? options : { open: name, do: doing, reason })}
          >
            {options["expires"] === undefined ? words : "Give it a later date"}
          </a>
        );
      })}
      {trouble}
    </div>
  );
}

/** What one button does; undefined where more is to be said. */
function fixOf(remedy: Remedy): [title: string, fix: Work] | undefined {
  const { command, args, options = {} } = remedy;
  const [name = ""] = args;
  const keepEverywhere: Work = async () => {
    const { metadata } = await call("memories.show", name);
    const scope = options["path"] === undefined ? {} : { paths: options["path"].split(",") };
    return concludeWrite(await call("memories.update", name, { scope, ifHash: metadata.contentHash }));
  };
  if (command === "edit --no-branch") return ["Keep it on every branch", keepEverywhere];
  if (command !== "config map") return undefined;
  const chars = Number(name);
  const setMap = async (): Promise<void> => {
    await call("setup.setMap", chars, "user");
    touch("settings");
    say(`a session's map may now have ${chars.toLocaleString("en")} characters`);
  };
  return [`Let the map have ${chars.toLocaleString("en")}`, setMap];
}
