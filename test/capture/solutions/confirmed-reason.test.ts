import { expect, test } from "vitest";
import { emptyDigest } from "../../../src/capture/digest/session-digest.ts";
import { foldEvent } from "../../../src/capture/fold-event.ts";
import { draftOfStruggle } from "../../../src/capture/solutions/draft-of-struggle.ts";

/** What a session keeps as the Why of the one struggle in it, which is won by the second way. */
function whyOf(guess: string, ...after: readonly string[]): string {
  const digest = emptyDigest();
  const time = "2026-11-21T11:00:00Z";
  const run = (id: string, command: string, outcome: "ok" | "failed", text: string): void => {
    foldEvent(digest, { kind: "tool", id, tool: "Bash", input: { command }, time });
    foldEvent(digest, { kind: "result", id, outcome, text, time });
  };
  run("a", "npm run db:migrate", "failed", "Error: connect ECONNREFUSED 127.0.0.1:5432");
  foldEvent(digest, { kind: "assistant", text: guess, time });
  run("b", "npm run db:migrate -- --host 127.0.0.1", "failed", "Error: connect ECONNREFUSED 127.0.0.1:5432");
  run("c", "PGPORT=5433 npm run db:migrate", "ok", "3 migrations applied");
  for (const text of after) foldEvent(digest, { kind: "assistant", text, time });
  const [struggle] = digest.won;
  if (struggle === undefined) throw new Error("nothing was won");
  return /\*\*Why:\*\* (.*)/.exec(draftOfStruggle(struggle).draft.body)?.[1] ?? "";
}

const GUESS = "Connection refused; the database may be down. I try with an explicit host.";
const UNKNOWN = "not known: nobody said why it works.";

test.each([
  [
    ["Migrated. docker-compose.yml maps the database to 5433, so PGPORT has to say so."],
    "docker-compose.yml maps the database to 5433, so PGPORT has to say so.",
  ],
  [
    ["All three migrations ran. It refused before because the migrate script ignores .env."],
    "It refused before because the migrate script ignores .env.",
  ],
  [["The problem was the port: the container listens on another one."], UNKNOWN],
  [
    ["The migrate script needs the port of the container."],
    "The migrate script needs the port of the container.",
  ],
  [["Done."], UNKNOWN],
  [["I ran it with PGPORT=5433 npm run db:migrate, it works now."], UNKNOWN],
  [["Perhaps the container maps 5433."], UNKNOWN],
  [["The lint step fails because migrate.ts has a tab."], UNKNOWN],
  [["Done.", "The header is set because PGPORT=5433 is too."], UNKNOWN],
  [[], UNKNOWN],
])("after it worked the agent says %j: %s", (after, why) => {
  expect(whyOf(GUESS, ...after)).toBe(why);
});

test("what is said of something else is not taken for the reason", () => {
  expect(whyOf(GUESS, "Next I change the header because the linter is strict.")).toBe(UNKNOWN);
});
