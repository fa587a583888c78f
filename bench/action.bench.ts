import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { commandOfCall, doingOf, isOtherTry } from "../src/past/capture/tool-calls.ts";
import { readSessionOn } from "../src/past/transcripts/read-session.ts";
import { TemporaryHeed } from "../test/home/temporary-heed.ts";
import { type Figure, figure, rateFigure } from "./figure.ts";
import { readJsonLines } from "./json-lines.ts";
import { type ShellCall, writeTranscript } from "./past-transcripts.ts";
import { median } from "./statistics.ts";

const PERSON = { kind: "person", client: "bench" } as const;
/** A command that fails, and what makes it work; `NAME` differs from session to session. */
const FIXES: readonly (readonly [failed: string, worked: string])[] = [
  ["npm test", "PGPORT=5433 npm test"],
  ["pytest NAME", "PYTHONPATH=src pytest NAME"],
  ["pytest NAME -q", "python -m pytest NAME -q"],
  ["go test ./NAME", "go test -count=1 ./NAME"],
  ["make NAME", "cd build && make NAME"],
  ["docker compose up NAME", "docker compose --profile dev up NAME"],
  ["cargo build --bin NAME", "cargo build --features tls --bin NAME"],
  ["terraform plan", "export AWS_PROFILE=dev && terraform plan"],
  ["npx vitest run NAME", "npx vitest run --pool forks NAME"],
  ["npm install NAME", "npm install NAME --legacy-peer-deps"],
  ["./gradlew NAME", "JAVA_HOME=/opt/jdk21 ./gradlew NAME"],
  ["bundle exec rspec NAME", "cd api && RAILS_ENV=test bundle exec rspec NAME"],
];
/** Commands that fail and work in the end by something else: nothing is to be told of them. */
const OTHERS: readonly (readonly [failed: string, worked: string])[] = [
  ["npm run lint", "npm run lint"],
  ["git commit -m NAME", "git commit -m NAME-again"],
  ["python NAME.py", "python NAME-other.py"],
  ["curl http://localhost/NAME", "curl http://localhost/NAME"],
];
const CLAIMED = 20;

/**
 * What is told at the point of action: after a failed command what worked then, in generated sessions and, with `--data DIR`
 * (`sessions/*.jsonl`, `episodes.jsonl`), in real ones; before an edit the facts that name its file; and what it costs.
 */
export async function run(args: string[]): Promise<Figure[]> {
  const { values } = parseArgs({ args, options: { data: { type: "string" } } });
  const place = new TemporaryHeed({ PATH: process.env["PATH"] ?? "", HEED_RECHECK_MS: "1000" });
  place.now = new Date().toISOString();
  try {
    await place.heed.setup.init("user");
    return [
      ...(await workedFigures(place)),
      ...(values.data === undefined ? [] : await realFigures(place, values.data)),
      ...(await editFigures(place)),
    ];
  } finally {
    await place.remove();
  }
}

