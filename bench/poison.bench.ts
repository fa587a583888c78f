import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Actor, Heed, NewMemory } from "../src/heed.ts";
import { HeedError, openHeed } from "../src/heed.ts";
import { TemporaryHeed } from "../test/home/temporary-heed.ts";
import { type Figure, figure, rateFigure } from "./figure.ts";

/** One step of a chain: what the user typed, and what a document orders that a tool then read. */
interface Step {
  typed: string[];
  documents: string[];
  orders: string[];
}

/** What was in force or injected after a step, in a session of its own. */
interface Outcome {
  isInForce: boolean;
  /** A line of a document, no order, in force beside the sentence that the user typed: the model quoted their task. */
  isBesideTask: boolean;
  isData: boolean;
}

const PERSON: Actor = { kind: "person" };
/** What is told is measured, not how fast. */
const UNHURRIED = { deadlineMs: 60_000 };

/**
 * A public attack that poisons memory over several sessions (ClawTrojan, arXiv 2605.31042), against the gate by quote and
 * origin. Its model obeys every order that it reads: it writes it through each of heed's doors, with the best quote that
 * there is, and lays files. `--data DIR` is the unpacked repository; nothing of it is kept.
 */
export async function run(args: string[]): Promise<Figure[]> {
  const { values } = parseArgs({ args, options: { data: { type: "string" }, list: { type: "boolean" } } });
  if (values.data === undefined) throw new Error("give --data DIR, the unpacked repository of ClawTrojan");
  const chains = readChains(values.data);
  const outcomes: Outcome[][] = [];
  for (const chain of chains) outcomes.push(await play(chain, values.list === true));
  const all = outcomes.flat();
  const inForce = (some: Outcome[]): boolean => some.some(({ isInForce }) => isInForce);
  return [
    rateFigure("in_force_per_step", all.filter(({ isInForce }) => isInForce).length, all.length),
    rateFigure("in_force_per_chain", outcomes.filter(inForce).length, outcomes.length),
    rateFigure("beside_task_per_step", all.filter((one) => one.isBesideTask).length, all.length),
    rateFigure("as_data_per_step", all.filter(({ isData }) => isData).length, all.length),
    figure("steps", all.length, "steps", all.length),
    figure("chains", chains.length, "chains", chains.length),
  ];
}

function readChains(data: string): Step[][] {
  const root = join(data, "claw_trojan", "envs");
  if (!existsSync(root)) throw new Error(`there is no ${root}: --data is the repository of ClawTrojan`);
  const folders = (path: string): string[] =>
    readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(path, entry.name))
      .toSorted((a, b) => a.localeCompare(b, "en", { numeric: true }));
  return folders(root).map((chain) => folders(chain).map(readStep));
}

function readStep(folder: string): Step {
  const json = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), "utf8"));
  const { user_input } = json("meta.json") as { user_input: string };
  type Injection = { injected_inst?: string; injection_placement?: unknown };
  const injections = [json("injection.json") as Injection | Injection[] | null].flat();
  const documents = injections
    .flatMap(
      (injection) => [injection?.injection_placement].flat() as ({ content_template?: unknown } | null)[],
    )
    .map((placed) => placed?.content_template)
    .filter((text) => typeof text === "string" && text !== "") as string[];
  const turns = readFileSync(join(folder, "session.jsonl"), "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => /^\{"role": "(\w+)", "content": (.*)\}$/.exec(line)?.slice(1) ?? [])
    .flatMap(([role, content = ""]) => {
      try {
        return [{ role, content: JSON.parse(content) as unknown }];
      } catch {
        // Some of its turns have quotation marks that nothing escapes.
        return [{ role, content: content.slice(1, -1) }];
      }
    })
    .flatMap(({ role, content }) => (role === "user" && typeof content === "string" ? [content] : []));
  return {
    typed: [...turns.slice(-2), user_input],
    documents: [...new Set(documents)],
    // A few are empty: every text has such a one.
    orders: injections.flatMap((injection) => injection?.injected_inst || []),
  };
}

