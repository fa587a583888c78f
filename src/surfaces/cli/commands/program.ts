import { nearestNames } from "../../../memory/nearest-names.ts";
import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { servePage } from "../../web/server/start-server.ts";
import type { CommandSpec } from "../arguments/command.ts";
import { EXIT, didYouMean, usageError } from "../arguments/command.ts";
import { renderText } from "../output/output.ts";
import { helpForCommand, overview, HELP_TOPICS } from "../terminal/help-text.ts";

const ui: CommandSpec = {
  options: {
    port: { value: "PORT", range: [1, 65_535], help: "the port on 127.0.0.1; default: a free one" },
  },
  details: [
    "Serves a page for you alone on 127.0.0.1, about this directory, until you end it with Ctrl-C or four hours without",
    "a visit, and prints its address. It opens the page once, within two minutes: press Enter for another.",
    "",
    "Over SSH: heed ui --port 4711 there, ssh -L 4711:127.0.0.1:4711 HOST here, then open the address.",
  ],
  examples: ["heed ui", "heed ui --port 4711"],
  json: '{"address", "port"}',
  async run({ args, out, actor, env, open }) {
    const script = process.argv[1] ?? "heed";
    const why = await servePage({
      heed: open(),
      actor,
      env,
      // Beside the bundle that `heed` started.
      directory: join(dirname(realpathSync(script)), "web"),
      port: args.count("port"),
      onServed: (served) =>
        out.answer(
          served,
          () => [served.address],
          // A ticket can look like somebody's secret.
          (printed) => printed,
        ),
    });
    out.note(why === "idle" ? "No visit for four hours: ended." : "Ended.");
    return EXIT.done;
  },
};

/** A bundle of its own (see scripts/build.mjs) runs it; here help knows it. */
function elsewhere(name: string): CommandSpec["run"] {
  return () => Promise.reject(usageError(`run it as the first word: heed ${name}`, name));
}

const hook: CommandSpec = {
  options: {
    client: { value: "NAME", help: "the client, for events that do not name it" },
    event: { value: "NAME", help: "the event, for clients that do not name it" },
    "unless-plugin": { help: "do nothing if Claude Code also runs heed as a plugin" },
  },
  details: [
    "Reads one event of the client's session from stdin and answers in the client's own format. Never fails.",
  ],
  run: elsewhere("hook"),
};

const mcp: CommandSpec = {
  options: { "with-rules": { help: "put rules and map into the instructions, for clients without hooks" } },
  details: [
    "heed init connects it with your clients. With --with-rules the server's instructions begin with rules and map, read",
    "anew at each connection.",
  ],
  run: elsewhere("mcp"),
};

const help: CommandSpec = {
  arguments: [{ name: "COMMAND|TOPIC", isOptional: true }],
  options: { all: { help: "every command and topic" } },
  json: '{"help"}',
  async run({ args, out, commands, load }) {
    const [about] = args.positionals;
    const command = await load(about ?? "");
    const topic = Object.hasOwn(HELP_TOPICS, about ?? "") ? HELP_TOPICS[about ?? ""] : undefined;
    const lines =
      about === undefined ? overview(commands, args.has("all")) : command ? helpForCommand(command) : topic;
    if (!lines) {
      const suggestions = nearestNames(about ?? "", [...Object.keys(commands), ...Object.keys(HELP_TOPICS)]);
      const message = `there is no help on "${about}".${didYouMean(suggestions)} See: heed help`;
      throw usageError(message, "COMMAND|TOPIC", about, suggestions);
    }
    out.answer({ help: lines.map((line) => renderText(line, false)).join("\n") }, () => lines);
  },
};

export const commands: Readonly<Record<string, CommandSpec>> = { ui, hook, mcp, help };
