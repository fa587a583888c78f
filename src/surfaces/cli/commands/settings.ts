import type { LearnStatus, MapSetting, Mode, SessionMap, StatusReport } from "../../../heed.ts";
import type { CommandSpec, Invocation } from "../arguments/command.ts";
import { usageError } from "../arguments/command.ts";
import { humanBytes, plural, bold, cyan, dim, doneLine, green, yellow, factLines } from "../output/text.ts";
import { withProgress } from "../output/output.ts";
import type { Text, Fact } from "../output/text.ts";

const status: CommandSpec = {
  options: { reindex: { help: "rebuild the search indexes first; search is slow without them" } },
  json: '{"version", "mode", "repository", "stores", "places", "pending", ...}',
  async run({ args, out, open }) {
    const heed = open();
    const report = args.has("reindex")
      ? await withProgress((progress) => heed.maintenance.reindex(progress))
      : await heed.setup.status();
    out.answer(report, () => [
      bold(`heed ${report.version}`),
      ...factLines(12, [
        ["mode", report.mode],
        ["writes", WRITES[report.writes]],
        ["writer", report.writer === "client" ? "client: heed only on your request" : report.writer],
        ["policy", report.policy && `${report.policy.says} (${report.policy.file})`],
        ["repository", report.repository ? heed.setup.repositoryLabel(report.repository) : "none here"],
        ["stores", report.stores.length === 0 ? ["none yet. Make one: ", cyan("heed init")] : undefined],
        ...report.stores.flatMap(storeFacts),
        ["inbox", report.pending === 0 ? "empty" : [`${report.pending} waiting: `, cyan("heed inbox")]],
        ["sessions", `${report.sessions}, with ${plural(report.receipts, "receipt")}`],
        ["newest", report.cost?.says],
        ["learn", learnLine(report.learn)],
        ["state", dim(report.places.state)],
        ["cache", dim(report.places.cache)],
        ["config", dim(report.places.config)],
        ...report.problems.map((problem): Fact => ["problem", problem, "yellow"]),
      ]),
    ]);
  },
};

const WRITES: Readonly<Record<StatusReport["writes"], string>> = {
  model: "model: agents may write; rules need your words or your approval",
  ask: "ask: each write of a model needs your approval",
  me: "me: only you write",
  nobody: "nobody: the organisation lets nobody write",
};

function storeFacts({ store, memories, index, indexBytes }: StatusReport["stores"][number]): Fact[] {
  const state = indexBytes > 0 ? `was ${index}, brought up to date` : index;
  return [
    [
      store.kind,
      [
        bold(plural(memories, "memory", "memories")),
        ", index ",
        index === "fresh" ? green("fresh") : yellow(state),
        indexBytes > 0 ? ` (${humanBytes(indexBytes)})` : "",
        store.isTrusted ? "" : yellow(", not trusted: data, not rules (heed trust)"),
        store.isReadOnly ? ", read only" : "",
      ],
    ],
    ["", dim(store.source ?? store.root)],
  ];
}

function learnLine({ mode: learns, model, budget, problems, today }: LearnStatus): string {
  if (problems.length > 0) return `off, as it is set up wrongly: ${problems.join("; ")}`;
  if (learns === "off" || !budget) return "off: no model reads sessions afterwards (docs/memories.md)";
  const last = today.last === undefined ? "" : `; last: ${today.last}`;
  return `${model ?? ""}, today ${today.calls} of ${budget.calls} calls, ${today.tokens} of ${budget.tokens} tokens, ${plural(today.items, "item")}${last}`;
}

/** Each mode there is: one that is missing does not compile. */
const MODES = Object.keys({ typed: 1, pull: 1, rules: 1, off: 1 } satisfies Record<Mode, 1>) as Mode[];

const mode: CommandSpec = {
  arguments: [{ name: "MODE", isOptional: true, words: MODES }],
  options: {
    project: { help: "for this repository" },
    user: { help: "for every repository without a mode of its own" },
    session: { value: "ID", help: "for one session, until it ends" },
    writer: { value: "WHO", words: ["heed", "client"], help: "whose memory is written; heed reads both" },
    learn: {
      value: "WHAT",
      words: ["off", "model"],
      help: "whether a model reads your turns after a session",
    },
  },
  details: [
    "typed: rules always, facts when they are relevant to the prompt (the default). pull: rules and a line of counts;",
    "facts through tools only. rules: rules alone. off: nothing.",
    "--writer: heed or Claude Code, where it keeps a memory of its own. --learn: off (the default) or model, for all of",
    "your sessions; what it proposes needs your approval (docs/memories.md says what that costs).",
    "Without --project or --user it is set for this repository when it has a store, else for the user.",
  ],
  examples: ["heed mode", "heed mode pull --project", "heed mode off --session 5f1c…"],
  json: '{"mode"}; when set also "for"',
  async run(invocation) {
    const { args, out, env, actor, open } = invocation;
    const heed = open();
    const aside = ["writer", "learn"].find((flag) => args.has(flag));
    if (aside !== undefined && args.first !== "")
      throw usageError(`give a mode or --${aside}, not both`, aside);
    if (args.has("writer")) return setWriter(invocation);
    if (args.has("learn")) return setLearn(invocation);
    const session = args.text("session");
    const level = levelOf(invocation, "session");
    const wanted = MODES.find((word) => word === args.first);
    if (wanted === undefined) {
      const { mode: current } = await heed.memories.overview();
      out.answer({ mode: current }, () => [current]);
      return;
    }
    const place = session === undefined ? level : { session };
    await heed.setup.setMode(wanted, place, actor);
    out.answer({ mode: wanted, for: place }, () => [
      doneLine(`mode ${wanted} for ${session === undefined ? level : `session ${session}`}`),
    ]);
    const named = env["HEED_MODE"];
    if (named && session === undefined)
      out.note(yellow(`HEED_MODE=${named} takes precedence where it is set, as in this shell.`));
  },
};

