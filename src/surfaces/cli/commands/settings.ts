import type { MapSetting, Mode } from "../../../heed.ts";
import type { CommandSpec, Invocation } from "../arguments/command.ts";
import { type Text, dim, doneLine, yellow } from "../output/output.ts";

const SET = ["SETTING", "VALUE"];

const config: CommandSpec = {
  arguments: [
    { name: "SETTING", isOptional: true, words: ["mode", "map", "writer", "learn"] },
    { name: "VALUE", isOptional: true },
  ],
  options: {
    project: { goesWith: ["mode", "map"], onlyWith: SET, help: "for this repository" },
    user: {
      goesWith: ["mode", "map"],
      onlyWith: SET,
      help: "for every repository without a setting of its own",
    },
    session: { value: "ID", goesWith: ["mode"], onlyWith: SET, help: "for one session, until it ends" },
  },
  details: [
    "Without VALUE: how it is set.",
    "mode    typed: rules always, facts when they are relevant to the prompt (the default). pull: rules and a line of",
    "        counts; facts through tools only. rules: rules alone. off: nothing.",
    "map     the list of facts that a session starts with: auto (8,000 characters), off, or a number of characters. When",
    "        not all fit, lines are shortened; facts without a line are counted by tag.",
    "writer  where new memories go when Claude Code keeps a memory of its own: heed or client. heed reads both.",
    "learn   off (the default), or model: a model reads your turns after a session, and what it proposes needs your",
    "        approval (docs/memories.md says what that costs).",
    "mode and map are set for this repository if it has a store, else for all of yours.",
  ],
  examples: [
    "heed config",
    "heed config mode pull --project",
    "heed config map 1500",
    "heed config learn model",
  ],
  json: '{"mode", "map", "writer", "learn"}; when set {"mode", "for"}, {"map", "for"}, {"writer", ...} or {"learn": {...}}',
  async run(invocation) {
    const { args, out, env, actor, open } = invocation;
    const [setting, value] = args.positionals;
    const { setup } = open();
    if (value === undefined) {
      const { mode, map, writer, learn } = await setup.status();
      const all = { mode, map: map || "off", writer: writer ?? "not chosen", learn: learn.mode };
      const shown = Object.entries(all).filter(([name]) => setting === undefined || name === setting);
      out.answer(Object.fromEntries(shown), () =>
        shown.map(([name, is]): Text => {
          const why = name === "map" && map > 0 && mode !== "typed" ? ` (not injected in mode ${mode})` : "";
          return setting === undefined ? [dim(name.padEnd(8)), `${is}${why}`] : `${is}${why}`;
        }),
      );
      return;
    }
    if (setting === "writer") return setWriter(value, invocation);
    if (setting === "learn") return setLearn(value, invocation);
    const hasProject = (): boolean => setup.stores().some(({ kind }) => kind === "project");
    const level = args.has("user") || (!args.has("project") && !hasProject()) ? "user" : "project";
    const is = setting === "map" && /^\d+$/.test(value) ? Number(value) : value;
    const session = args.text("session");
    const where = session === undefined ? level : { session };
    if (setting === "mode") await setup.setMode(value as Mode, where, actor);
    else await setup.setMap(is as MapSetting, level, actor);
    const named = session === undefined ? level : `session ${session}`;
    out.answer({ [setting ?? ""]: is, for: where }, () => [doneLine(`${setting} ${value} for ${named}`)]);
    const mode = env["HEED_MODE"];
    if (setting === "mode" && mode && session === undefined)
      out.note(yellow(`HEED_MODE=${mode} takes precedence where it is set, as in this shell.`));
  },
};

async function setWriter(value: string, { out, actor, open }: Invocation): Promise<void> {
  const report = await open().setup.setWriter(value as "heed" | "client", actor);
  out.answer(report, () => [
    doneLine(`new memories go to ${value === "heed" ? "heed" : "Claude Code's own memory"}`),
    ...(report.isAttached ? [`  heed reads ${report.directory} as well`] : []),
  ]);
  if (value === "heed" && report.isOn)
    out.note('To turn Claude Code\'s own memory off: "autoMemoryEnabled": false in its settings.json.');
}

async function setLearn(value: string, { out, actor, open }: Invocation): Promise<void> {
  const { setup } = open();
  await setup.setLearn(value as "off" | "model", actor);
  const { learn } = await setup.status();
  out.answer({ learn }, () => [
    doneLine(`learn ${learn.mode}${learn.model === undefined ? "" : `, by ${learn.model}`}`),
    ...learn.problems.map((problem): Text => [yellow("  problem: "), problem]),
  ]);
}

export const commands: Readonly<Record<string, CommandSpec>> = { config };
