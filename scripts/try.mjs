// Shows the main job at work: a store, a rule and two facts by the command line, and what an agent's session gets of
// them. Everything happens in a temporary directory that is removed at the end; nothing on this machine changes.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { styleText } from "node:util";

const HEED = join(dirname(dirname(fileURLToPath(import.meta.url))), "plugin/dist/heed.cjs");
/** Plays the person who types. */
const PERSON = join(dirname(fileURLToPath(import.meta.url)), "at-a-terminal.cjs");
const startedAt = performance.now();
const home = mkdtempSync(join(tmpdir(), "heed-try-"));
const work = join(home, "shop-api");
// What agents set in their shells is left out: here a person is at work, also when an agent runs the tour.
const AGENT =
  /^(CLAUDE|CODEX_|CURSOR_|GEMINI_|OPENCODE|COPILOT_|CLINE_|ROO_|QWEN_|AUGMENT_|GOOSE_|JUNIE_|AI_AGENT$|AGENT$|HEED_|XDG_|GIT_)/;
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !AGENT.test(name)));
Object.assign(env, { HOME: home, HEED_DIR: join(home, "memory"), GIT_CONFIG_NOSYSTEM: "1" });
Object.assign(env, { HEED_STATE_DIR: join(home, "state"), HEED_CACHE_DIR: join(home, "cache") });
Object.assign(env, { HEED_CONFIG_DIR: join(home, "config") });

const print = (text = "") => console.log(text);
const say = (...lines) => print(`\n${lines.map((line) => styleText("dim", `# ${line}`)).join("\n")}`);
const indent = (text) => text.trimEnd().replace(/^(?=.)/gm, "  ");

/** Runs a `heed` command line and prints it with its output; a wrong exit code ends the tour. */
function heed(line, expected = 0, variables = {}) {
  const prefix = Object.entries(variables).map(([name, value]) => `${name}=${value} `);
  print(styleText("bold", `$ ${prefix.join("")}heed ${line}`));
  const args = Array.from(line.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, word]) => quoted ?? word);
  const { stdout, stderr, status } = spawnSync(process.execPath, ["--require", PERSON, HEED, ...args], {
    cwd: work,
    env: { ...env, ...variables, FORCE_COLOR: process.stdout.hasColors?.() ? "1" : "0" },
    encoding: "utf8",
  });
  const output = `${stdout}${stderr}`.replaceAll(home, "~").trimEnd();
  if (output !== "") print(indent(output));
  if (status !== expected) throw new Error(`heed ${args[0]} ended with ${status}, not ${expected}`);
}

/** Plays an event of an agent's session, as its client would, and prints what enters the model's context. */
function session(event) {
  const input = JSON.stringify({ session_id: "try", cwd: work, transcript_path: "", ...event });
  const shown = event.prompt ?? event.tool_input?.command;
  const about = shown === undefined ? "" : `: ${styleText("cyan", shown)}`;
  print(styleText("bold", `» ${event.hook_event_name}`) + about);
  const { stdout, status } = spawnSync(process.execPath, [HEED, "hook"], {
    cwd: work,
    env,
    input,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`the hook ended with ${status}`);
  const answer = stdout.trim() === "" ? {} : JSON.parse(stdout);
  const { permissionDecisionReason, additionalContext = "" } = answer.hookSpecificOutput ?? {};
  const context = permissionDecisionReason ?? additionalContext;
  print(
    indent(
      context === ""
        ? styleText("dim", "(nothing: silence is the default for facts)")
        : context.replaceAll(home, "~"),
    ),
  );
}

try {
  mkdirSync(work);
  spawnSync("git", ["init", "--quiet", "--initial-branch=main"], { cwd: work, env });
  writeFileSync(join(work, "package.json"), '{ "name": "shop-api", "scripts": { "lint": "eslint ." } }\n');

  print(styleText("bold", "heed: the type of a memory decides what happens to it."));
  say("What heed would write for the clients on this machine (this home is empty). Nothing is changed yet.");
  heed("init --print");

  say("A store for yourself, and one that travels with the repository.");
  heed("init");
  heed("init --project");

  say("A rule: how to work. And two facts: where something is, and what was decided.");
  heed(
    'write --type feedback --name no-verify "never use --no-verify when a pre-commit hook fails" ' +
      '--reason "a bypassed hook shipped a broken migration" --how "fix what the hook complains about"',
  );
  heed(
    "write --type reference --name latency-board --tag latency,oncall,grafana " +
      '"request latency dashboard for oncall, in Grafana" ' +
      '--body "https://grafana.example.com/d/api-lat: panel 3 is p99 by region; the board of the old cluster shows nothing"',
  );
  heed(
    'write --type project --name importer-freeze "the invoice importer is frozen until 2031-03-05: the auditors review it"',
  );

  say("A guard, with which heed enforces the rule itself.");
  heed("guard add no-verify skip-hooks");

  say("An agent's session starts. The rule is in its context, and each fact is one line in a map.");
  session({ hook_event_name: "SessionStart", source: "startup" });

  say("A call that breaks the rule is stopped before it runs.");
  session({
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command: 'git commit -nm "wip"' },
  });

  say("A prompt that a fact is relevant to, and one that needs no fact.");
  session({
    hook_event_name: "UserPromptSubmit",
    prompt: "where is the request latency dashboard for oncall?",
  });
  session({ hook_event_name: "UserPromptSubmit", prompt: "rename the variable x to total in utils.ts" });

  say("Every decision can be explained.");
  heed('why "where is the request latency dashboard for oncall?"');

  say("What a model concludes about you needs your approval. (CLAUDECODE=1 is what its shell sets.)");
  heed('write --type user --name go-expert "the user is a Go expert"', 0, { CLAUDECODE: "1" });
  heed("inbox confirm go-expert", 1, { CLAUDECODE: "1" });
  heed("inbox confirm go-expert");

  say("A relative date is refused, with today's date.");
  heed('write --type project --name importer-launch "the launch of the importer is on 2031-03-05"');
  heed('write --type project "the importer of returns goes live next Thursday"', 1);

  say("Memories are files, and nothing is lost.");
  heed("list");
  heed("undo --list");

  print(`\n${styleText("bold", "Next")}`);
  print("  npm test                                 run the tests");
  print('  npm install --global "$(npm pack --silent)" && heed init');
  print("                                           your own store, and your clients connected");
  print(
    styleText("dim", `\n${((performance.now() - startedAt) / 1000).toFixed(1)} s; ${home} is removed again.`),
  );
} finally {
  rmSync(home, { recursive: true, force: true });
}
