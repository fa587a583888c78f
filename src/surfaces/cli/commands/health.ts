import type { HealthReport } from "../../../heed.ts";
import type { Command } from "../arguments/command.ts";
import { plural } from "../output/counted.ts";
import type { Text } from "../output/styled-text.ts";
import { styled } from "../output/styled-text.ts";
import { remedyLine } from "../../remedy-line.ts";

/** So many tags are listed on a terminal; `--json` has all. */
const MAX_TAGS = 12;

/** `heed health` */
export const command: Command = {
  name: "health",
  summary: "what is wrong with the memories here, each with the command that mends it",
  arguments: [],
  options: {},
  details: [
    "Stale, unverified and expired memories; claims that cannot be checked; what is told and never used;",
    "tags that look like a slip; descriptions that are long, vague or alike; rules that do not fit. What rests on use is",
    "withheld until enough of it is known.",
  ],
  async run({ out, open }) {
    const report = await open().upkeep.health();
    out.answer(report, () => [...countLines(report), ...sectionLines(report)]);
  },
};

function countLines({ total, byType, byScope, byTag, byStanding, telemetry }: HealthReport): Text[] {
  const list = (counts: Record<string, number>): string =>
    Object.entries(counts)
      .slice(0, MAX_TAGS)
      .map(([word, count]) => `${word} ${count}`)
      .join(", ");
  const facts: [string, string][] = [
    ["memories", String(total)],
    ["standing", list(byStanding)],
    ["types", list(byType)],
    ["scopes", list(byScope)],
    ["tags", list(byTag)],
    [
      "use",
      telemetry.since === undefined
        ? "nothing was told yet"
        : `${plural(telemetry.receipts, "receipt", "receipts")} since ${telemetry.since.slice(0, 10)}, ${plural(telemetry.uses, "report or citation", "reports and citations")}`,
    ],
  ];
  return facts
    .filter(([, value]) => value !== "")
    .map(([label, value]): Text => [styled("dim", label.padEnd(10)), value]);
}

function sectionLines({ sections }: HealthReport): Text[] {
  const lines = sections.flatMap(({ title, findings, withheld, failed }): Text[] => {
    if (failed !== undefined)
      return ["", [styled("bold", title), styled("red", `  could not be looked at: ${failed}`)]];
    if (withheld !== undefined)
      return ["", [styled("bold", title), styled("dim", `  left out: ${withheld}`)]];
    if (findings.length === 0) return [];
    return [
      "",
      styled("bold", title),
      ...findings.flatMap(({ subject, words, remedies }): Text[] => [
        ["  ", styled("cyan", subject), `  ${words}`],
        styled("dim", `    ${remedies.map(remedyLine).join("   or   ")}`),
      ]),
    ];
  });
  return lines;
}
