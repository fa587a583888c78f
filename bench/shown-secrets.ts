import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { TemporaryHeed } from "../test/home/temporary-heed.ts";
import type { SecretSample } from "./secret-samples.ts";
import { isLeft } from "./secret-samples.ts";
import { askPage } from "./shown-page.ts";
import { sessionOf } from "./shown-session.ts";

const HEED = resolve("plugin/dist/heed.cjs");

/** Every command that reads, each as text and with `--json`. `M` stands for a memory. */
const COMMANDS =
  "list|list --status confirmed|show M|show M --raw|why --map|history deploy|export --format json|export --format json --type feedback|doctor|import M|attach M|attach M --remove|edit M|edit M --name M|inbox confirm M|inbox reject M|inbox restore M|scrub M|capture|sync status|uninit|help|help --all|--version|init|search deploy|search staging --explain|doctor --quick|config|check|check health|undo --list|show M --log|show M --diff|check --confirm M|check --fix M|check --fix|inbox|why deploy to staging|why|list --rules|team|guard|guard test ls|guard test M|inbox trust --show|doctor --reindex|undo|edit M --tag x|remove M --reason done|remove M --restore".split(
    "|",
  );
/** What is asked otherwise: over their own doors, or with secrets among the arguments. */
const ASKED_OTHERWISE = ["hook", "mcp", "ui", "write"];
const TOOLS: readonly [name: string, input: Record<string, unknown>][] = [
  ["memory_search", {}],
  ["memory_search", { query: "deploy staging page" }],
  ["memory_show", { handle: "M" }],
  ["memory_check", { what: "overview" }],
  ["memory_check", { what: "waiting" }],
  ["memory_check", { what: "health" }],
  ["memory_check", { what: "why", prompt: "deploy to staging" }],
  ["memory_check", { what: "verify", handle: "M" }],
  ["memory_update", { handle: "M", tags: ["deploy"] }],
  ["memory_update", { handle: "nothing-like-it" }],
  ["memory_remove", { handle: "M", reason: "done" }],
  ["memory_remove", { handle: "M", restore: true }],
  ["memory_history", { query: "deploy staging" }],
  ["memory_allow", { code: "abcde" }],
  ["memory_hook", { event: "SessionStart" }],
];
/** Tools that are given a secret in an argument, which their answers and faults may say again. */
const GIVEN: readonly ((text: string) => [name: string, input: Record<string, unknown>])[] = [
  (text) => ["memory_write", { type: "project", statement: text }],
  (text) => ["memory_search", { query: text }],
  (text) => ["memory_show", { handle: text }],
  (text) => ["memory_check", { what: "why", prompt: text }],
  (text) => ["memory_history", { query: text, session: text }],
  (text) => ["memory_search", { [text]: text, types: [text] }],
];

/** What was asked, and which of it told a secret. */
export interface Shown {
  answers: number;
  leaks: string[];
}

/**
 * Puts secrets into every field of files that are edited by hand, which pass no gate, and into what a session says and
 * reads; then asks every command, tool and hook, and looks into all that heed has written.
 */
export async function showEverything(samples: readonly SecretSample[]): Promise<Shown> {
  const place = new TemporaryHeed({ PATH: process.env["PATH"] ?? "" });
  try {
    return await askAll(place, samples);
  } finally {
    // What a hook started in the background may still write there.
    await place.remove().catch(() => console.error(`left behind: ${place.folder}`));
  }
}

