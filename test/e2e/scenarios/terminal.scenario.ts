import { expect } from "vitest";
import { lastUserText } from "../api/messages-body.ts";
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
