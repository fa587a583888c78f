import { describe, expect, test } from "vitest";
import { asReplyToRemoval, withdraws, withdrawsLast } from "../../src/curate/withdrawing-turn.ts";

const RULE = { name: "no-friday-push", description: "never push on a Friday" };
const PNPM = { name: "use-pnpm", description: "always use pnpm instead of npm" };
const ASK = { name: "ask-first", description: "ask before a deploy to production" };
const GERMAN = { name: "freitag", description: "niemals am Freitag pushen" };
const FRENCH = { name: "vendredi", description: "ne jamais déployer le vendredi" };
const SPANISH = { name: "viernes", description: "nunca desplegar los viernes" };

describe("what takes a rule back", () => {
  test.each([
    [RULE, "drop the rule on Fridays"],
    [RULE, "forget about pushing on Fridays"],
    [RULE, "please remove the rule about pushing on a Friday, we have a weekend crew now"],
    [RULE, "can you delete the friday push rule?"],
    [RULE, "the rule about fridays no longer holds"],
    [RULE, "the friday rule doesn't apply any more"],
    [RULE, "we can push on Fridays again"],
    [RULE, "fix the parser. and drop the no-friday-push rule"],
    [RULE, "fix the parser and drop the friday rule"],
    [PNPM, "drop the pnpm rule"],
    [PNPM, "drop the pnpm rule from your memory"],
    [PNPM, "fix the lint step in ci.yml and drop the pnpm rule"],
    [PNPM, "forget the pnpm rule for good"],
    [PNPM, "remove the rule about pnpm from the store"],
    [PNPM, "stop using pnpm"],
    [PNPM, "don't use pnpm anymore"],
    [PNPM, "no more pnpm"],
    [PNPM, "ok, no more pnpm please"],
    [PNPM, "pnpm is no longer needed"],
    [PNPM, "go back to npm"],
    [PNPM, "we're going back to npm"],
    [PNPM, "switch to npm from now on"],
    [PNPM, "I changed my mind about pnpm, npm is fine"],
    [ASK, "you don't need to ask before a deploy to production any more"],
    [ASK, "stop asking before deploys to production"],
    [GERMAN, "vergiss die Regel mit dem Freitag"],
    [GERMAN, "die Regel über den Freitag gilt nicht mehr"],
    [GERMAN, "kannst du die Regel zum Freitag löschen?"],
    [FRENCH, "oublie la règle sur le vendredi"],
    [FRENCH, "la règle du vendredi ne tient plus"],
    [SPANISH, "olvida la regla de los viernes"],
    [SPANISH, "la regla de los viernes ya no vale"],
    [SPANISH, "borra por favor la regla de los viernes"],
  ])("%j is taken back by %j", (rule, turn) => {
    expect(withdraws(turn, rule)).toBeGreaterThan(0);
  });

  test.each([
    [RULE, "never push on a Friday"],
    [RULE, "fix the parser"],
    [RULE, "drop the rule on the parser"],
    [RULE, "should we drop the rule on Fridays?"],
    [RULE, "is the friday rule gone?"],
    [RULE, "don't forget the rule on Fridays"],
    [RULE, "never drop the friday rule"],
    [RULE, "remove the friday job from the scheduler"],
    [RULE, "delete the push script"],
    [RULE, "push on Friday, just this once"],
    [RULE, "forget the friday rule for now"],
    [RULE, "carla told me to drop the friday rule"],
    [RULE, "if the tests hold, drop the friday rule"],
    [RULE, "did you drop the friday rule?"],
    [RULE, "maybe drop the friday rule"],
    [RULE, "drop the rule on the invoices of the billing service that run each friday"],
    [RULE, "never push on a Friday, and forget the old index"],
    [RULE, "yes"],
    [RULE, "forget that"],
    [PNPM, "delete the note in README about pnpm"],
    [PNPM, "remove the pnpm instructions from CONTRIBUTING.md"],
    [PNPM, "drop the pnpm rule from the Makefile"],
    [PNPM, "drop the pnpm rule, in the Makefile"],
    [PNPM, "delete the pnpm rule in turbo.json"],
    [PNPM, "delete the pnpm rule in the pnpm section"],
    [PNPM, "the instruction about pnpm in the README is obsolete, remove it"],
    [PNPM, "note that pnpm is obsolete"],
    [PNPM, "lösche die pnpm-Regel im Makefile"],
    [PNPM, "supprime la règle pnpm dans le README"],
    [PNPM, "borra la regla de pnpm en el README"],
    [PNPM, "use npm here"],
    [PNPM, "use npm in the example"],
    [PNPM, "use npm instead of pnpm for that one"],
    [PNPM, "no more pnpm in the Dockerfile"],
    [PNPM, "no more pnpm errors"],
    [PNPM, "pnpm is no longer needed in ci"],
    [PNPM, "pnpm is no longer used for the docs"],
    [PNPM, "go back to npm in the example"],
    [PNPM, "go back to the npm tab"],
    [PNPM, "go back to pnpm"],
    [PNPM, "go back to main"],
    [PNPM, "should we go back to npm?"],
    [PNPM, "don't go back to npm"],
    [RULE, "switch to Friday"],
    [GERMAN, "vergiss die Regel mit dem Parser"],
    [GERMAN, "lösche die Regel über Freitag nicht"],
    [FRENCH, "n'oublie pas la règle du vendredi"],
    [SPANISH, "no olvides la regla de los viernes"],
  ])("%j is not taken back by %j", (rule, turn) => {
    expect(withdraws(turn, rule)).toBe(0);
  });

  test.each([
    "forget that",
    "no, forget that.",
    "drop that rule please",
    "that rule no longer holds",
    "that's no longer true",
    "vergiss das",
    "das gilt nicht mehr",
    "diese Regel kann weg",
    "oublie ça",
    "cette règle ne tient plus",
    "olvida eso",
    "esa regla ya no vale",
  ])("%j takes back what was spoken of last", (turn) => {
    expect(withdrawsLast(turn)).toBe(true);
  });

  test.each(["don't forget that", "forget the parser", "yes", "should I forget that?", "no olvides eso"])(
    "%j does not",
    (turn) => {
      expect(withdrawsLast(turn)).toBe(false);
    },
  );

  test("a limit counts where an end or a place is asked for", () => {
    const said = "the friday rule only holds until December";
    expect(withdraws(said, RULE)).toBe(0);
    expect(withdraws(said, RULE, { limit: (sentence) => sentence.includes("December") })).toBeGreaterThan(0);
    expect(withdraws(said, RULE, { limit: () => false })).toBe(0);
    for (const work of ["only the pnpm tests", "this ticket ends on monday, only fix pnpm until then"])
      expect(withdraws(work, PNPM, { limit: () => true })).toBe(0);
  });

  test.each([
    ["drop it", " yes  it"],
    ["keep it", " no  it"],
    ["no, don't drop it", "no,  no  it"],
    ["weg damit", " yes "],
    ["behalte sie", " no  sie"],
    ["garde-la", " no -la"],
    ["déjala", " no "],
  ])("as a reply to whether it is to go, %j is %j", (reply, read) => {
    expect(asReplyToRemoval(reply)).toBe(read);
  });
});
