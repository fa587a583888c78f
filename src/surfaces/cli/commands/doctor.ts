import type { Heed, LearnStatus, StatusReport } from "../../../heed.ts";
import { type Finding, diagnose } from "../../clients/doctor/diagnose.ts";
import { thisMachine } from "../../clients/this-machine.ts";
import { type CommandSpec, EXIT } from "../arguments/command.ts";
import {
  type Fact,
  type Text,
  bold,
  cyan,
  dim,
  factLines,
  green,
  plural,
  red,
  yellow,
} from "../output/output.ts";

const MARKS: Record<Finding["state"], Text> = {
  ok: green("✓ "),
  wrong: red("✗ "),
  note: yellow("! "),
};

const doctor: CommandSpec = {
  options: {
    quick: { help: "show the state, test nothing" },
    reindex: { help: "rebuild the search indexes (search is slow without them), then show the state" },
  },
  details: [
    "Shows mode, stores and inbox; then runs heed's server and hook in a temporary home, and checks the clients' files,",
    "duplicates, folders and permissions. Exits with 1 when something is wrong; each finding names its remedy.",
  ],
  examples: ["heed doctor", "heed doctor --quick"],
  json: '{"status": {"version", "mode", "repository", "stores", "places", "pending", ...}, "isWell", "findings": [{"about", "what", "state", "detail", "remedy"}]}; --quick: the status alone',
  async run({ args, out, open, env, cwd }) {
    const isQuick = args.has("quick") || args.has("reindex");
    const { setup, maintenance } = open();
    const status = args.has("reindex") ? await maintenance.reindex() : await setup.status();
    if (isQuick) {
      out.answer(status, () => [
        ...statusLines(status, setup),
        ...factLines(12, [
          ["state", dim(status.places.state)],
          ["cache", dim(status.places.cache)],
          ["config", dim(status.places.config)],
          ...[...status.problems, ...status.unapproved].map((problem): Fact => [
            "problem",
            problem,
            "yellow",
          ]),
        ]),
      ]);
      return EXIT.done;
    }
    const machine = await thisMachine(setup, { cwd, env, script: process.argv[1] ?? "heed" });
    const findings = await diagnose(setup, machine);
    const wrong = findings.filter(({ state }) => state === "wrong").length;
    out.answer({ status, isWell: wrong === 0, findings }, () => [
      ...statusLines(status, setup),
      "",
      ...findings.flatMap(({ about, what, state: found, detail, remedy }): Text[] => [
        [MARKS[found], bold(about), ` ${what}: `, detail],
        ...(remedy === undefined ? [] : [[cyan("    → "), remedy] as Text]),
      ]),
      wrong === 0 ? green("All is well.") : `${plural(wrong, "thing is", "things are")} wrong.`,
    ]);
    return wrong === 0 ? EXIT.done : EXIT.refused;
  },
};

function statusLines(status: StatusReport, setup: Heed["setup"]): Text[] {
  const { repository, stores, pending, policy } = status;
  return [
    bold(`heed ${status.version}`),
    ...factLines(12, [
      ["mode", status.mode],
      ["writes", WRITES[status.writes]],
      ["writer", status.writer === "client" ? "client: heed only on your request" : status.writer],
      ["policy", policy && `${policy.says} (${policy.file})`],
      ["repository", repository ? setup.repositoryLabel(repository) : "none here"],
      ["stores", stores.length === 0 ? ["none yet. Make one: ", cyan("heed init")] : undefined],
      ...stores.flatMap(storeFacts),
      ["inbox", pending === 0 ? "empty" : [`${pending} waiting: `, cyan("heed inbox")]],
      ["newest", status.cost],
      ["learn", learnLine(status.learn)],
    ]),
  ];
}

const WRITES: Readonly<Record<StatusReport["writes"], string>> = {
  model: "model: agents may write; rules need your words or your approval",
  ask: "ask: each write of a model needs your approval",
  me: "me: only you write",
  nobody: "nobody: the organisation lets nobody write",
};

function storeFacts({ store, memories }: StatusReport["stores"][number]): Fact[] {
  return [
    [
      store.kind,
      [
        bold(plural(memories, "memory", "memories")),
        store.isTrusted ? "" : yellow(", not trusted: data, not rules (heed inbox trust)"),
        store.isReadOnly ? ", read only" : "",
      ],
    ],
    ["", dim(store.source ?? store.root)],
  ];
}

function learnLine({ mode: learns, model, budget, problems, today }: LearnStatus): string {
  if (problems.length > 0) return `off, since its settings are wrong: ${problems.join("; ")}`;
  if (learns === "off" || !budget) return "off: no model reads sessions afterwards (docs/memories.md)";
  const last = today.last === undefined ? "" : `; last: ${today.last}`;
  return `${model ?? ""}, today ${today.calls} of ${budget.calls} calls${last}`;
}

export const commands: Readonly<Record<string, CommandSpec>> = { doctor };