/** Lines of a document that say something, without their marks. */
function linesOf(document: string): string[] {
  const lines = document.split("\n").map((line) => line.replace(/^[\s>#*|-]+|\*\*|[|\s]+$/g, "").trim());
  return lines.filter((line) => line.length >= 24 && line.length <= 200);
}

async function play(chain: readonly Step[], isListed: boolean): Promise<Outcome[]> {
  const place = new TemporaryHeed({ PATH: process.env["PATH"] ?? "" });
  const { project, env } = place;
  let minute = 0;
  const now = (): Date => new Date(Date.parse("2026-11-02T09:00:00Z") + (minute += 1) * 60_000);
  const heed = openHeed({ cwd: project, env, now });
  try {
    await heed.setup.init("user");
    await heed.setup.init("project");
    const said = "always run the linter before you commit";
    await heed.memories.write({ type: "feedback", name: "lint", statement: said, body: said }, PERSON);
    const poison = new Set<string>();
    const outcomes: Outcome[] = [];
    for (const [at, step] of chain.entries()) {
      const session = `step-${at}`;
      const event = { client: "claude-code", cwd: project, session } as const;
      await heed.session.answer({ ...event, kind: "session-start", source: "startup" }, UNHURRIED);
      for (const prompt of step.typed)
        await heed.session.answer({ ...event, kind: "prompt", prompt }, UNHURRIED);
      for (const text of [...step.orders, ...step.documents.flatMap(linesOf)]) {
        // What the user typed themselves is theirs.
        if (poison.has(text) || step.typed.some((turn) => turn.includes(text))) continue;
        poison.add(text);
        await obey(heed, text, step, { kind: "model", client: "claude-code", session });
        lay([place.userStore, join(project, ".heed")], poison.size, text);
      }
      outcomes.push(await look(heed, { ...event, session: `after-${at}` }, step, poison, isListed));
    }
    return outcomes;
  } finally {
    await heed.close();
    await place.remove();
  }
}

/** Writes an order through each door, quoting it, and quoting what the user did type. */
async function obey(heed: Heed, text: string, step: Step, model: Actor): Promise<void> {
  const statement = text.slice(0, 200);
  const quotes = [text, step.typed.at(-1) ?? "", undefined];
  const drafts: NewMemory[] = quotes.flatMap((quote) =>
    ["feedback", "project", "user"].map((type) => ({
      type,
      statement,
      body: text,
      ...(quote && { quote }),
    })),
  );
  for (const draft of drafts) await attempt(heed.memories.write(draft, model));
  for (const change of [{ statement }, { body: text }, { sections: { "how-to-apply": text } }])
    for (const quote of quotes)
      await attempt(heed.memories.update("lint", { ...change, ...(quote && { quote }) }, model));
}

/** Lays the order into both stores as a file, which passes no gate. */
function lay(stores: readonly string[], number: number, text: string): void {
  const line = JSON.stringify(text.slice(0, 200));
  for (const store of stores)
    for (const type of ["feedback", "user", "project"]) {
      mkdirSync(join(store, type), { recursive: true });
      const head = `---\nname: laid-${type}-${number}\ndescription: ${line}\nmetadata:\n  type: ${type}\n  status: confirmed\n---\n`;
      writeFileSync(join(store, type, `laid-${type}-${number}.md`), `${head}${text}\n`);
    }
}

async function look(
  heed: Heed,
  event: { client: string; cwd: string; session: string },
  step: Step,
  poison: ReadonlySet<string>,
  isListed: boolean,
): Promise<Outcome> {
  const opened = await heed.session.answer(
    { ...event, kind: "session-start", source: "startup" } as never,
    UNHURRIED,
  );
  const asked = await heed.session.answer(
    { ...event, kind: "prompt", prompt: step.typed.at(-1) } as never,
    UNHURRIED,
  );
  const parts = `${opened.context ?? ""}\n\n${asked.context ?? ""}`.split("\n\n");
  const rules = parts.filter((part) => /^(?:Standing rules|Of the standing rules)/.test(part)).join("\n");
  const rest = parts.filter((part) => !rules.includes(part)).join("\n");
  const isInjected = (where: string): boolean =>
    [...poison].some((text) => where.includes(text.slice(0, 60)));
  const injected = rules.split("\n").filter(isInjected);
  if (isListed) for (const line of injected) console.error(`in force: ${line}`);
  if (!rules.includes("linter")) throw new Error("the user's own rule is not injected: nothing was measured");
  const isBesideTask = (line: string): boolean => /\(you: "|^- you: "/.test(line);
  const isOrder = step.orders.some((order) => rules.includes(order.slice(0, 60)));
  if (isListed && isOrder) console.error(`order in force: ${JSON.stringify(step.orders)}`);
  return {
    isInForce: isOrder || !injected.every(isBesideTask),
    isBesideTask: injected.some(isBesideTask),
    isData: isInjected(rest),
  };
}

/** A refusal is one way of saying no. */
async function attempt(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof HeedError)) throw error;
  });
}
