import type { GateRefusal, WriteResult } from "../../../heed.ts";
import { EXIT } from "../arguments/exit-code.ts";
import type { Invocation } from "../arguments/command.ts";
import type { Output } from "../output/output.ts";
import type { Text } from "../output/styled-text.ts";
import { cleanText, styled } from "../output/styled-text.ts";

/** Tells what came of a write and gives the exit code: a refusal is 1, a memory that waits in the inbox is 0. */
export function answerWrite(result: WriteResult, invocation: Pick<Invocation, "out" | "actor">): number {
  const { out } = invocation;
  if (result.outcome === "refused") {
    if (out.isJson) out.answer(result, () => []);
    else out.note(...refusalLines(result.refusals));
    return EXIT.refused;
  }
  out.answer(result, () => {
    if (result.outcome === "pending")
      return [
        result.announcement,
        // The reason tells a model how to ask; a person has read the announcement.
        ...(invocation.actor.kind === "model" ? [styled("dim", result.reason)] : []),
        ...diffLines(result.diff),
      ];
    const isNews = result.outcome !== "unchanged" || result.announcement.startsWith("confirmed");
    return [
      [styled("green", isNews ? "✓ " : "= "), result.announcement],
      ...[...new Set(result.warnings)].map((warning): Text => [styled("yellow", "  note: "), warning]),
      ...diffLines(result.diff),
    ];
  });
  return EXIT.done;
}

/** A refusal for people: which gate, why, what would pass, and a draft that would. */
export function refusalLines(refusals: readonly GateRefusal[]): Text[] {
  return refusals.flatMap(({ gate, reason, remedy, proposal, duplicates = [] }): Text[] => [
    [styled("red", "✗ refused"), ` by the gate ${gate}: ${reason}`],
    [styled("dim", "  remedy:   "), asFlags(remedy)],
    ...duplicates.map((other): Text => [
      styled("dim", "  resembles: "),
      styled("bold", other.name),
      ` (${Math.round(100 * other.similarity)} %): ${other.description}`,
      other.removed
        ? styled("yellow", ` (removed ${other.removed.date.slice(0, 10)}: ${other.removed.reason})`)
        : "",
    ]),
    ...Object.entries(proposal ?? {}).flatMap(([key, value]): Text[] => proposalLines(key, value)),
  ]);
}

/** Remedies name fields of a draft; here they are flags. */
function asFlags(remedy: string): string {
  return remedy
    .replace(/relation \{kind: "(\w+)", to: "([^"]*)"\}/g, "--$1 $2")
    .replace("relation {kind, to: the handle}", "--replaces, --adds or --distinct NAME")
    .replace(/"(replaces|adds|distinct)"/g, "--$1");
}

function proposalLines(key: string, value: unknown): Text[] {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const [first = "", ...rest] = cleanText(text).split("\n");
  return [
    [styled("dim", "  proposal: "), styled("cyan", key), `: ${first}`],
    ...rest.map((line): Text => `              ${line}`),
  ];
}

/** A unified diff, line by line in the usual colours. */
export function diffLines(diff: string | undefined): Text[] {
  if (diff === undefined || diff.trim() === "") return [];
  return cleanText(diff)
    .replace(/\n+$/, "")
    .split("\n")
    .map((line): Text => {
      if (/^(\+\+\+|---|diff |index )/.test(line)) return styled("bold", line);
      if (line.startsWith("@@")) return styled("cyan", line);
      if (line.startsWith("+")) return styled("green", line);
      if (line.startsWith("-")) return styled("red", line);
      return line;
    });
}

/** A note for whoever is not taken for a person, so that a refused confirmation explains itself. */
export function explainActor(out: Output, doubt: string | undefined): void {
  if (doubt === undefined) return;
  out.note(
    styled(
      "dim",
      `This is not seen to be typed by a person (${doubt}), so it counts as the model's word, not the user's.`,
    ),
  );
}
