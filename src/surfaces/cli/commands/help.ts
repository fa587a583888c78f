import type { Command, CommandEntry } from "../arguments/command.ts";
import { helpForAll, helpForCommand } from "../terminal/help-text.ts";
import { HELP_TOPICS } from "../terminal/help-topics.ts";
import { nearestWords } from "../arguments/nearest-words.ts";
import { didYouMean, usageError } from "../arguments/usage-error.ts";
import type { Text } from "../output/styled-text.ts";
import { renderText } from "../output/styled-text.ts";

/** `heed help` */
export const command: Command = {
  name: "help",
  summary: "show help for a command or topic",
  arguments: [{ name: "COMMAND|TOPIC", isOptional: true, completes: "command" }],
  options: {},
  async run({ args, out, commands }) {
    const [about] = args.positionals;
    const lines = await linesAbout(about, commands);
    if (!lines) {
      const suggestions = nearestWords(about ?? "", [...Object.keys(commands), ...Object.keys(HELP_TOPICS)]);
      throw usageError(
        `there is no help on "${about}".${didYouMean(suggestions)} See: heed help`,
        "COMMAND|TOPIC",
        about,
        suggestions,
      );
    }
    out.answer({ help: lines.map((line) => renderText(line, false)).join("\n") }, () => lines);
  },
};

async function linesAbout(
  about: string | undefined,
  commands: Readonly<Record<string, CommandEntry>>,
): Promise<Text[] | undefined> {
  if (about === undefined) return helpForAll(commands);
  if (Object.hasOwn(commands, about)) {
    const loaded = await commands[about]?.load();
    return loaded && helpForCommand(loaded.command);
  }
  return Object.hasOwn(HELP_TOPICS, about) ? HELP_TOPICS[about]?.lines() : undefined;
}