/** Which level the flags name: `project` where the repository has a store, unless they say otherwise. */
function levelOf({ args, open }: Invocation, ...others: readonly string[]): "user" | "project" {
  const flags = ["project", "user", ...others];
  if (flags.filter((flag) => args.has(flag)).length > 1) {
    const names = flags.map((flag) => `--${flag}`);
    throw usageError(
      `${names.slice(0, -1).join(", ")} and ${names.at(-1)} exclude each other. Give one of them.`,
      flags.at(-1) ?? "",
    );
  }
  const hasProject = (): boolean =>
    open()
      .setup.stores()
      .some(({ kind }) => kind === "project");
  return args.has("user") || (!args.has("project") && !hasProject()) ? "user" : "project";
}

async function setWriter({ args, out, actor, open }: Invocation): Promise<void> {
  const writer = args.text("writer") === "heed" ? "heed" : "client";
  const report = await open().setup.setWriter(writer, actor);
  out.answer(report, () => [
    doneLine(`${writer === "heed" ? "heed" : "Claude Code's own memory"} is written from now on`),
    ...(report.isAttached ? [`  heed reads ${report.directory} as well`] : []),
  ]);
  if (writer === "heed" && report.isOn)
    out.note('Claude Code writes no memory of its own with "autoMemoryEnabled": false in its settings.json.');
}

async function setLearn({ args, out, actor, open }: Invocation): Promise<void> {
  const { setup } = open();
  await setup.setLearn(args.text("learn") === "model" ? "model" : "off", actor);
  const { learn } = await setup.status();
  out.answer({ learn }, () => [
    doneLine(`learn ${learn.mode}${learn.model === undefined ? "" : `, by ${learn.model}`}`),
    ...learn.problems.map((problem): Text => [yellow("  problem: "), problem]),
  ]);
}

const map: CommandSpec = {
  arguments: [{ name: "SIZE", isOptional: true }],
  options: {
    why: { help: "the reason for the place of each line" },
    subagent: { help: "the shorter one that a subagent is given" },
    project: { help: "with SIZE: for this repository" },
    user: { help: "with SIZE: for every repository without a size of its own" },
  },
  details: [
    "One line for each fact in scope and in force, ordered by salience, use, freshness and narrowness of scope. SIZE is",
    "auto (8,000 characters), off, or a number of characters. When not all fit, lines are shortened; facts without a line",
    "are counted by tag, and injected for prompts that they are relevant to.",
  ],
  examples: ["heed map", "heed map --why", "heed map 1500 --project", "heed map off"],
  json: '{"text", "budgetChars", "lines", "leftCount"}; when set {"map", "for"}',
  async run(invocation) {
    const { args, out, actor, open } = invocation;
    const heed = open();
    if (args.first !== "") {
      const level = levelOf(invocation);
      const size = (/^\d+$/.test(args.first) ? Number(args.first) : args.first) as MapSetting;
      await heed.setup.setMap(size, level, actor);
      out.answer({ map: size, for: level }, () => [doneLine(`map ${size} for ${level}`)]);
      return;
    }
    const shown = await heed.session.map({ isForSubagent: args.has("subagent") });
    out.answer(shown, () =>
      shown.text === "" && heed.setup.stores().some(({ isTrusted }) => !isTrusted)
        ? ["nothing is in force here yet: heed trust shows the memories that came with this repository"]
        : mapLines(shown, args.has("why")),
    );
  },
};

function mapLines({ text, budgetChars, lines, leftCount }: SessionMap, hasReasons: boolean): Text[] {
  if (budgetChars === 0)
    return ["no map is injected here: heed map auto turns it on, in mode typed (heed mode)"];
  if (text === "") return ["nothing is known here yet: heed write keeps a fact"];
  const counts = `${plural(lines.length, "line")}, ${text.length} of ${budgetChars} characters, ${leftCount} without a line`;
  const body = hasReasons
    ? lines.flatMap(({ text: line, why }): Text[] => [line, dim(`    ${why}`)])
    : [text];
  return [...body, "", dim(counts)];
}

/** The commands of this file. */
export const commands: Readonly<Record<string, CommandSpec>> = { status, mode, map };
