import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findExplicit } from "../../src/capture/explicit/find-explicit.ts";
import { ownPart } from "../../src/capture/transcript/own-part.ts";

/** What heed does with a turn by itself. */
type Outcome = "kept" | "waits" | "nothing";

function outcomeOf(message: string): Outcome {
  const kept = findExplicit(ownPart(message)).filter((one) => one.kind === "keep");
  if (kept.length === 0) return "nothing";
  return kept.some(({ doubt }) => doubt === undefined) ? "kept" : "waits";
}

/** `WHAT IT SHOULD BE, WHAT IT IS, turn`, with a line each; ⏎ stands for a new line in the turn. */
function turnsOf(file: string): { wanted: string; outcome: string; turn: string }[] {
  const lines = readFileSync(join(import.meta.dirname, "explicit-turns", file), "utf8")
    .trim()
    .split("\n");
  return lines.map((line) => {
    const [wanted = "", outcome = "", turn = ""] = line.split("\t");
    return { wanted, outcome, turn: turn.replaceAll("⏎", "\n") };
  });
}

// Turns written before the patterns were mended ("first") and after ("second"); each is held to what it came out as, so
// that what is lost, or held for a rule wrongly, is seen to be.
test.each(["first.tsv", "second.tsv"])("turns of %s come out as recorded", (file) => {
  const turns = turnsOf(file);
  expect(turns.map(({ turn }) => `${outcomeOf(turn)}\t${turn}`)).toEqual(
    turns.map(({ outcome, turn }) => `${outcome}\t${turn}`),
  );
});

test("what is said to hold is kept or asked about, and little else is in force", () => {
  for (const file of ["first.tsv", "second.tsv"]) {
    const turns = turnsOf(file);
    const said = turns.filter(({ wanted }) => wanted === "kept");
    const others = turns.filter(({ wanted }) => wanted === "not in force");
    expect(said.filter(({ turn }) => outcomeOf(turn) !== "nothing").length / said.length).toBeGreaterThan(
      0.75,
    );
    expect(others.filter(({ turn }) => outcomeOf(turn) === "kept").length / others.length).toBeLessThan(0.1);
  }
});
