import { describe, expect, test, vi } from "vitest";
import { decideOwnCall } from "../../src/guard/own-records.ts";
import { edit, OWN, PLACE, shell } from "./own-folders.ts";

/** A clock of which every look is a second later. */
const standingStill = (): (() => void) => {
  let clock = 0;
  const now = vi.spyOn(performance, "now").mockImplementation(() => (clock += 1_000));
  return () => now.mockRestore();
};

describe("what cannot be looked at to its end is asked about", () => {
  const untilMs = 1;
  test.each(["ls -la", "cp a b", "python -c 'x'"])("%s, when the time is over", (command) => {
    const call = { tool: "Bash", input: { command: `${command}; `.repeat(100) }, ...PLACE, untilMs };
    const timed = standingStill();
    const decision = decideOwnCall(call, OWN);
    timed();
    expect(decision).toMatchObject({ action: "ask", reason: expect.stringContaining("too long") as string });
  });

  test("an edit, when the time is over", () => {
    const timed = standingStill();
    const decision = decideOwnCall({ tool: "Write", input: { file_path: "a.ts" }, ...PLACE, untilMs }, OWN);
    timed();
    expect(decision).toMatchObject({ action: "ask" });
  });

  test.each([
    [
      "takes too many steps",
      `f() { ${"g;".repeat(200)} }; g() { ${"h;".repeat(200)} }; h() { ls; }; f; echo x > /tmp/y`,
    ],
    ["is too long", `: ${"x".repeat(70_000)}; echo x > /tmp/y`],
  ])("a text that %s", (_, command) => {
    expect(shell(command)).toBe("ask");
  });

  test("a call of which entries are missing", () => {
    const input = { files: ["a.ts"] };
    const asked = (tool: string, cut?: "entries" | "text"): string | undefined =>
      decideOwnCall({ tool, input, ...PLACE, cut }, OWN)?.action;
    expect(asked("mcp__fs__write_files", "entries")).toBe("ask");
    expect(asked("apply_patch", "text")).toBe("ask");
    expect(asked("Write", "text")).toBeUndefined();
    expect(asked("mcp__fs__read_files", "entries")).toBeUndefined();
    expect(asked("mcp__fs__write_files")).toBeUndefined();
  });
});