async function told(place: TemporaryHeed, session: string, event: object): Promise<string> {
  const answer = await place.event({ session, ...event } as never);
  await new Promise((resolve) => setImmediate(resolve));
  return `${answer.context ?? ""}${answer.decision?.reason ?? ""}`;
}
const workedIn = (text: string): string[] =>
  Array.from(text.matchAll(/worked on \S+: `([^`]+)`/g), ([, command = ""]) => command);
const failure = (command: string): object => ({
  kind: "tool-failure",
  tool: "Bash",
  input: { command },
  error: "exit 1",
});

async function workedFigures(place: TemporaryHeed): Promise<Figure[]> {
  const named = ([failed, worked]: readonly [string, string], name: string): [string, string] => [
    failed.replace("NAME", name),
    worked.replace("NAME", name),
  ];
  const fixes = ["a", "b", "c"].flatMap((name) => FIXES.map((fix) => named(fix, name)));
  const others = ["a", "b", "c"].flatMap((name) => OTHERS.map((fix) => named(fix, name)));
  for (const [i, [failed, worked]] of [...fixes, ...others].entries()) {
    const calls: ShellCall[] = [
      { command: failed, hasFailed: true },
      { command: "git status" },
      { command: worked },
    ];
    const turns = [{ said: "please make the build of the project pass", calls }];
    writeTranscript(place.home, "claude-code", {
      session: `past-${i}`,
      cwd: place.project,
      startMs: Date.now() - 86_400_000 + i * 60_000,
      turns,
    });
  }
  await place.heed.conversations.search();
  let [hits, lines, wrong] = [0, 0, 0];
  for (const [i, [failed, worked]] of [...fixes, ...others].entries()) {
    await place.start(`now-${i}`);
    const said = workedIn(await told(place, `now-${i}`, failure(failed)));
    const isFix = i < fixes.length;
    // What worked for one file of the same program may come along: it is no other command's.
    if (isFix && said.includes(worked)) hits += 1;
    lines += said.length;
    wrong += said.filter((one) => !isFix || doingOf(one) !== doingOf(worked)).length;
  }
  return [rateFigure("worked_told", hits, fixes.length), rateFigure("worked_wrong", wrong, lines)];
}

/** Each failed command of real sessions, once more in a session after them; right is what a person says made it work. */
async function realFigures(place: TemporaryHeed, data: string): Promise<Figure[]> {
  const folder = join(data, "sessions");
  if (!existsSync(folder))
    throw new Error("give --data DIR, a folder with sessions/*.jsonl and episodes.jsonl");
  const failed: string[] = [];
  let uses = 0;
  const edits: object[] = [];
  for (const [i, name] of readdirSync(folder).toSorted().entries()) {
    const text = readFileSync(join(folder, name), "utf8");
    // They took place in other repositories: here all are of this one.
    const here = text.replaceAll(/"cwd":"[^"]*"/g, `"cwd":${JSON.stringify(place.project)}`);
    place.write(join(place.home, `.claude/projects/real/real-${i}.jsonl`), here);
    const calls = new Map<string, string>();
    readSessionOn({ offsets: {}, client: "" }, join(folder, name), (event) => {
      if (event.kind === "tool") {
        uses += 1;
        edits.push({ kind: "tool-use", tool: event.tool, input: event.input });
        calls.set(event.id, commandOfCall(event.tool, event.input) ?? "");
      }
      const command = event.kind === "result" && event.outcome === "failed" ? calls.get(event.id) : "";
      if (command) failed.push(command);
    });
  }
  await place.heed.conversations.search();
  type Label = { failing: { input: unknown }[]; fix: { input: unknown }[] };
  const labels = readJsonLines<Label>(join(data, "episodes.jsonl")).map(({ failing, fix }) => ({
    failing: failing.map(({ input }) => String(input)),
    fix: fix.map(({ input }) => String(input).replace(/\s+/g, " ").trim()),
  }));
  let [right, lines, wanted] = [0, 0, 0];
  for (const [i, command] of [...new Set(failed)].entries()) {
    await place.start(`again-${i}`);
    const fixes = labels.filter(({ failing }) => failing.includes(command)).flatMap(({ fix }) => fix);
    const isWanted = fixes.some((fix) => isOtherTry(command, fix));
    const said = workedIn(await told(place, `again-${i}`, failure(command)));
    const hits = said.filter((one) => fixes.includes(one));
    if (isWanted) wanted += 1;
    if (isWanted && hits.length > 0) right += 1;
    lines += said.length - hits.length;
  }
  await place.start("quiet");
  let noise = 0;
  for (const event of edits)
    noise += /heed-memories|worked on/.test(await told(place, "quiet", event)) ? 1 : 0;
  return [
    rateFigure("real_told", right, wanted),
    rateFigure("real_wrong", lines, new Set(failed).size),
    figure("lines_per_100_uses", (100 * noise) / uses, "", uses),
  ];
}

async function editFigures(place: TemporaryHeed): Promise<Figure[]> {
  const { heed, project } = place;
  const path = (i: number): string => join(project, `src/claimed-${i}.ts`);
  for (let i = 0; i < CLAIMED; i++) {
    place.write(path(i), "export const a = 1;\n");
    const claims = [`path:src/claimed-${i}.ts`];
    await heed.memories.write(
      { type: "project", statement: `Part ${i} is read by the billing job`, claims },
      PERSON,
    );
  }
  const edit = (i: number): object => ({
    kind: "tool-use",
    tool: "Edit",
    input: { file_path: path(i), old_string: "1", new_string: "2" },
  });
  let once = 0;
  for (let i = 0; i < CLAIMED; i++) {
    await place.start(`edit-${i}`);
    const said = [];
    for (let again = 0; again < 3; again++) said.push(await told(place, `edit-${i}`, edit(i)));
    if (said.filter((text) => text.includes(`Part ${i} is read`)).length === 1) once += 1;
  }
  const times: Record<"rules" | "typed", number[]> = { rules: [], typed: [] };
  for (const mode of ["rules", "typed"] as const) {
    await place.start(mode);
    await heed.setup.setMode(mode, { session: mode });
  }
  for (let i = 0; i < 300; i++)
    for (const mode of ["rules", "typed"] as const) {
      const input = { file_path: join(project, `src/other-${i}.ts`), old_string: "1", new_string: "2" };
      const startedAt = performance.now();
      await told(place, mode, { kind: "tool-use", tool: "Edit", input });
      times[mode].push(performance.now() - startedAt);
    }
  const [without, value] = [median(times.rules), median(times.typed)];
  const note = `an edit of a file that nothing names, against the same in mode rules: ${without.toFixed(2)} ms`;
  return [
    rateFigure("edits_told_once", once, CLAIMED),
    figure("edit_cost_ms", value - without, "ms", 300, { note }),
  ];
}
