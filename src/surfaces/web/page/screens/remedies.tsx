import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Remedy } from "../../../../heed.ts";
import { remedyLine } from "../../../remedy-line.ts";
import { sayChange, takeBack } from "../parts/act.ts";
import { say } from "../parts/toast.tsx";
import { Trouble } from "../parts/trouble.tsx";
import { linkTo } from "../state/address.ts";
import type { CallError } from "../state/call.ts";
import { call } from "../state/call.ts";
import { touch } from "../state/live.ts";
import { asCallError } from "../state/use-answer.ts";

type Act = readonly [title: string, act: () => Promise<void>];
type Link = readonly [title: string, href: string];

/** The remedies of a finding: what needs nothing more is done by its button, the rest is led to. */
export function Remedies({ remedies }: { remedies: readonly Remedy[] }): VNode {
  const [error, setError] = useState<CallError | undefined>(undefined);
  return (
    <div class="buttons">
      {remedies.map((remedy) => {
        const act = actOf(remedy);
        const link = linkOf(remedy);
        const line = remedyLine(remedy);
        if (act) {
          const run = (): void => {
            setError(undefined);
            act[1]().catch((failure: unknown) => setError(asCallError(failure)));
          };
          return (
            <button type="button" title={line} onClick={run}>
              {act[0]}
            </button>
          );
        }
        return link ? (
          <a class="button" title={line} href={link[1]}>
            {link[0]}
          </a>
        ) : (
          <code class="quiet">{line}</code>
        );
      })}
      {error && <Trouble error={error} />}
    </div>
  );
}

function actOf({ command, args: [name = ""], options = {} }: Remedy): Act | undefined {
  const { tag } = options;
  if (command === "anchor") return ["Add the claims that it makes", () => anchor(name)];
  if (command === "restore")
    return [`Restore ${name}`, async () => sayChange(await call("memories.restore", name))];
  if (command === "update" && tag !== undefined) return [`Tag it ${tag}`, () => retag(name, tag.split(","))];
  return undefined;
}

function linkOf({ command, args: [name = ""], options = {} }: Remedy): Link | undefined {
  const open = (title: string, doing: string): Link => [
    title,
    linkTo("memories", { open: name, do: doing, reason: options["reason"] ?? "" }),
  ];
  switch (command) {
    case "show":
      return open("Look at it", "");
    case "verify":
      return open("Verify", "verify");
    case "repair":
      return open("Repair", "repair");
    case "edit":
      return open("Edit", "edit");
    case "update":
      return open(options["expires"] === undefined ? "Edit" : "Give it a later date", "edit");
    case "remove":
      return open("Remove", "remove");
    case "why":
      return ["Try a prompt", linkTo("why")];
    case "guard test":
      return ["Try the guards", linkTo("setup")];
    case "list":
      return ["Look at them", linkTo("memories", { ...options })];
    case "status":
      return ["Setup", linkTo("setup")];
    default:
      return undefined;
  }
}

async function retag(name: string, tags: string[]): Promise<void> {
  const { card } = await call("memories.show", name);
  const result = await call("memories.update", name, { tags, ifHash: card.contentHash });
  if (result.outcome === "refused") throw asCallError(result.refusals[0]?.reason);
  touch("memories");
  say(`tagged ${name} ${tags.join(", ")}`);
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
