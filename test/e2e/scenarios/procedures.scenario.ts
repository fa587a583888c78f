import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import type { ScriptedTurn } from "../api/scripted-turn.ts";
import { boxShown, choose } from "../client/dialogs.ts";
import { answerIn, waitingIn, WRITE } from "../consent-steps.ts";
import { contextOf, contextSince, readByModel, requestFor } from "../expectations.ts";
import { testInitialised as test } from "../scenario.ts";

const UPDATE = "mcp__plugin_heed_heed__memory_update";
const SHOW = "mcp__plugin_heed_heed__memory_show";
const STATEMENT = "Release the parser to the registry";
const WHEN = "when a version is to be published";
const BODY = `${STATEMENT}

**How to apply:** ${WHEN}

**Steps:**
1. npm test
2. npm version patch
3. git push --follow-tags

**Check:** npm view shows the version

**Failed:** npm publish before the tag`;
const THERE = { terminal: true, allowedTools: [WRITE, UPDATE, SHOW] } as const;

const calls = (name: string, input: Record<string, unknown>): ScriptedTurn => ({
  toolUse: [{ name, input }],
});

describe("a procedure", () => {
  test("is proposed, kept by a click, told as a line, improved by a click, and listed as a skill by the client", async ({
    sandbox,
    session,
  }) => {
    let asked = "";
    const proposed = await session({
      ...THERE,
      prompts: [
        {
          text: "please release the parser",
          meanwhile: async (terminal) => {
            await boxShown(terminal);
            asked = terminal.screen.replace(/\s+/g, " ");
            await choose(terminal, "keep");
          },
        },
        { text: "it works without a tag", meanwhile: async (terminal) => choose(terminal, "change") },
        "thanks",
      ],
      turns: [
        calls(WRITE, { type: "procedure", statement: STATEMENT, body: BODY }),
        { text: "Released." },
        calls(UPDATE, {
          handle: "release-the-parser-to-the-registry",
          sections: { check: "npm view shows it, a minute later" },
        }),
        { text: "Noted." },
      ],
    });
    expect(answerIn(proposed, 1)).toMatch(/"outcome":\s*"waits"/);
    // The user sees each step before they say yes.
    expect(asked).toContain("as a procedure in this repository?");
    expect(asked).toContain("3. git push --follow-tags");
    expect(await waitingIn(sandbox)).toEqual([]);

    const later = await session({
      ...THERE,
      prompts: ["hello", "release the parser to the registry"],
      turns: [
        { text: "Hello." },
        calls(SHOW, { handles: ["release-the-parser-to-the-registry"] }),
        { text: "Done." },
      ],
    });
    const start = contextOf(requestFor("hello", later));
    expect(start).toContain(`- ${STATEMENT} (more) [heed:`);
    // Nobody asked for its steps yet, and a prompt that is about it does not bring them.
    expect(start).not.toContain("npm version patch");
    expect(contextSince("release the parser to", requestFor("release the parser to", later))).not.toContain(
      "npm version",
    );
    expect(answerIn(later, 2)).toContain("npm version patch");
    expect(answerIn(later, 2)).toContain("a minute later");

    await sandbox.heed("sync", "skills", "--user");
    const listed = readByModel(requestFor("good day", await session({ prompts: ["good day"] })));
    expect(listed).toContain(`release-the-parser-to-the-registry: ${STATEMENT} (${WHEN})`);
    expect(sandbox.git("status", "--short")).not.toContain(".claude");

    await sandbox.heed("remove", "release-the-parser-to-the-registry");
    await sandbox.heed("sync", "skills", "--user");
    expect(existsSync(join(sandbox.project, ".claude", "skills", "release-the-parser-to-the-registry"))).toBe(
      false,
    );
  });
});
