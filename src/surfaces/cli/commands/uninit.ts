import { CLIENTS } from "../../clients/all-clients.ts";
import type { ClientChange } from "../../clients/connect-clients.ts";
import type { Client, Target } from "../../clients/entry/client.ts";
import type { Command } from "../arguments/command.ts";
import { EXIT } from "../arguments/exit-code.ts";

/** `heed uninit` */
export const command: Command = {
  name: "uninit",
  summary: "take heed out of clients again; memories stay",
  arguments: [{ name: "CLIENT", isOptional: true, isRest: true, words: CLIENTS.map(({ name }) => name) }],
  options: { print: { help: "change nothing; show every line that would come or go" } },
  details: [
    "Without names: out of every client. A file that is as heed left it is given back byte for byte; of one that was",
    "edited since, heed's part alone is taken out. Stores and memories stay where they are.",
  ],
  examples: ["heed uninit --print", "heed uninit codex gemini", "heed uninit"],
  async run({ args, out, open, env, cwd }) {
    const isDryRun = args.has("print");
    const { clientsNamed, recordedTargets, thisMachine } = await import("../../clients/this-machine.ts");
    const { disconnectClient } = await import("../../clients/disconnect-clients.ts");
    const { clientLines } = await import("../output/client-lines.ts");
    const { shownChange } = await import("../../clients/connect-clients.ts");
    const machine = await thisMachine(open().setup, { cwd, root: cwd, script: "heed", env });
    const { record } = machine;
    const targets = recordedTargets(machine);
    const clients = args.positionals.length > 0 ? clientsNamed(args.positionals).clients : CLIENTS;
    const changes: ClientChange[] = [];
    const takeOut = async (client: Client, target: Target): Promise<void> => {
      const change = await disconnectClient(client, target, record, isDryRun);
      if (change.files.length > 0) changes.push(change);
    };
    for (const client of clients) for (const target of targets) await takeOut(client, target);
    const lines = await clientLines(changes, { isDryRun, isPrinted: isDryRun });
    out.answer({ isApplied: !isDryRun, clients: changes.map(shownChange) }, () =>
      changes.length === 0 ? ["heed stands in no client's configuration."] : lines,
    );
    return changes.some(({ files }) => files.some(({ action }) => action === "left"))
      ? EXIT.refused
      : EXIT.done;
  },
};
