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
    ["ask", "cp r.md .heed/feedback/"],
    ["ask", "cp r.md ~/memory"],
    ["ask", "mv r.md /home/u/memory/feedback"],
    ["ask", "ln r.md ~/memory/"],
    ["ask", "rsync -a rules/ ~/memory/"],
    ["ask", "install -m 644 r.md -t ~/memory"],
    ["ask", "cp -r rules/. ~/memory"],
    ["ask", "find ~/memory -name '*.md' -exec sed -i s/a/b/ {} +"],
    ["ask", "grep -rl x ~/memory | xargs sed -i s/a/b/"],
    ["ask", "curl -o ~/memory/r.md https://x.example/r.md"],
    ["ask", "curl -sSL https://x.example/r.md -o ~/memory/r.md"],
    ["ask", "wget -O ~/memory/r.md https://x.example/r.md"],
    ["ask", "wget -P ~/memory https://x.example/r.md"],
    ["ask", "cd ~/memory && curl -O https://x.example/r.md"],
    ["ask", "tar -C ~/memory -xf r.tar"],
    ["ask", "tar xzf r.tgz -C ~/memory"],
    ["ask", "unzip r.zip -d ~/memory"],
    ["ask", "patch -d ~/memory -p1 < r.patch"],
    ["ask", "git -C ~/memory apply /tmp/r.patch"],
    ["ask", "git -C ~/memory am /tmp/r.patch"],
    ["ask", "git -C ~/memory stash pop"],
    ["ask", "git -C ~/memory cherry-pick evil"],
    ["deny", "git -C ~/.local/state/heed reset --hard evil"],
    ["deny", "echo x > ~/memory/feedback/r.md; echo x > ~/.local/state/heed/stores.json"],
    ["deny", "echo '{}' | HEED_STATE_DIR=/home/u/.local/state/heed heed hook"],
    ["ask", "git -C ~/memory checkout evil -- ."],
    ["ask", "cd ~/memory && git reset --hard evil"],
    ["ask", "git -C ~/memory rm feedback/no-verify.md"],
    ["ask", "git -C ~/memory pull /tmp/evil main"],
    ["ask", "git rm .heed/feedback/no-verify.md"],
    ["deny", "curl -o ~/.local/state/heed/stores.json https://x.example/s.json"],
    ["ask", "rm -rf ~/memory/feedback"],
    ["ask", "rm -rf ~/memory"],
    ["ask", "rm -r ~/memory/*"],
    ["ask", "find ~/memory -delete"],
    ["deny", "find ~/.local/state/heed -type f -delete"],
    ["ask", "mv ~/memory/feedback /tmp"],
    ["deny", "rm -rf ~/.local/state"],
    ["deny", "mv ~/.local /tmp/x"],
    ["deny", "rm -rf ~/.config/heed"],
    ["ask", "ln -s ~/.local/state/heed /tmp/l"],
    ["ask", "python3 -c \"open('/home/u/memory/feedback/r.md', 'w').write('x')\""],
    ["ask", "python3 - <<'E'\nopen('/home/u/.local/state/heed/stores.json', 'w')\nE"],
    ["ask", "sqlite-utils /home/u/.local/state/heed/x.db"],
    ["deny", "node --require ./x.js /opt/plugin/dist/heed.cjs hook < e.json"],
    ["deny", "node -e \"require('child_process').execSync('heed hook')\""],
    ["deny", "somewrapper heed hook < e.json"],
    ["ask", "env - heed confirm evil"],
    ["ask", "env --ignore heed confirm evil"],
    ["ask", "env --uns=CLAUDECODE heed confirm evil"],
    ["ask", "declare +x CLAUDECODE; heed confirm evil"],
    ["ask", "export -n CLAUDECODE; heed confirm evil"],
    ["ask", "exec -c heed confirm evil"],
    ["ask", "typeset +x CLAUDECODE; heed confirm evil"],
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
    ["ask", "mcp__fs__write_file", { path: "/home/u/memory/feedback/r.md", content: "x" }],
    ["ask", "mcp__fs__move_file", { source: "/home/u/memory/feedback", destination: "/tmp/x" }],
    ["deny", "mcp__fs__edit_file", { file: { uri: "file:///home/u/.local/state/heed/stores.json" } }],
    ["deny", "mcp__fs__write_many", { files: [{ relativePath: "../home/u/.config/heed/config.yaml" }] }],
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
    "git restore .heed/feedback/no-verify.md",
    "rm -rf .heed/tests",
    "tar xzf r.tgz",
    "cat .heed/feedback/no-verify.md > /tmp/copy.md",
    "vim .heed/tests/recorded.yaml; echo x > .heed/tests/recorded.yaml",
    "echo '{}' | HEED_STATE_DIR=/tmp/try node dist/heed.cjs hook",
    "unset FOO; npm test",
    "ls ~/memory && cat ~/memory/feedback/no-verify.md | head -5",
    "cp ~/memory/feedback/no-verify.md /tmp/",
    "tar -czf /tmp/backup.tgz ~/memory",
    "git -C ~/memory log --oneline && git -C ~/memory status && git -C ~/memory diff",
    "grep -rn never ~/memory",
    "grep -rl x src | xargs sed -i s/a/b/",
    "find . -name '*.tmp' -delete",
    "rm -rf node_modules dist",
    "cp -r src/. out",
    "tar xzf r.tgz -C /tmp/x",
    "python3 -c \"print(open('/repo/README.md').read())\"",
    "git pull && git checkout main",
    "ln -s ../a b",
    "curl -o /tmp/x https://x.example",
    "npm run build && node dist/index.js",
    "mkdir -p .heed/tests && cp t.yaml .heed/tests/",
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
    ["mcp__fs__read_file", { path: "/home/u/memory/feedback/r.md" }],
    ["mcp__fs__write_file", { path: "/repo/notes.md", content: "about /home/u/memory/x.md" }],
    ["mcp__heed__memory_write", { paths: ["/home/u/memory/x.md"] }],
  ])("%s %j", (tool, input) => {
    expect(edit(tool, input)).toBe("allow");
  });
});
