import { describe, expect, test } from "vitest";
import { edit, shell } from "./own-folders.ts";

describe("each way to heed's folders, by class", () => {
  test.each([
    // Code: wildcards, a folder above, all names in pieces.
    "python3 -c \"import glob,os;[os.unlink(f) for f in glob.glob(os.path.expanduser('~/.local/state/h*/x/*'))]\"",
    "python3 -c \"import os,shutil; shutil.rmtree(os.path.expanduser('~/.local'))\"",
    "node -e \"process.chdir(process.env.HOME+'/.local/state');require('fs').rmSync('heed')\"",
    "python3 -c \"p='%s/.local/state/%s/x.md' % (h,'heed'); open(p,'w')\"",
    'perl -e \'system "rm", "-rf", "$ENV{HOME}/.local/state"\'',
    // What a search finds, and names that only the shell knows.
    "find ~ -path '*/heed/*' -delete",
    "find ~/.local -name heed -exec rm -rf {} +",
    "find ~/.local/state -maxdepth 1 -path '*eed*' -delete",
    "ls -d ~/.local/state/* | xargs rm -rf",
    "rm -rf ~/.local/state/$X",
    // A folder above: linked, unpacked or copied over.
    "d=$(mktemp -d); ln -s ~/.local/state $d/m; rm -rf $d/m/heed",
    "cp -rT /tmp/state ~/.local/state",
    "cat b.cpio | cpio -id -D ~/.local/state",
    "restic restore latest --target /",
    // git, wherever it is told to work.
    "cd ~/memory && git checkout HEAD~1 -- feedback",
    "git --git-dir ~/memory/.git config core.hooksPath /tmp/h",
    "git -c core.worktree=/home/u/memory checkout -f HEAD",
    "git push ~/memory HEAD:refs/heads/main -f",
    "git -C ~/memory revert HEAD",
    // Above heed.
    "claude config set hooks '{}'",
    "brew uninstall heed",
  ])("ask: %s", (command) => {
    expect(shell(command)).toBe("ask");
  });

  test.each<[string, Record<string, unknown>]>([
    ["mcp__jupyter__insert_cell", { source: "import os; os.remove('/home/u/.local/state/heed/x')" }],
    ["mcp__repl__eval", { lines: ["import os", "os.remove(os.path.expanduser('~/.local/state/heed/x'))"] }],
    ["mcp__docker__run", { image: "a", volumes: ["/home/u/.local/state:/s"], command: "rm -rf /s/heed" }],
    ["mcp__zip__extract", { archive: "/tmp/a.zip", target_dir: "/home/u/.local/state" }],
    ["mcp__proc__spawn", { executable: "heed", args: ["trust", "-y"] }],
  ])("ask: %s %j", (tool, input) => {
    expect(edit(tool, input)).toBe("ask");
  });

  test.each<[string, Record<string, unknown>]>([
    ["mcp__ssh__exec", { host: "localhost", cmd: "rm -rf .local/state/heed" }],
    ["mcp__tmux__send_keys", { keys: "rm -rf ~/.local/state/heed\n" }],
    ["mcp__download__fetch", { url: "https://x.example", output: "/home/u/.local/state/heed/x" }],
  ])("deny: %s %j", (tool, input) => {
    expect(edit(tool, input)).toBe("deny");
  });

  test.each<[string, Record<string, unknown>]>([
    ["mcp__github__create_issue", { title: "x", body: "the file ~/.local/state/heed/x is broken" }],
    ["mcp__filesystem__write_file", { path: "/repo/a.md", content: "see ~/.local/state/heed" }],
    ["mcp__db__query", { sql: "select * from state where heed = 1" }],
    ["Bash", { command: "python3 -c \"open(os.path.expanduser('~/.config/gcloud/x.json'))\"" }],
    ["Bash", { command: 'rm -rf "$PWD/$OUT" ~/.cache/pip /tmp/$X' }],
    ["Bash", { command: "git checkout -b x && git revert HEAD && git push origin x" }],
  ])("allow: %s %j", (tool, input) => {
    expect(edit(tool, input)).toBe("allow");
  });
});
