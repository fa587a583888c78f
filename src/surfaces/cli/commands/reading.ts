import type { RuleOutcome, RuleRecord, ShownMetadata } from "../../../heed.ts";
import type { CommandSpec, Invocation } from "../arguments/command.ts";
import { FILTER_OPTIONS, readFilter } from "../arguments/memory-options.ts";
import { daysWith, limitTo } from "../arguments/command.ts";
import {
  type Text,
  type Fact,
  bold,
  cyan,
  dim,
  green,
  oneLine,
  plural,
  right,
  yellow,
  factLines,
} from "../output/output.ts";
import { handleOf } from "../../../memory/handle.ts";
import { diffLines, verdictLines } from "../terminal/answers.ts";
import { answerChanges } from "./changes.ts";

const list: CommandSpec = {
  options: {
    ...FILTER_OPTIONS,
    rules: {
      onlyWith: ["--days"],
      help: "how often each rule stopped a call, was allowed an exception, cited and injected",
    },
    days: daysWith("--rules"),
  },
  details: ["In a pipe: one memory a line, type, name and statement separated by tabs."],
  examples: [
    "heed list --type feedback",
    "heed list --tag git --since 2026-01-01 --json",
    "heed list --rules --days 7",
  ],
  json: '{"memories": [{"name", "type", "statement", "id", "tags", ...}]}; --rules {"rules": [{"name", "isGuarded", "stopped": {"sessions", "times"}, ...}], "days", "since"}',
  async run(invocation) {
    const { args, out, open } = invocation;
    const { memories } = open();
    if (args.has("rules")) return answerRecords(invocation);
    const listed = await memories.list(readFilter(args, open()));
    out.answer({ memories: listed }, () => {
      if (!out.isTerminal)
        return out.rows(
          [],
          listed.map((metadata) => [
            metadata.type,
            metadata.name,
            `${dataMark(metadata)}${metadata.statement}`,
          ]),
        );
      if (listed.length === 0) return ["No memories here. Write one: heed write --help"];
      return [...groupByType(listed)].flatMap(([type, group]): Text[] => [
        [bold(type), dim(` (${group.length})`)],
        ...group.map(lineOf),
        "",
      ]);
    });
  },
};

const COLUMNS: readonly RuleOutcome[] = ["stopped", "excepted", "cited", "injected"];

/** How often each rule here was stopped, excepted, cited and injected. */
async function answerRecords({ args, out, open }: Invocation): Promise<void> {
  const records = await open().guards.records(args.fields<{ days: number }>());
  out.answer(records, () => [
    ...(records.rules.length === 0
      ? ["No rule applies here."]
      : out.rows(
          ["rule", ...COLUMNS.map(right), "guard", "statement"],
          records.rules.map((rule) => [
            cyan(rule.name),
            ...COLUMNS.map((outcome) => countCell(rule, outcome)),
            rule.isGuarded ? green("yes") : "no",
            rule.statement,
          ]),
        )),
    ...(out.isTerminal ? [dim(`sessions, in the last ${plural(records.days, "day")}`)] : []),
  ]);
}

/** Sessions, and the times where they are more. */
function countCell(rule: RuleRecord, outcome: RuleOutcome): Text {
  const { sessions, times } = rule[outcome];
  return times > sessions && outcome !== "injected" ? `${sessions} (${times}×)` : String(sessions);
}

/** The sentence whole: its name is made of its first words, and tells less. */
function lineOf(metadata: ShownMetadata): Text {
  const status = metadata.status === "confirmed" ? "" : `[${metadata.status}] `;
  const { statement } = metadata;
  return [
    "  ",
    yellow(`${dataMark(metadata)}${status}`),
    oneLine(statement),
    cyan(` [${handleOf(metadata)}]`),
  ];
}

/** Marks what is written as a rule and is not in force: nobody reviewed it, or its store is not trusted. */
function dataMark(metadata: ShownMetadata): string {
  const { whyData, supersededBy } = metadata;
  const newer = supersededBy === undefined ? "" : `[superseded by ${supersededBy}] `;
  return whyData === undefined ? newer : `[data, not in force] ${newer}`;
}

function groupByType(memories: readonly ShownMetadata[]): Map<string, ShownMetadata[]> {
  const groups = new Map<string, ShownMetadata[]>();
  for (const memory of memories) groups.set(memory.type, [...(groups.get(memory.type) ?? []), memory]);
  return groups;
}

const show: CommandSpec = {
  arguments: [{ name: "NAME" }, { name: "CHANGE", isOptional: true, goesWith: ["--diff"] }],
  options: {
    log: { help: "its changes, the newest first" },
    diff: { help: "what CHANGE and all later ones did to it; default: its last change" },
    limit: { ...limitTo(10_000, 50), goesWith: ["--log"] },
    raw: { help: "the file as it is, front matter included, without secrets" },
  },
  details: ["NAME is a name, heed:name, an id, or a unique beginning of an id."],
  examples: ["heed show staging-db", "heed show staging-db --log", "heed show staging-db --diff"],
  json: '{"metadata", "body", "store", "path", "notes", "verdict", "isPending"}; --raw adds "text"; --log {"changes": [...]}; --diff {"diff"}',
  async run(invocation) {
    const { args, out, open, actor } = invocation;
    const { memories, history } = open();
    if (args.has("log")) return answerChanges(invocation, args.first);
    if (args.has("diff")) {
      const diff = await history.diff(args.first, { change: args.positionals[1] });
      out.answer({ diff }, () => diffLines(diff));
      return;
    }
    const options = { reader: actor };
    const shown = await memories.show(args.first, options);
    if (args.has("raw")) {
      const { text } = await memories.showFile(args.first, options);
      out.answer({ ...shown, text }, () => [text.replace(/\n$/, "")]);
      return;
    }
    out.answer(shown, () => {
      const { metadata, body, path, notes, verdict } = shown;
      const standing = `${metadata.status}, ${metadata.confidence} confidence, ${metadata.source}`;
      return [
        [bold(metadata.name), "  ", cyan(metadata.type)],
        metadata.statement,
        "",
        ...factLines(9, [
          ["id", metadata.id],
          ["tags", metadata.tags.join(", ")],
          ["trigger", metadata.trigger.join(", ")],
          ["aliases", metadata.aliases.join(", ")],
          ["status", shown.isUnsaid === true ? `not yours yet; its file says: ${standing}` : standing],
          ["scope", shown.holdsIn],
          ["created", metadata.created],
          ["updated", metadata.updated],
          ["verified", metadata.verified ?? "never"],
          ["expires", metadata.expires],
          ["links", metadata.links.map(({ rel, to }) => `${rel} ${to}`).join(", ")],
          ["file", path],
        ]),
        ...(verdict ? verdictLines(verdict) : []).map((line, i): Text => [
          dim((i === 0 ? "freshness" : "").padEnd(9)),
          " ",
          line,
        ]),
        ...factLines(
          9,
          notes.map((note): Fact => ["note", note, "yellow"]),
        ),
        "",
        body,
      ];
    });
  },
};

export const commands: Readonly<Record<string, CommandSpec>> = { list, show };