async function askAll(
  { home, project: work, userStore: store, env }: TemporaryHeed,
  samples: readonly SecretSample[],
): Promise<Shown> {
  const heed = (args: readonly string[], input = ""): string => {
    const { stdout, stderr } = spawnSync(process.execPath, [HEED, ...args], { cwd: work, env, input });
    return `${stdout.toString()}${stderr.toString()}`;
  };
  heed(["init"]);
  requireAll(heed(["help", "--all"]));
  // One of each kind: those of one line in the header, all of them in the text.
  const kinds = [...new Map(samples.map((sample) => [sample.kind, sample])).values()];
  const names = writeByHand(store, kinds);
  const shown: Shown = { answers: 0, leaks: [] };
  const look = (what: string, answer: string): void => {
    shown.answers += 1;
    // JSON writes a line break as two characters.
    const texts = [answer, answer.replaceAll("\\n", "\n").replaceAll('\\"', '"')];
    for (const { kind, value = "" } of kinds)
      if (texts.some((text) => isLeft(text, value))) shown.leaks.push(`${what}: ${kind}`);
  };
  for (const line of COMMANDS)
    for (const more of [[], ["--json"]])
      look(
        `heed ${line}`,
        heed([...line.split(" ").map((word) => (word === "M" ? names[0]! : word)), ...more]),
      );
  for (const name of names.slice(1)) {
    for (const line of ["show", "show --diff"]) look(`heed ${line}`, heed([...line.split(" "), name]));
    writeFileSync(join(store, "project", `${name}.md`), file(name, "settled", "nothing is left of it"));
    for (const line of ["show --diff", "show --log"])
      look(`heed ${line} after`, heed([...line.split(" "), name, "--json"]));
  }
  for (const [what, answer] of askTools(names[0]!, kinds, heed)) look(what, answer);
  for (const { text } of kinds.filter((_, i) => i % 12 === 0))
    for (const line of ["show", "search", "why", "write --type project", "history", "no-such"])
      look(`heed ${line} SECRET`, heed([...line.split(" "), text]));
  for await (const [what, answer] of askPage(HEED, { cwd: work, env }, names)) look(what, answer);
  for (const [what, answer] of sessionOf(home, work, kinds, heed)) look(what, answer);
  for (const part of ["state", "memory"]) {
    for (const path of filesBelow(join(home, part))) {
      const isByHand = names.some((name) => path.includes(name)) || path.includes("/.git/");
      // What lies there by hand, and what keeps it so that it can be taken back, is told by `heed check`.
      if (!isByHand && !path.includes("/changes/")) look(path.slice(home.length), readFileSync(path, "utf8"));
    }
  }
  return shown;
}

function writeByHand(store: string, kinds: readonly SecretSample[]): string[] {
  const folder = join(store, "project");
  mkdirSync(folder, { recursive: true });
  const names: string[] = [];
  for (let at = 0; at < kinds.length; at += 30) {
    const part = kinds.slice(at, at + 30);
    const lines = part.filter(({ text, value = "" }) => !text.includes("\n") && value.length < 100);
    const one = lines[0]?.text ?? "";
    const name = `deploy-notes-${at}`;
    const body = part.map(({ text }) => `How to deploy to staging:\n\n${text}\n`).join("\n");
    writeFileSync(
      join(folder, `${name}.md`),
      file(name, `deploy to staging: ${one}`, body, lines.slice(1, 4)),
    );
    names.push(name);
  }
  return names;
}

function file(name: string, statement: string, body: string, inLists: readonly SecretSample[] = []): string {
  const [tag = "x", trigger = "y", alias = "z"] = inLists.map(({ text }) => JSON.stringify(text));
  return `---\nname: ${name}\ndescription: ${JSON.stringify(statement)}\nmetadata:\n  type: project\n  tags: [deploy, ${tag}]\n  trigger: [${trigger}]\n  aliases: [${alias}]\n---\n${body}\n`;
}

/** A command that nobody asks is none that shows nothing. */
function requireAll(help: string): void {
  const commands = [...help.matchAll(/^  ([a-z]+)  +\w/gm)].map(([, name = ""]) => name);
  const asked = new Set([...COMMANDS.map((line) => line.split(" ")[0]), ...ASKED_OTHERWISE]);
  const left = commands.filter((name) => !asked.has(name));
  if (commands.length < 25 || left.length > 0)
    throw new Error(`these commands are not asked: ${left.join(", ")}`);
}

/** One server, spoken to in lines of JSON; each answer with the tool that gave it. */
function askTools(
  name: string,
  kinds: readonly SecretSample[],
  heed: (args: string[], input: string) => string,
): [what: string, answer: string][] {
  const clientInfo = { name: "bench", version: "1" };
  const client = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const calls = [
    ...TOOLS.map(([tool, input]): [string, object] => [
      tool,
      JSON.parse(JSON.stringify(input).replaceAll('"M"', JSON.stringify(name))) as object,
    ]),
    ...kinds.flatMap(({ text }, i) => (i % 3 === 0 ? GIVEN.map((given) => given(text)) : [])),
  ];
  const messages = [
    { method: "initialize", params: client },
    { method: "tools/list" },
    ...calls.map(([tool, input]) => ({ method: "tools/call", params: { name: tool, arguments: input } })),
  ];
  const said = heed(
    ["mcp"],
    messages.map((message, id) => `${JSON.stringify({ jsonrpc: "2.0", id, ...message })}\n`).join(""),
  );
  const tools = new Set([...said.matchAll(/"name":"(memory_\w+)"/g)].map(([, tool]) => tool));
  for (const [tool] of calls) tools.delete(tool);
  if (tools.size > 0) throw new Error(`these tools are not asked: ${[...tools].join(", ")}`);
  return said.split("\n").map((line) => {
    const id = Number(/"id":(\d+)/.exec(line)?.[1] ?? -1);
    return [`tool ${calls[id - 2]?.[0] ?? "server"}`, line];
  });
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