describe("what would give the user's word in the user's place", () => {
  test.each([
    ["deny", `echo '{"hook_event_name":"UserPromptSubmit"}' | heed hook`],
    ["deny", "heed hook --client codex < event.json"],
    ["deny", "node /opt/plugin/dist/heed.cjs hook <<< '{}'"],
    ["deny", "node dist/hook.cjs < e.json"],
    ["deny", "sh -c 'cat e.json | npx heed hook'"],
    ["deny", "printf x | heed mcp"],
    ["ask", "CLAUDECODE= heed inbox confirm evil"],
    ["ask", "CLAUDECODE= heed verify evil --repair --yes"],
    ["ask", "env -u CLAUDECODE heed trust --yes"],
    ["ask", "env -i PATH=$PATH HOME=$HOME heed trust -y"],
    ["ask", "unset CLAUDECODE; heed guard add x"],
    ["ask", "CLAUDECODE=0 node dist/heed.cjs scrub --apply < v"],
    ["deny", "cd ~/.local/state/heed/inbox && cat > evil.md <<'E'\nx\nE"],
    ["deny", "tee ../home/u/.config/heed/config.yaml < x"],
    ["deny", "{ echo x; } > ~/.local/state/heed/stores.json"],
    ["deny", "( echo x ) >> ~/.local/state/heed/stores.json"],
    ["deny", "for x in 1 2; do echo $x; done > ~/.local/state/heed/stores.json"],
    ["deny", "while read x; do echo $x; done < a > ~/.local/state/heed/stores.json"],
    ["deny", "if true; then echo x; fi >> ~/.local/state/heed/stores.json"],
    ["deny", "f() { echo x; } > ~/.local/state/heed/stores.json; f"],
    ["ask", "echo x > .heed/feedback/evil.markdown; true"],
    ["ask", "mv r.md /home/u/memory/feedback"],
    ["ask", "install -m 644 r.md -t ~/memory"],
    ["ask", "cp -r rules/. ~/memory"],
    ["ask", "find ~/memory -name '*.md' -exec sed -i s/a/b/ {} +"],
    ["ask", "grep -rl x ~/memory | xargs sed -i s/a/b/"],
    ["ask", "curl -o ~/memory/r.md https://x.example/r.md"],
    ["ask", "curl -sSL https://x.example/r.md -o ~/memory/r.md"],
    ["ask", "wget -P ~/memory https://x.example/r.md"],
    ["ask", "cd ~/memory && curl -O https://x.example/r.md"],
    ["ask", "tar -C ~/memory -xf r.tar"],
    ["ask", "patch -d ~/memory -p1 < r.patch"],
    ["ask", "git -C ~/memory apply /tmp/r.patch"],
    ["ask", "git -C ~/memory am /tmp/r.patch"],
    ["ask", "git -C ~/memory stash pop"],
    ["ask", "git -C ~/memory cherry-pick evil"],
    ["deny", "git -C ~/.local/state/heed reset --hard evil"],
    ["deny", "echo x > ~/memory/feedback/r.md; echo x > ~/.local/state/heed/stores.json"],
    ["deny", "export HEED_STATE_DIR=; heed hook < e.json"],
    // Records of one's own, over the user's memories: what "the user said" would be anybody's.
    ["ask", "HEED_STATE_DIR=/tmp/try heed confirm evil --quote yes"],
    ["ask", "XDG_STATE_HOME=/tmp/try heed confirm evil --quote yes"],
    ["ask", "HEED_STATE_DIR=$D heed confirm evil --quote yes"],
    ["ask", "HEED_STATE_DIR=/tmp/try HEED_DIR=/home/u/memory heed confirm evil --quote yes"],
    ["deny", "HEED_DIR=/tmp/m HEED_STATE_DIR=/tmp/try HEED_DIR=/home/u/memory heed hook"],
    ["deny", "HOME=/tmp/try HEED_DIR=/home/u/memory heed hook < e.json"],
    ["deny", "node /opt/plugin/dist/hook.cjs --help < e.json"],
    ["ask", "heed $X < e.json"],
    ["ask", "git -C ~/memory checkout evil -- ."],
    ["ask", "cd ~/memory && git reset --hard evil"],
    ["ask", "git -C ~/memory pull /tmp/evil main"],
    ["ask", "git rm .heed/feedback/no-verify.md"],
    ["ask", "rm -rf ~/memory"],
    ["ask", "rm -r ~/memory/*"],
    ["ask", "find ~/memory -delete"],
    ["deny", "find ~/.local/state/heed -type f -delete"],
    ["deny", "mv ~/.local /tmp/x"],
    ["ask", "ln -s ~/.local/state/heed /tmp/l"],
    ["ask", "python3 - <<'E'\nopen('/home/u/.local/state/heed/stores.json', 'w')\nE"],
    ["ask", "sqlite-utils /home/u/.local/state/heed/x.db"],
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
    ["ask", "echo 'mode: off' >> .heed/config.yaml"],
    // Names that come from elsewhere.
    ["ask", "xargs -a list cp -t ~/memory"],
    ["ask", "printf 'r.md\\0' | xargs -0 cp -t ~/memory"],
    ["ask", 'for f in *.md; do mv "$f" ~/memory; done'],
    ["ask", 'read -r d <<< ~/memory; rm -rf "$d"'],
    ["ask", 'cp r.md "$(dirname ~/memory/MEMORY.md)/feedback"'],
    ["ask", "cp r.md /proc/$$/root/home/u/memory/r.md"],
    ["ask", "cd ~/memory && cp /tmp/r.md /proc/self/cwd/feedback/"],
    ["deny", 'echo x > "$(echo ~)/.local/state/heed/stores.json"'],
    // Programs that may do anything with what they are given, in parts of words too.
    ["ask", "parallel cp {} ~/memory ::: r.md"],
    ["ask", "7z x -o$HOME/memory rules.7z"],
    ["ask", "docker run --rm -v ~/memory:/x alpine sh -c 'echo x > /x/r.md'"],
    ["ask", "docker run --mount type=bind,source=/home/u/.local/state/heed,target=/x alpine touch /x/a"],
    ["ask", "podman run -v ~/.local:/x alpine rm -rf /x/state"],
    ["ask", "gh gist clone abc ~/memory/feedback/g"],
    ["ask", "fd -e md . ~/memory -x rm"],
    ["ask", "rclone copy remote:rules ~/memory"],
    ["ask", "node -e \"fs.writeFileSync(process.env.HEED_STATE_DIR + '/stores.json', '{}')\""],
    // What takes away by copying.
    ["ask", "rsync -a --remove-source-files ~/memory/feedback/ /tmp/gone/"],
    ["ask", "tar --remove-files -cf /tmp/x.tar ~/memory/feedback"],
    ["ask", "zip -rm /tmp/x.zip ~/memory/feedback"],
    ["ask", "chmod 000 ~/memory/feedback"],
    // What is looked for above.
    ["ask", "find ~ -name '*.md' -exec rm {} +"],
    ["ask", "find ~/.config -name '*.yaml' -delete"],
    ["deny", "find ~/.local/state/heed/sessions -name '*.json' -exec rm {} +"],
    ["ask", "wget -qP ~/.local/state/heed/sessions https://x.example/x"],
    ["ask", "GIT_DIR=/home/u/memory/.git GIT_WORK_TREE=/home/u/memory git reset --hard HEAD~1"],
    // Heed by another name, and where its shell's marks do not reach.
    ["deny", "cp plugin/dist/heed.cjs x.cjs; node x.cjs hook < e.json"],
    ["deny", "ln -s ../heed/plugin/dist/hook.cjs x; node x hook < e.json"],
    ["ask", "CLAUDECODE=; heed trust"],
    ["ask", "env -S '-u CLAUDECODE heed trust'"],
    ["ask", "unset ${!CLAUDE*}; heed trust"],
    ["ask", "sudo heed trust"],
    ["ask", "script -q /dev/null heed trust"],
    ["ask", "mywrap --x heed trust"],
    ["ask", "su - u -c 'heed trust --mine'"],
    ["ask", "systemd-run --user --pty heed trust"],
    ["ask", "echo 'heed trust' | at now"],
    ["ask", "tmux new -d 'heed trust'"],
    ["ask", "tmux send-keys -t 0 'heed trust' Enter"],
    ["ask", "script -qec 'heed trust --mine' /dev/null"],
    ["ask", "ssh -tt localhost heed trust"],
    ["ask", "setsid heed confirm evil"],
    ["ask", "python3 -c \"import pty; pty.spawn(['heed', 'trust'])\""],
    // Wildcards that lead to a folder of heed's, or above one.
    ["deny", "rm -rf ~/.loca[l]"],
    ["deny", "cd ~/.local; rm -rf st*e"],
    ["deny", "rm -r ~/.[cl]*"],
    ["ask", "echo x > ~/mem*/feedback/own.md"],
    ["ask", "sed -i s/never/always/ ~/*/*/own.md"],
    ["ask", "shopt -s globstar; rm ~/**/own.md"],
    ["ask", "find ~ -name own.md -delete"],
    ["ask", "find ~/.local -name stores.json -delete"],
    ["ask", "git -C ~ clean -fdx"],
    ["ask", "cd ~ && git stash -u"],
    ["ask", "tar --one-top-level=/home/u/memory/feedback -xf a.tar"],
    ["ask", "unzip a.zip -d/home/u/memory"],
    ["ask", "wget -O/home/u/memory/r.md https://x.example"],
    ["ask", "cp -a backup/memory ~"],
    ["ask", "echo x > /dev/fd/../cwd/../home/u/memory/x.md"],
    // A hook fed by other ways to run a script.
    ["deny", "node -r /opt/heed/plugin/dist/heed.cjs x.js hook < f.json"],
    ["deny", "node --import /opt/heed/plugin/dist/heed.cjs x.js hook"],
    ["deny", "NODE_OPTIONS='-r /opt/heed/plugin/dist/heed.cjs' node x.js hook < f.json"],
    ["deny", "cat /opt/heed/plugin/dist/heed.cjs > z.cjs; node z.cjs hook < f.json"],
    ["deny", "echo \"require('/opt/heed/plugin/dist/heed.cjs')\" > r.js; node r.js hook < f.json"],
    // Other languages, however they put the path together.
    ["ask", "python3 -c \"open(os.path.expanduser('~/.local/state/heed/a.jsonl'), 'a')\""],
    ["ask", "python3 -c \"(Path.home() / '.local' / 'state' / 'heed' / 'a').write_text('x')\""],
    ["ask", "python3 -c \"(Path.home() / 'memory/feedback/r.md').write_text('x')\""],
    ["ask", "python3 - <<'E'\nopen(os.path.join(os.environ['XDG_STATE_HOME'], 'heed', 'x'), 'w')\nE"],
    ["ask", "node -e \"fs.writeFileSync(path.join(os.homedir(), '.config', 'heed', 'config.yaml'), '')\""],
    // A script of heed's that only the shell can name.
    ["ask", "cd /opt/heed/plugin/dist && node ./heed.c*s hook < f.json"],
    ["ask", 'cd /opt/heed/plugin/dist && node "$(ls | grep hook.cjs$)" < f.json'],
    // A store's history and settings.
    ["ask", "git -C ~/memory update-ref refs/heads/main abc"],
    ["ask", "git -C ~/memory commit --amend -m x"],
    ["ask", "git -C ~/memory config core.hooksPath /tmp/h"],
    ["ask", "cd ~/memory && git push -f evil main"],
    // What stands above heed.
    ["ask", "sed -i /heed/d ~/.claude/settings.json"],
    ["ask", "rm -rf ~/.claude/plugins/heed"],
    ["ask", "sed -i s/deny/allow/ /opt/heed/plugin/dist/core.cjs"],
    ["ask", "claude plugin disable heed@heed"],
    ["ask", "npm uninstall -g heed"],
    ["ask", "pkill -f heed"],
    ["ask", "echo 'export HEED_MODE=off' >> ~/.bashrc"],
    ["ask", "fish -c 'set -Ux HEED_MODE off'"],
    ["ask", "fish -c 'set --universal --erase HEED_MODE'"],
    ["ask", "setx HEED_MODE off"],
    ["ask", "launchctl setenv HEED_MODE off"],
    ["ask", "systemctl --user set-environment HEED_MODE=off"],
    ["ask", 'chmod -x "$(command -v heed)"'],
    ["ask", "p=`which heed`; sudo rm $p"],
    ["ask", "type -P heed | xargs truncate -s 0"],
    ["ask", "cp /bin/true $(which heed)"],
    ["ask", 'rm "$(readlink -f "$(command -v heed)")"'],
    ["ask", 'cd "$(dirname "$(which heed)")" && mv heed heed.old'],
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
    ["deny", "mcp__my-heed-fs__write_file", { path: "/home/u/.local/state/heed/stores.json" }],
    ["deny", "mcp__fs__get_and_save", { path: "/home/u/.local/state/heed/stores.json" }],
    ["deny", "mcp__threads__create_thread", { path: "/home/u/.local/state/heed/stores.json" }],
    ["ask", "MultiEdit", { file_path: ".heed/feedback/no-verify.md", edits: [{ new_string: "x" }] }],
    ["ask", "Write", { file_path: "/home/u/.claude/settings.json", content: "{}" }],
    ["ask", "Edit", { file_path: "/home/u/.bashrc", new_string: "export HEED_MODE=off" }],
    ["deny", "mcp__fs__write_file", { path: "~/.local/state/heed/stores.json" }],
    ["ask", "mcp__ide__executeCode", { code: 'open("/home/u/.local/state/heed/a.jsonl", "a")' }],
    ["ask", "mcp__desktop__execute_command", { command: "env -u CLAUDECODE heed trust -y" }],
    ["ask", "mcp__terminal__exec", { command: "heed", args: ["trust", "-y"] }],
    ["deny", "mcp__terminal__exec", { script: "cat f | heed hook" }],
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
    "heed confirm evil --quote 'yes'",
    "heed write 'a fact' --type project",
    "grep -rn heed hook docs",
    "git commit -m 'heed hook'",
    "git add .heed && git commit -m rules",
    "git checkout -- .heed/feedback/no-verify.md",
    "git restore .heed/feedback/no-verify.md",
    "tar xzf r.tgz",
    "vim .heed/tests/recorded.yaml; echo x > .heed/tests/recorded.yaml",
    "echo '{}' | HEED_STATE_DIR=/tmp/try HEED_DIR=/tmp/m node dist/heed.cjs hook",
    "export HEED_STATE_DIR=$(mktemp -d) HEED_DIR=/tmp/m; heed hook < e.json",
    "HOME=/tmp/home heed hook < e.json",
    "unset FOO; npm test",
    "git -C ~/memory config --get user.name && git -C ~/memory branch && git -C ~/memory remote -v",
    "cat ~/.claude/settings.json && jq . ~/.claude/settings.json && ls ~/.claude/plugins",
    "echo 'export A=1' >> ~/.bashrc",
    "fish -c 'set -Ux EDITOR vim; set -x HEED_MODE off; heed status'; launchctl getenv HEED_MODE",
    'ls -l "$(command -v heed)"; cp "$(which heed)" /tmp/x; ln -s "$(which heed)" ~/bin/h',
    'cat "$(readlink -f "$(which heed)")" > /tmp/out',
    'command -v heed >/dev/null || echo none > "$LOG"',
    "chmod +x heed; rm -rf heed",
    "npm uninstall lodash; pkill -f vite; git branch -D heed; echo uninstall heed",
    "python3 -c \"print(open(os.path.expanduser('~/notes')).read(), 'the state of heed')\"",
    "cd /repo && node scripts/*.js && node dist/index.js",
    "tar -czf /tmp/backup.tgz ~/memory",
    "git -C ~/memory log --oneline && git -C ~/memory status && git -C ~/memory diff",
    "grep -rl x src | xargs sed -i s/a/b/",
    "find . -name '*.tmp' -delete",
    "cp -r src/. out",
    "git pull && git checkout main",
    "ln -s ../a b",
    "curl -o /tmp/x https://x.example",
    "npm run build && node dist/index.js",
    "env -u FOO npm test",
    "env -u FOO heed trust --show",
    "env -i heed list",
    "sudo apt-get install jq && ssh host heed status",
    "tmux new -d 'npm run dev'",
    "heed hook --help",
    'heed search "$(cat q.txt)"',
    "cat > NOTES.md <<'E'\nrun heed trust\nE\nnpm test",
    "cd ~/memory && git log -3 && git status && ls",
    "(cd ~/memory && tar c .) > /tmp/x.tar",
    "git -C ~/memory bundle create /tmp/x.bundle HEAD",
    "git clone ~/memory /tmp/copy",
    "find ~/memory -name '*.md' -print0 | xargs -0 grep -l never",
    "find ~/memory -name '*.md' -exec wc -l {} \\;",
    "find ~ -name '*.pyc' -delete",
    "docker run -v ~/memory:/x:ro alpine ls /x",
    "docker run -v $HOME/.m2:/root/.m2 maven mvn clean",
    "rsync -a --delete ~/memory/ /tmp/b/",
    'for f in ~/memory/*/*.md; do head -1 "$f"; done > /tmp/heads',
    'while read -r l; do echo "$l"; done < ~/memory/feedback/no-verify.md',
    "rm -rf dist/* build/*.map && rm *.log",
    "ls ~/.local/state/*/ && cat ~/mem*/feedback/*.md",
    "cd ~/work && rm -rf *",
    "git clean -fdx && git stash -u",
    "unzip a.zip -d /tmp/x && wget -O /tmp/y https://x.example",
  ])("%s", (command) => {
    expect(shell(command)).toBe("allow");
  });

  test.each([
    ["Read", { file_path: "/home/u/.local/state/heed/inbox/evil.md" }],
    ["Write", { file_path: "/repo/.heed/README.md", content: "x" }],
    ["Edit", { file_path: "/home/u/.bashrc", new_string: "export A=1" }],
    ["mcp__terminal__exec", { command: "ls ~/.local/state/heed" }],
    ["mcp__ide__executeCode", { code: "import os\nprint(os.getcwd())" }],
    ["Write", { file_path: "/repo/.heed-notes/x.md", content: "x" }],
    ["mcp__fs__read_file", { path: "/home/u/memory/feedback/r.md" }],
    ["mcp__my-fs__readTextFile", { path: "/home/u/memory/feedback/r.md" }],
    ["mcp__fs__directory_tree", { path: "/home/u/memory" }],
    ["mcp__plugin_heed_heed__memory_write", { body: "/home/u/memory/feedback/r.md" }],
    ["mcp__fs__write_file", { path: "/repo/notes.md", content: "about /home/u/memory/x.md" }],
    ["mcp__heed__memory_write", { paths: ["/home/u/memory/x.md"] }],
  ])("%s %j", (tool, input) => {
    expect(edit(tool, input)).toBe("allow");
  });
});

test("a store is judged by what it is, not by its name", () => {
  const own = { records: OWN.records, stores: ["/home/u/.heed", "/repo/.heed"], reviewed: ["/repo/.heed"] };
  const asked = (command: string): string | undefined =>
    decideOwnCall({ tool: "Bash", input: { command }, ...PLACE }, own)?.action;
  expect(asked("git -C ~/.heed reset --hard HEAD~1")).toBe("ask");
  expect(asked("python3 -c \"open(os.environ['HOME'] + '/.heed/feedback/r.md', 'w')\"")).toBe("ask");
  expect(asked("git reset --hard HEAD~1")).toBeUndefined();
});
