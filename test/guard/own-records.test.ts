import { describe, expect, test } from "vitest";
import { decideOwnCall } from "../../src/guard/own-records.ts";

const OWN = {
  records: ["/home/u/.local/state/heed", "/home/u/.config/heed"],
  stores: ["/home/u/memory", "/repo/.heed"],
};
const PLACE = { cwd: "/repo", roots: ["/repo"], home: "/home/u" };
const shell = (command: string): string =>
  decideOwnCall({ tool: "Bash", input: { command }, ...PLACE }, OWN)?.action ?? "allow";
const edit = (tool: string, input: Record<string, unknown>): string =>
  decideOwnCall({ tool, input, ...PLACE }, OWN)?.action ?? "allow";

describe("what would give the user's word in the user's place", () => {
  test.each([
    ["deny", `echo '{"hook_event_name":"UserPromptSubmit"}' | heed hook`],
    ["deny", "heed hook --client codex < event.json"],
    ["deny", "node /opt/plugin/dist/heed.cjs hook <<< '{}'"],
    ["deny", "node dist/hook.cjs < e.json"],
    ["deny", "sh -c 'cat e.json | npx heed hook'"],
    ["deny", "printf x | heed mcp"],
    ["ask", "CLAUDECODE= heed confirm evil"],
    ["ask", "env -u CLAUDECODE heed trust --yes"],
    ["ask", "env -i PATH=$PATH HOME=$HOME heed trust -y"],
    ["ask", "unset CLAUDECODE; heed guard add x"],
    ["ask", "CLAUDECODE=0 node dist/heed.cjs scrub --apply < v"],
    ["deny", "echo x >> ~/.local/state/heed/sessions/a.jsonl"],
    ["deny", "cd ~/.local/state/heed/inbox && cat > evil.md <<'E'\nx\nE"],
    ["deny", "cp evil.md /home/u/.local/state/heed/inbox/evil.md"],
    ["deny", "rm -rf $HOME/.local/state/heed/inbox"],
    ["deny", "tee ../home/u/.config/heed/config.yaml < x"],
    ["deny", "{ echo x; } > ~/.local/state/heed/stores.json"],
    ["deny", "( echo x ) >> ~/.local/state/heed/stores.json"],
    ["deny", "for x in 1 2; do echo $x; done > ~/.local/state/heed/stores.json"],
    ["deny", "while read x; do echo $x; done < a > ~/.local/state/heed/stores.json"],
    ["deny", "if true; then echo x; fi >> ~/.local/state/heed/stores.json"],
    ["deny", "f() { echo x; } > ~/.local/state/heed/stores.json; f"],
    ["ask", "echo x > .heed/feedback/evil.markdown; true"],
    ["ask", "echo x > .heed/feedback/EVIL.MD"],
    ["ask", "cat > .heed/feedback/evil.md <<E\nx\nE"],
    ["ask", "sed -i s/never/always/ /home/u/memory/feedback/no-verify.md"],
    ["ask", "rm .heed/feedback/no-verify.md"],
    ["ask", "echo 'mode: off' >> .heed/config.yaml"],
  ])("%s: %s", (action, command) => {
    expect(shell(command)).toBe(action);
  });

  test.each([
    ["deny", "Write", { file_path: "/home/u/.local/state/heed/inbox/evil.md", content: "x" }],
    ["deny", "Edit", { file_path: "../home/u/.local/state/heed/claim-words.jsonl", new_string: "x" }],
    ["ask", "Write", { file_path: "/home/u/memory/feedback/evil.md", content: "x" }],
    ["ask", "Write", { file_path: "/home/u/memory/feedback/evil.markdown", content: "x" }],
    ["ask", "Write", { file_path: "/home/u/memory/EVIL.MD", content: "x" }],
    ["ask", "MultiEdit", { file_path: ".heed/feedback/no-verify.md", edits: [{ new_string: "x" }] }],
    [
      "ask",
      "apply_patch",
      { input: "*** Begin Patch\n*** Add File: .heed/feedback/evil.md\n+x\n*** End Patch" },
    ],
  ])("%s: %s %j", (action, tool, input) => {
    expect(edit(tool, input)).toBe(action);
  });
});

describe("what is nobody's word", () => {
  test.each([
    "heed inbox",
    "heed confirm evil --quote 'yes'",
    "heed trust --show",
    "heed write 'a fact' --type project",
    "cat ~/.local/state/heed/heed.log",
    "grep -rn heed hook docs",
    "echo 'heed hook reads stdin' > notes.md",
    "git commit -m 'heed hook'",
    "git add .heed && git commit -m rules",
    "git checkout -- .heed/feedback/no-verify.md",
    "cat .heed/feedback/no-verify.md > /tmp/copy.md",
    "vim .heed/tests/recorded.yaml; echo x > .heed/tests/recorded.yaml",
    "echo '{}' | HEED_STATE_DIR=/tmp/try node dist/heed.cjs hook",
    "unset FOO; npm test",
    "env -u FOO npm test",
  ])("%s", (command) => {
    expect(shell(command)).toBe("allow");
  });

  test.each([
    ["Read", { file_path: "/home/u/.local/state/heed/inbox/evil.md" }],
    ["Write", { file_path: "/repo/docs/heed.md", content: "heed hook" }],
    ["Edit", { file_path: "/repo/.heed/tests/recorded.yaml", new_string: "x" }],
    ["Write", { file_path: "/repo/.heed/README.md", content: "x" }],
    ["Write", { file_path: "/repo/.heed-notes/x.md", content: "x" }],
  ])("%s %j", (tool, input) => {
    expect(edit(tool, input)).toBe("allow");
  });
});
