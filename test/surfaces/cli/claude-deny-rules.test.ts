import { homedir } from "node:os";
import { describe, expect, test } from "vitest";
import {
  addDenyRules,
  protectedFolders,
  removeDenyRules,
} from "../../../src/surfaces/cli/client-registration/claude-deny-rules.ts";

const FOLDERS = protectedFolders({
  state: `${homedir()}/.local/state/heed`,
  config: "/etc/heed config",
  userStore: "/srv/memory",
});

describe("rules for heed's folders in Claude Code's settings", () => {
  test("name records, stores and every repository's store", () => {
    const settings = {};
    addDenyRules(settings, FOLDERS, "settings.json");
    expect(settings).toEqual({
      permissions: {
        deny: ["Edit(~/.local/state/heed/**)", "Edit(//etc/heed config/**)"],
        ask: ["Edit(//srv/memory/**)", "Edit(**/.heed/**)"],
      },
      sandbox: {
        filesystem: { denyWrite: [`${homedir()}/.local/state/heed`, "/etc/heed config", "/srv/memory"] },
      },
    });
  });

  test.each([
    ["nothing", {}],
    ["rules of the user's", { permissions: { deny: ["Read(.env)"], allow: ["Bash(ls)"] }, model: "x" }],
    ["a sandbox", { sandbox: { enabled: true, filesystem: { denyWrite: ["/etc"] } } }],
    ["an empty object", { permissions: {} }],
  ])("beside %s come once and go without a trace", (_, before) => {
    const settings = structuredClone(before) as Record<string, unknown>;
    addDenyRules(settings, FOLDERS, "settings.json");
    const once = structuredClone(settings);
    addDenyRules(settings, FOLDERS, "settings.json");
    expect(settings).toEqual(once);
    removeDenyRules(settings, FOLDERS, "settings.json");
    expect(settings).toEqual(
      Object.keys(before).join() === "permissions" && _ === "an empty object" ? {} : before,
    );
  });

  test("take nothing out that is not theirs", () => {
    const settings = { permissions: { deny: ["Edit(~/.ssh/**)"] } };
    removeDenyRules(settings, FOLDERS, "settings.json");
    expect(settings).toEqual({ permissions: { deny: ["Edit(~/.ssh/**)"] } });
  });

  test("refuse settings that are no lists", () => {
    expect(() => addDenyRules({ permissions: { deny: "all" } }, FOLDERS, "s.json")).toThrow(
      /permissions.deny is no list/,
    );
  });
});
