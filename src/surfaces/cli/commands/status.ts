import type { LearnStatus, StatusReport } from "../../../heed.ts";
import type { Command } from "../arguments/command.ts";
import { humanBytes, plural } from "../output/counted.ts";
import { questionLine } from "../output/question-line.ts";
import type { Text } from "../output/styled-text.ts";
import { styled } from "../output/styled-text.ts";

/** `heed status` */
export const command: Command = {
  name: "status",
  summary: "stores, index, mode and inbox on one screen",
  arguments: [],
  options: {},
  async run({ out, open }) {
    const heed = open();
    const status = await heed.setup.status();
    out.answer(status, () => {
      const label = (text: string): Text => styled("dim", text.padEnd(12));
      return [
        [styled("bold", `heed ${status.version}`)],
        [label("mode"), status.mode],
        [label("writes"), WRITES[status.writes]],
        [
          label("repository"),
          status.repository === undefined ? "none here" : heed.setup.repositoryLabel(status.repository),
        ],
        ...(status.stores.length === 0
          ? [[label("stores"), "none yet. Make one: ", styled("cyan", "heed init")]]
          : []),
        ...status.stores.flatMap(({ store, memories, index, indexBytes }): Text[] => [
          [
            label(store.kind),
            styled("bold", plural(memories, "memory", "memories")),
            ", index ",
            index === "fresh"
              ? styled("green", "fresh")
              : styled("yellow", indexBytes > 0 ? `was ${index}, brought up to date` : index),
            indexBytes > 0 ? ` (${humanBytes(indexBytes)})` : "",
            store.isTrusted ? "" : styled("yellow", ", not trusted: data, not rules"),
            store.isReadOnly ? ", read only" : "",
          ],
          [label(""), styled("dim", store.root)],
        ]),
        [
          label("inbox"),
          status.pending === 0 ? "empty" : [`${status.pending} waiting: `, styled("cyan", "heed inbox")],
        ],
        [label("sessions"), `${status.sessions}, with ${plural(status.receipts, "receipt", "receipts")}`],
        [label("learn"), learnLine(status.learn)],
        [label("state"), styled("dim", status.places.state)],
        [label("cache"), styled("dim", status.places.cache)],
        [label("config"), styled("dim", status.places.config)],
        ...questionLine(status),
        ...status.problems.map((problem): Text => [styled("yellow", "problem".padEnd(12)), problem]),
      ];
    });
  },
};

const WRITES: Readonly<Record<StatusReport["writes"], string>> = {
  model: "model: in force where it quotes you, else as data or with your approval",
  ask: "ask: each write of a model needs your approval",
  me: "me: only you write",
};

function learnLine({ mode, model, budget, problems, today }: LearnStatus): string {
  if (problems.length > 0) return `off, as it is set up wrongly: ${problems.join("; ")}`;
  if (mode === "off" || !budget) return "off: no model reads sessions afterwards (docs/learn.md)";
  const last = today.last === undefined ? "" : `; last: ${today.last}`;
  return `${model ?? ""}, today ${today.calls} of ${budget.calls} calls, ${today.tokens} of ${budget.tokens} tokens, ${plural(today.items, "item", "items")}${last}`;
}
