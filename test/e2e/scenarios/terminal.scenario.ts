import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { askingPlugin } from "../asking-plugin.ts";
import { boxShown, choose, dismiss, permit, refuse } from "../client/dialogs.ts";
import { lastUserText } from "../api/messages-body.ts";
import { test } from "../scenario.ts";

/** What the client does by itself when a user sits there; heed's consent stands on it. */
const touch = (file: string) => ({
  toolUse: [{ name: "Bash", input: { command: `touch ${file}`, description: "touch" } }],
});

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

test("a server's box at the end of a turn: a choice, two Enters by accident, and Esc", async ({
  sandbox,
  session,
}) => {
  const record = await session({
    terminal: true,
    plugins: [askingPlugin(sandbox)],
    prompts: [
      { text: "one", meanwhile: async (terminal) => choose(terminal, "keep") },
      { text: "two", meanwhile: async (terminal) => choose(terminal, "do not keep") },
      {
        text: "three",
        meanwhile: async (terminal) => {
          await boxShown(terminal);
          await terminal.press("enter", "enter");
          await terminal.until(/This field is required/);
          await dismiss(terminal);
        },
      },
    ],
  });
  expect(record.shown).toContain('ANSWERED {"action":"accept","content":{"answer":"keep"}}');
  expect(record.shown).toContain('ANSWERED {"action":"accept","content":{"answer":"do not keep"}}');
  expect(record.shown).toContain('ANSWERED {"action":"cancel"}');
});

// A program that drives the client over a stream of input is asked itself, and may never answer.
test("without a user a server's box is cancelled at once", async ({ sandbox, session }) => {
  const record = await session({ plugins: [askingPlugin(sandbox)], mode: "resume", prompts: ["one"] });
  expect(record.hooks.find(({ event }) => event === "Stop")?.stdout).toContain("cancel");
});

test("settings can answer a box, which nobody sees then", async ({ sandbox, session }) => {
  const output = { hookEventName: "Elicitation", action: "accept", content: { answer: "keep" } };
  const command = `cat > /dev/null; echo '${JSON.stringify({ hookSpecificOutput: output })}'`;
  sandbox.write(
    join(sandbox.home, ".claude", "settings.json"),
    JSON.stringify({ hooks: { Elicitation: [{ hooks: [{ type: "command", command }] }] } }),
  );
  const record = await session({ terminal: true, plugins: [askingPlugin(sandbox)], prompts: ["one"] });
  expect(record.shown).toContain('ANSWERED {"action":"accept","content":{"answer":"keep"}}');
});

const MODES = ["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions", "auto"] as const;

describe.each(MODES)("a hook that has the client ask before a call, in mode %s", (permissionMode) => {
  test("asks in the terminal", async ({ sandbox, session }) => {
    const plugins = [askingPlugin(sandbox)];
    await session({
      terminal: true,
      permissionMode,
      plugins,
      allowedTools: ["Bash"],
      prompts: [
        { text: "one", meanwhile: async (terminal) => (await permit(terminal), await dismiss(terminal)) },
        { text: "two", meanwhile: refuse },
      ],
      turns: [touch("permitted"), { text: "done" }, touch("refused")],
    });
    expect(existsSync(join(sandbox.project, "permitted"))).toBe(true);
    expect(existsSync(join(sandbox.project, "refused"))).toBe(false);
  });

  test("denies without a user, and the model reads why", async ({ sandbox, session }) => {
    const plugins = [askingPlugin(sandbox)];
    const record = await session({
      mode: "resume",
      permissionMode,
      plugins,
      allowedTools: ["Bash"],
      prompts: ["one"],
      turns: [touch("file")],
    });
    expect(existsSync(join(sandbox.project, "file"))).toBe(false);
    expect(lastUserText(record.main[1]!.body)).toContain("A RULE SAYS SO");
  });
});
