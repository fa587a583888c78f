import type { Command } from "../arguments/command.ts";
import type { Text } from "../output/styled-text.ts";
import { styled } from "../output/styled-text.ts";
import { verdictLines } from "../output/verdict-lines.ts";

/** `heed show` */
export const command: Command = {
  name: "show",
  summary: "show a memory in full",
  arguments: [{ name: "NAME", completes: "memory" }],
  options: {
    raw: { help: "the file as it is, front matter included, without secrets" },
    store: { value: "STORE", help: "the store that holds it, when several do" },
  },
  details: ["NAME is a name, heed:name, an id, or a unique beginning of an id."],
  async run({ args, out, open, actor }) {
    const [handle = ""] = args.positionals;
    const heed = open();
    const shown = await heed.memories.show(handle, { store: args.text("store"), reader: actor });
    if (args.has("raw")) {
      const { text } = await heed.memories.showFile(handle, { store: args.text("store"), reader: actor });
      out.answer({ ...shown, text }, () => [text.replace(/\n$/, "")]);
      return;
    }
    out.answer(shown, () => {
      const { card, body, path, notes, verdict } = shown;
      const standing = `${card.status}, ${card.confidence} confidence, ${card.source}`;
      const facts: [string, string][] = [
        ["id", card.id],
        ["tags", card.tags.join(", ")],
        ["trigger", card.trigger.join(", ")],
        ["aliases", card.aliases.join(", ")],
        ["status", shown.isUnsaid === true ? `not yours yet; its file says: ${standing}` : standing],
        ["scope", shown.holdsIn],
        ["created", card.created ?? ""],
        ["updated", card.updated ?? ""],
        ["verified", card.verified ?? "never"],
        ["expires", card.expires ?? ""],
        ["links", card.links.map(({ rel, to }) => `${rel} ${to}`).join(", ")],
        ["file", path],
      ];
      return [
        [styled("bold", card.name), "  ", styled("cyan", card.type)],
        card.description,
        "",
        ...facts
          .filter(([, value]) => value !== "")
          .map(([label, value]): Text => [styled("dim", label.padEnd(9)), value]),
        ...(verdict ? verdictLines(verdict) : []).map((line, i): Text => [
          styled("dim", (i === 0 ? "freshness" : "").padEnd(9)),
          " ",
          line,
        ]),
        ...notes.map((note): Text => [styled("yellow", "note".padEnd(9)), note]),
        "",
        body,
      ];
    });
  },
};
