import type { Finding } from "../../clients/doctor/try-client.ts";
import type { Command } from "../arguments/command.ts";
import { EXIT } from "../arguments/exit-code.ts";
import { plural } from "../output/counted.ts";
import type { Text } from "../output/styled-text.ts";
import { styled } from "../output/styled-text.ts";

const MARKS: Record<Finding["state"], Text> = {
  ok: styled("green", "✓ "),
  wrong: styled("red", "✗ "),
  mended: styled("green", "+ "),
  note: styled("yellow", "! "),
};

/** `heed doctor` */
export const command: Command = {
  name: "doctor",
  summary: "run everything that is connected, and say what is wrong",
  arguments: [],
  options: { fix: { help: "mend what may be mended: files of clients, doubles, permissions" } },
  details: [
    "Runs heed's hook in each connected client's own shape and its server, in a home that is thrown away; looks at the",
    "clients' files, versions, doubles, folders and permissions. Exit code 1 when something is wrong and not mended.",
  ],
  examples: ["heed doctor", "heed doctor --fix"],
  async run({ args, out, open, env, cwd }) {
    const { thisMachine } = await import("../../clients/this-machine.ts");
    const { diagnose } = await import("../../clients/doctor/examine.ts");
    const { setup } = open();
    const machine = await thisMachine(setup, { cwd, env, script: process.argv[1] ?? "heed" });
    const all = await diagnose(setup, machine, args.has("fix"));
    const wrong = all.filter((finding) => finding.state === "wrong");
    out.answer({ isWell: wrong.length === 0, findings: all }, () => [
      ...all.flatMap(({ about, what, state: found, detail, remedy }): Text[] => [
        [MARKS[found], styled("bold", about), ` ${what}: `, detail],
        ...(remedy === undefined ? [] : [[styled("cyan", "    → "), remedy] as Text]),
      ]),
      wrong.length === 0
        ? styled("green", "All is well.")
        : `${plural(wrong.length, "thing is", "things are")} wrong.`,
    ]);
    return wrong.length === 0 ? EXIT.done : EXIT.refused;
  },
};
