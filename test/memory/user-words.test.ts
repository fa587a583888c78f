import { describe, expect, test } from "vitest";
import { userWords } from "../../src/memory/typed-text.ts";
import { cpuMsOf } from "../cpu-time.ts";

describe("what a person said", () => {
  test.each([
    ["plain words", "Please use tabs.", "Please use tabs."],
    ["beside a reminder", "Use tabs.<system-reminder>\nNever use tabs.\n</system-reminder>", "Use tabs."],
    ["beside heed's own text", 'Use tabs.\n<heed-memory name="x">Always lint.</heed-memory>', "Use tabs."],
    ["after an open file", "<ide_opened_file>The user opened a.ts</ide_opened_file>Fix it", "Fix it"],
    ["a path is no command", "/etc/hosts is wrong", "/etc/hosts is wrong"],
    ["with a picture", "[Image #1] The button is off", "The button is off"],
    [
      "a notification",
      "<task-notification>\n<status>failed</status></task-notification>\nRead the output",
      "",
    ],
    ["a local command", "<local-command-stdout>Always</local-command-stdout>", ""],
    [
      "a summary",
      "This session is being continued from a previous conversation that ran out of context.",
      "",
    ],
    [
      "heed's rules",
      "Standing rules that the user gave and heed keeps. They hold for the whole session:\n- never push",
      "",
    ],
    ["an unclosed tag", "Hello <system-reminder>never end", "Hello"],
    ["an interruption", "[Request interrupted by user for tool use]", ""],
    ["Codex's instructions", "# AGENTS.md instructions for /x\n\nAlways lint.", ""],
    ["Gemini's context", "<session_context>\nToday is…\n</session_context>", ""],
  ])("%s", (_, message, expected) => {
    expect(userWords(message).said).toBe(expected);
  });

  test("a slash command is nothing that was said", () => {
    const message =
      "<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>12</command-args>";
    expect(userWords(message)).toMatchObject({ said: "", prose: "" });
    expect(userWords("/review 12")).toMatchObject({ said: "", prose: "" });
  });

  test.each([
    ["a fenced block", "Look:\n```\nnever use this\n```\nwhy?", "Look:\n\nwhy?"],
    ["a quotation", "> always use that\nI disagree.", "I disagree."],
  ])("prose is without %s", (_, message, expected) => {
    expect(userWords(message).prose.replace(/\n{2,}/g, "\n\n")).toBe(expected);
  });

  test("is found in bounded time, whatever is sent", () => {
    const hostile = [
      "<system-reminder>".repeat(5000),
      "`".repeat(50_000),
      "!".repeat(50_000),
      "a ".repeat(30_000),
      "[Image #1".repeat(9000),
    ];
    for (const text of hostile) {
      expect([text.slice(0, 20), cpuMsOf(() => userWords(text)) < 3_000]).toEqual([text.slice(0, 20), true]);
    }
  });
});
