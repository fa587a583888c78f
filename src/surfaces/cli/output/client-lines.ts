import type { ClientChange, FileChange } from "../../clients/connect-clients.ts";
import type { Text } from "./styled-text.ts";
import { styled } from "./styled-text.ts";

/** Longest line of a change that is shown whole. */
const MAX_LINE_CHARS = 200;

const DONE = {
  created: "created",
  changed: "changed",
  restored: "given back as it was",
  removed: "removed",
  unchanged: "as it should be",
  left: "left alone",
} as const;
const TO_DO = {
  ...DONE,
  created: "would be created",
  changed: "would be changed",
  restored: "would be given back as it was",
  removed: "would be removed",
} as const;

/** What became of clients' files, for a person; with `isPrinted` the lines that come and go too. */
export async function clientLines(
  changes: readonly ClientChange[],
  { isDryRun, isPrinted }: { isDryRun: boolean; isPrinted: boolean },
): Promise<Text[]> {
  const lines: Text[] = [];
  for (const { title, files, notes } of changes) {
    lines.push(styled("bold", title));
    for (const change of files) lines.push(...(await fileLines(change, isDryRun, isPrinted)));
    lines.push(...notes.map((note): Text => [styled("yellow", "  note: "), note]));
  }
  return lines;
}

async function fileLines(change: FileChange, isDryRun: boolean, isPrinted: boolean): Promise<Text[]> {
  const { file, action, why, byHand } = change;
  const mark =
    action === "left" ? styled("yellow", "! ") : action === "unchanged" ? "= " : styled("green", "✓ ");
  const said = (isDryRun ? TO_DO : DONE)[action];
  return [
    ["  ", mark, `${file} `, styled("dim", why === undefined ? said : `${said}: ${why}`)],
    ...(byHand === undefined
      ? []
      : ["    to add by hand:", ...byHand.split("\n").map((line) => `      ${line}`)]),
    ...(isPrinted ? await printedLines(change) : []),
  ];
}

/** The lines that come and go; what compares them is loaded for that alone. */
async function printedLines(change: FileChange): Promise<Text[]> {
  const { changedLines } = await import("../../clients/connect-clients.ts");
  return changedLines(change).map(({ sign, text }) =>
    styled(sign === "+" ? "green" : "red", `    ${sign} ${text.slice(0, MAX_LINE_CHARS)}`),
  );
}
