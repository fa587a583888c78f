import type { Mode } from "../../../heed.ts";
import { assertPerson } from "../arguments/assert-person.ts";
import type { Command } from "../arguments/command.ts";
import { usageError } from "../arguments/usage-error.ts";
import { styled } from "../output/styled-text.ts";

/** Each mode there is: one that is missing does not compile. */
const MODES = Object.keys({ typed: 1, pull: 1, rules: 1, off: 1 } satisfies Record<Mode, 1>) as Mode[];

/** `heed mode` */
export const command: Command = {
  name: "mode",
  summary: "show or set how much is pushed: typed, pull, rules, off",
  arguments: [{ name: "MODE", isOptional: true, words: MODES }],
  options: {
    project: { help: "for this repository" },
    user: { help: "for everything that says nothing else" },
    session: { value: "ID", help: "for one session, until it ends" },
    writer: {
      value: "WHO",
      words: ["heed", "client"],
      help: "which memory is written where Claude Code keeps its own; heed reads both",
    },
    learn: {
      value: "WHAT",
      words: ["off", "model"],
      help: "whether a model reads your turns after a session and proposes what to keep",
    },
  },
  details: [
    "typed: rules always, facts when they bear on the prompt (the default). pull: rules and a line of counts; facts",
    "through tools only. rules: rules alone. off: nothing.",
    "--learn is the user's, for everything: off (the default) or model (docs/learn.md says what that costs).",
    "--writer settles which of the two is written where Claude Code keeps a memory of its own beside heed's.",
    "Without a flag it is set for this repository when it has a store, else for the user.",
  ],
  examples: ["heed mode", "heed mode pull --project", "heed mode off --session 5f1c…"],
  async run({ args, out, env, who, actor, open }) {
    const heed = open();
    const writer = args.text("writer");
    if (writer === "heed" || writer === "client") {
      if (args.positionals.length > 0) throw usageError("give a mode or --writer, not both", "writer");
      const report = await heed.setup.setWriter(writer, actor);
      out.answer(report, () => [
        [
          styled("green", "✓ "),
          `${writer === "heed" ? "heed" : "Claude Code's own memory"} is written from now on`,
        ],
        ...(report.isAttached ? [[`  heed reads ${report.directory} as well`]] : []),
      ]);
      if (writer === "heed" && report.isOn)
        out.note(
          'Claude Code writes no memory of its own with "autoMemoryEnabled": false in its settings.json.',
        );
      return;
    }
    const learn = args.text("learn");
    if (learn === "off" || learn === "model") {
      if (args.positionals.length > 0) throw usageError("give a mode or --learn, not both", "learn");
      await heed.setup.setLearn(learn, actor);
      const { learn: now } = await heed.setup.status();
      out.answer({ learn: now }, () => [
        [styled("green", "✓ "), `learn ${now.mode}${now.model === undefined ? "" : `, by ${now.model}`}`],
        ...now.problems.map((problem) => [styled("yellow", "  problem: "), problem]),
      ]);
      return;
    }
    const session = args.text("session");
    const where = [args.has("project"), args.has("user"), session !== undefined].filter(Boolean);
    if (where.length > 1)
      throw usageError("--project, --user and --session exclude each other. Give one of them.", "session");
    const mode = MODES.find((word) => word === args.positionals[0]);
    if (mode === undefined) {
      const { mode: current } = await heed.memories.overview();
      out.answer({ mode: current }, () => [current]);
      return;
    }
    if (mode === "off")
      assertPerson(who, "mode off takes every rule and guard out of force", "heed mode off");
    const hasProject = heed.setup.stores().some(({ kind }) => kind === "project");
    const kind = args.has("user") || (!args.has("project") && !hasProject) ? "user" : "project";
    await heed.setup.setMode(mode, session === undefined ? kind : { session }, actor);
    const place = session === undefined ? kind : `session ${session}`;
    out.answer({ mode, for: session === undefined ? kind : { session } }, () => [
      [styled("green", "✓ "), `mode ${mode} for ${place}`],
    ]);
    const named = env["HEED_MODE"];
    if (named && session === undefined)
      out.note(styled("yellow", `HEED_MODE=${named} goes before it where it is set, as in this shell.`));
  },
};
