import { describe, expect, test } from "vitest";
import { RULE, sandboxHome, type SandboxHome } from "../sandbox-home.ts";

/** What a hook says on stderr, asked what it did unless told otherwise. */
function stderrOf(
  home: SandboxHome,
  input: string,
  env: Record<string, string> = { HEED_DEBUG: "1" },
): string {
  const { status, stderr } = home.run(["hook"], input, { env });
  expect(status).toBe(0);
  return stderr;
}

const eventOf = (home: SandboxHome, fields: object): string =>
  JSON.stringify({ session_id: "s1", cwd: home.work, ...fields });
const START = { hook_event_name: "SessionStart", source: "startup" };

describe("HEED_DEBUG=1 in a hook", () => {
  test("says what was considered and told, and under which receipt", () => {
    const home = sandboxHome();
    home.write("store/feedback/keep-the-lockfile.md", RULE);
    const lines = stderrOf(home, eventOf(home, START)).split("\n");
    expect(lines[0]).toMatch(/^heed: session-start: \d+\.\d ms of 7200; mode typed; 1 considered, 1 told$/);
    expect(lines[1]).toMatch(/^heed: {3}rule heed:\S{1,10}\.\w{4}, \d+ characters: /);
    expect(lines[2]).toMatch(
      /^heed: {3}answered: \d+ characters for the model; receipt (\d{8}-\d{6}-[0-9a-f]{6}) \(heed why --receipt \1\)$/,
    );
  });

  test("says that nothing was told, and why", () => {
    const home = sandboxHome();
    home.write(
      "store/project/pool.md",
      "---\nname: pool\ndescription: the pool of the reports service holds forty connections\nmetadata:\n  type: project\n---\nForty.\n",
    );
    const prompt = {
      hook_event_name: "UserPromptSubmit",
      prompt: "How many connections does the reports pool hold?",
    };
    stderrOf(home, eventOf(home, prompt));
    expect(stderrOf(home, eventOf(home, prompt))).toMatch(
      /^heed: prompt: .*; mode typed; 1 considered, 0 told\nheed: {3}none heed:pool: already shown .+\nheed: {3}answered: nothing\n$/,
    );
    expect(stderrOf(home, eventOf(home, prompt), { HEED_DEBUG: "1", HEED_MODE: "off" })).toContain(
      "; mode off; ",
    );
    expect(stderrOf(home, '{"hook_event_name":"Unheard"}')).toMatch(/^heed: nothing to answer: /);
  });

  test("shows no secret, and without it there is no word on stderr", () => {
    const home = sandboxHome();
    const key = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
    home.write("store/feedback/keep-the-lockfile.md", RULE.replace("keep-the-lockfile", key));
    const said = stderrOf(home, eventOf(home, START));
    expect(said).toContain("1 considered");
    expect(said).not.toContain(key);
    for (const HEED_DEBUG of ["", "0"])
      for (const input of [eventOf(home, START), "garbage"])
        expect(stderrOf(home, input, { HEED_DEBUG })).toBe("");
  });
});
