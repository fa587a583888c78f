import { expect } from "vitest";
import { lastUserText } from "../api/messages-body.ts";
import { networkIsolation } from "../client/network-isolation.ts";
import { runs } from "../consent-steps.ts";
import { test } from "../scenario.ts";

/** What the client does by itself when a user sits there; which words count as typed stands on it. */
test("what is typed arrives as it is, several lines too; of what is pasted, four lines or more are marked", async ({
  session,
}) => {
  const typed = "Two things:\nnever use npm here\nalways squash";
  const record = await session({
    terminal: true,
    plugins: [],
    prompts: [typed, { pasted: "a\nb\nc", text: " short" }, { pasted: "a\nb\nc\nd", text: "long" }],
  });
  const [first, short, long] = record.main.map(({ body }) => lastUserText(body));
  expect(first).toContain(typed);
  expect(short).toMatch(/^a\nb\nc short$/m);
  expect(long).toMatch(/<pasted_content id="\w+">\na\nb\nc\nd\n<\/pasted_content id="\w+">\s+long/);
});

test.skipIf(networkIsolation().length === 0)("the client has no way to the network", async ({ session }) => {
  const command = "cut -d: -f1 /proc/net/dev; echo routes: $(wc -l < /proc/net/route)";
  const turns = [runs(command)];
  const record = await session({ plugins: [], prompts: ["look"], allowedTools: ["Bash"], turns });
  const output = lastUserText(record.main[1]!.body);
  expect(output).toContain("lo\n");
  // The header of the table is its only line.
  expect(output).toContain("routes: 1");
});
