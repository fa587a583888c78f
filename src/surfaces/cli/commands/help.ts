import type { Command } from "../command.ts";
import { COMMANDS, findCommand } from "../command-table.ts";
import { helpForAll, helpForCommand } from "../help-text.ts";
import { HELP_TOPICS } from "../help-topics.ts";
import { nearestWords } from "../nearest-words.ts";
import { didYouMean, usageError } from "../parse-command-line.ts";
import { renderText } from "../styled-text.ts";

/** `heed help` */
export const command: Command = {
  name: "help",
  summary: "show help for a command or topic",
  arguments: [{ name: "COMMAND|TOPIC", isOptional: true, completes: "command" }],
  options: {},
  async run({ args, out }) {
    const [about] = args.positionals;
    const lines =
      about === undefined
        ? helpForAll()
        : Object.hasOwn(COMMANDS, about)
          ? helpForCommand(await findCommand(about))
          : HELP_TOPICS[about]?.lines();
    if (!lines) {
      const suggestions = nearestWords(about ?? "", [...Object.keys(COMMANDS), ...Object.keys(HELP_TOPICS)]);
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
