import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { TemporaryHeed } from "../test/home/temporary-heed.ts";
import { type Figure, figure } from "./figure.ts";

const CLI = resolve("src/surfaces/cli/main.ts");
const HOOK = resolve("src/surfaces/hooks/main.ts");
const SOURCES = pathToFileURL(resolve("src")).href;
/** Node 20 reads no TypeScript. */
const LOADER = `
import { readFileSync } from "node:fs";
import { transformSync } from ${JSON.stringify(pathToFileURL(resolve("node_modules/esbuild/lib/main.js")).href)};
export async function load(url, context, next) {
  if (!url.startsWith(${JSON.stringify(SOURCES)})) return next(url, context);
  const { code } = transformSync(readFileSync(new URL(url), "utf8"), { loader: "ts", target: "node20" });
  return { format: "module", shortCircuit: true, source: code };
}`;

interface Coverage {
  result: { url: string; functions: { functionName: string; ranges: { count: number }[] }[] }[];
}

/** Counts the source files in which a function runs on the way of one real event, each in a fresh process from the source. `--list` names them, with the functions that ran. */
export async function run(args: readonly string[]): Promise<Figure[]> {
  const isListed = args.includes("--list");
  const place = new TemporaryHeed({ PATH: process.env["PATH"] ?? "" });
  const { folder: home, project, heed } = place;
  const loader = place.write(join(home, "loader.mjs"), LOADER);
  const register = `import { register } from "node:module"; register(${JSON.stringify(pathToFileURL(loader).href)});`;
  const imports = ["--import", `data:text/javascript,${encodeURIComponent(register)}`];
  const ways: Record<string, number> = {};
  const walk = (name: string, program: string, args: readonly string[], input = ""): void => {
    const folder = mkdtempSync(join(home, "coverage-"));
    execFileSync(process.execPath, [...imports, program, ...args], {
      cwd: project,
      input,
      env: { ...place.env, NODE_V8_COVERAGE: folder },
    });
    const found = readdirSync(folder).map(
      (name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as Coverage,
    );
    const own = found.flatMap(({ result }) => result).filter(({ url }) => url.startsWith(SOURCES));
    // The module itself has no name, and neither have most functions that run as it loads.
    const ran = new Map<string, Set<string>>();
    for (const { url, functions } of own)
      for (const { functionName, ranges } of functions) {
        if (functionName === "" || ranges[0]!.count === 0) continue;
        const file = url.slice(SOURCES.length + 1);
        ran.set(file, (ran.get(file) ?? new Set()).add(functionName));
      }
    ways[name] = ran.size;
    if (!isListed) return;
    console.log(`${name}:`);
    for (const [file, names] of [...ran].toSorted(([a], [b]) => a.localeCompare(b)))
      console.log(`  ${file}: ${[...names].join(" ")}`);
  };
  const hook = (name: string, event: object): void =>
    walk(name, HOOK, ["hook"], JSON.stringify({ session_id: "s1", cwd: project, ...event }));
  try {
    for (const memory of MEMORIES) await heed.memories.write({ ...memory, body: BODY }, PERSON);
    await heed.guards.add("hooks", { guard: GUARD }, PERSON);
    await heed.close();
    hook("start", { hook_event_name: "SessionStart", source: "startup" });
    hook("prompt", { hook_event_name: "UserPromptSubmit", prompt: "where is the latency board for oncall?" });
    const command = "git commit -nm wip";
    hook("tool_use", { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command } });
    walk("write", CLI, ["write", "--type", "project", "The API is frozen until the audit ends"]);
    walk("show", CLI, ["show", "board"]);
    return Object.entries(ways).map(([name, value]) => figure(name, value, "files", 1));
  } finally {
    await place.remove();
  }
}

const BODY = "Said by the lead.\n\n**Why:** it broke once\n\n**How to apply:** always";
const PERSON = { kind: "person", client: "bench" } as const;
const GUARD = { command: "git commit", flags: ["--no-verify"] };
const MEMORIES = [
  {
    type: "reference",
    name: "board",
    statement: "latency board for oncall: https://grafana.example.com/d/lat",
  },
  { type: "feedback", name: "hooks", statement: "Commit with the hooks on" },
];
