import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Command } from "../arguments/command.ts";
import { usageError } from "../arguments/usage-error.ts";
import { EXIT } from "../arguments/exit-code.ts";
import { styled } from "../output/styled-text.ts";

/** `heed ui` */
export const command: Command = {
  name: "ui",
  summary: "look at memories, the inbox and what was told in your browser",
  arguments: [],
  options: {
    port: { value: "PORT", help: "the port on 127.0.0.1; default: a free one" },
    "no-open": { help: "open no browser, print the address alone" },
  },
  details: [
    "Serves a page for you alone on 127.0.0.1, of the directory at hand, until you end it with Ctrl-C or nobody has looked",
    "for half an hour. Each address opens the page once: press Enter for another.",
    "",
    "Over SSH: heed ui --no-open --port 4711 there, ssh -L 4711:127.0.0.1:4711 HOST here, then open the address.",
  ],
  examples: ["heed ui", "heed ui --no-open --port 4711"],
  async run({ args, out, actor, env, cwd, open }) {
    const { servePage } = await import("../../web/serve-page.ts");
    const why = await servePage({
      heed: open(),
      actor,
      env,
      cwd,
      script: process.argv[1] ?? "heed",
      // Beside the bundle that `heed` started.
      directory: join(dirname(realpathSync(process.argv[1] ?? "")), "web"),
      port: portOf(args.text("port")),
      isOpening: !args.has("no-open") && !out.isJson,
      onServed: (served) =>
        out.answer(served, () => [
          [served.address, served.note === undefined ? "" : styled("dim", `  (${served.note})`)],
        ]),
    });
    out.note(why === "idle" ? "Nobody looked for half an hour: ended." : "Ended.");
    return EXIT.done;
  },
};

function portOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw usageError(`--port ${text}: give a number from 1 to 65535, or leave it out.`, "port", text);
}
