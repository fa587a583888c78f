import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { COMMAND_GROUPS } from "../../../src/surfaces/cli/arguments/command.ts";
import { COMMANDS, loadCommand } from "../../../src/surfaces/cli/command-table.ts";
import { parseCommandLine } from "../../../src/surfaces/cli/arguments/parse-command-line.ts";
import { HELP_TOPICS } from "../../../src/surfaces/cli/terminal/help-text.ts";
import { renderText } from "../../../src/surfaces/cli/output/output.ts";
import { Machine } from "./run-heed.ts";

// README and guides tell nothing that is not so: the console blocks of each are run one after the other on a fresh
// machine, and what they print must be what they show. `UPDATE_README=1 npx vitest run readme` writes the real output
// into them; `UPDATE_DOCS=1` writes the table of commands.
const ROOT = resolve(import.meta.dirname, "../../..");
const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");
const PAGES = ["README.md", "start", "rules", "memories", "staying-true", "teams", "settings"].map((name) =>
  name === "README.md" ? name : `docs/${name}.md`,
);

interface Step {
  block: number;
  command: string;
  output: string[];
}

function readSteps(page: string): Step[] {
  return [...page.matchAll(/^```console\n(.*?)^```/gms)].flatMap((match, block) => {
    const steps: Step[] = [];
    for (const line of (match[1] ?? "").trimEnd().split("\n")) {
      if (line.startsWith("$ ")) steps.push({ block, command: line.slice(2), output: [] });
      else steps.at(-1)?.output.push(line);
    }
    return steps;
  });
}

/** A change's id differs on each run: one of the same shape, the same for the same change. */
class Examples {
  readonly #known = new Map<string, string>();

  of(id: string): string {
    const example = createHash("sha256").update(`change ${this.#known.size}`).digest("hex").slice(0, 10);
    const known = this.#known.get(id) ?? example;
    this.#known.set(id, known);
    return known;
  }
}

/** What differs from run to run, and from machine to machine, as one example of it. */
function steady(text: string, home: string, examples: Examples): string {
  return (
    text
      .replaceAll(home, "~")
      // An id of digits alone is told from a number by where it stands.
      .replace(/\b(?=\d*[a-f])[0-9a-f]{10}\b|(?<=heed undo )\d{10}\b|^\d{10}(?=\t)/gm, (id) =>
        examples.of(id),
      )
      .replace(/(?<=heed undo )01[0-9A-HJKMNP-TV-Z]{8}\b/g, "01JD3Z8Q6T")
      .replace(/^(\+.*)\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/gm, "$12026-03-06T16:40:00Z")
      .replace(/^([^+].*)\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/gm, "$12026-03-05T10:23:00Z")
      .replace(/\b\d{4}-\d\d-\d\d \d\d:\d\d\b/g, "2026-03-05 10:23")
      .replace(/\b0[0-9A-HJKMNP-TV-Z]{25}\b/g, "01JD3Z8Q6T0V9W4X5Y6Z7A8B9C")
      .replace(/\([0-9a-f]{8}\)/g, "(9cfe4fd4)")
      .replace(/(?<=--source=)[0-9a-f]{12}/g, "9cfe4fd47c65")
      .replace(/[ \t]+$/gm, "")
  );
}

/** Scores move with the tuning of recall, and the columns with them: their digits are no promise. */
function loose(lines: readonly string[] | undefined): string[] | undefined {
  return lines?.map((line) =>
    line
      .replace(/\d+\.\d+/g, "0.00")
      .replace(/heed (yes|no) [a-z0-9]{5}/g, "heed $1 CODE")
      .replace(/ {2,}/g, "  "),
  );
}

/** Runs the steps of a page on a machine of its own; resolves to what each printed. */
async function runSteps(steps: readonly Step[]): Promise<string[][]> {
  const machine = new Machine();
  const examples = new Examples();
  try {
    await machine.start("git", ["init", "--quiet", "--initial-branch=main"], {});
    // A file that the examples speak of.
    const author = ["-c", "user.name=Ann", "-c", "user.email=ann@example.org"];
    mkdirSync(join(machine.work, "src"));
    writeFileSync(join(machine.work, "src/limits.ts"), "export const MAX_RETRIES = 5;\n");
    await machine.start("git", ["add", "src"], {});
    const dates = { GIT_AUTHOR_DATE: "2026-03-04T09:00:00Z", GIT_COMMITTER_DATE: "2026-03-04T09:00:00Z" };
    await machine.start("git", [...author, "commit", "--quiet", "--message=limits"], { env: dates });
    for (const who of ["AUTHOR", "COMMITTER"])
      Object.assign(machine.variables, {
        [`GIT_${who}_NAME`]: "Ann",
        [`GIT_${who}_EMAIL`]: "ann@example.org",
      });
    const actual: string[][] = [];
    for (const { command } of steps) {
      // Times are kept to the second: a change shows its own only when it comes in another one.
      if (/^heed (?:edit\b|check .*--(?:fix|confirm))/.test(command))
        await new Promise((resolve) => setTimeout(resolve, 1_100));
      actual.push(
        steady(await runStep(machine, command), machine.home, examples)
          .trimEnd()
          .split("\n"),
      );
    }
    return actual;
  } finally {
    machine.remove();
  }
}

/** What a command prints. A shell reads it, but where it is heed and plain words alone. */
async function runStep(machine: Machine, command: string): Promise<string> {
  const [, isAgent, line] =
    /^(CLAUDECODE=1 )?heed ((?:[^\s"'\\$`|&;<>(){}*?~#!]|"[^"\\$`!]*"|'[^']*'| )*)$/.exec(command) ?? [];
  if (line !== undefined) {
    const words = [...line.matchAll(/"([^"]*)"|'([^']*)'|\S+/g)].map(
      ([word, double, single]) => double ?? single ?? word,
    );
    return (await machine.run(words, { isMerged: true, env: isAgent ? { CLAUDECODE: "1" } : {} })).stdout;
  }
  const script = `heed() { "$0" "$HEED" "$@"; }\n${command} 2>&1`;
  return (await machine.start("bash", ["-c", script, process.execPath], {})).stdout;
}

function withOutput(page: string, steps: readonly Step[], actual: readonly string[][]): string {
  let block = -1;
  return page.replace(/^```console\n.*?^```/gms, () => {
    block += 1;
    const lines = steps.flatMap((step, index) =>
      step.block === block
        ? [`$ ${step.command}`, ...(actual[index] ?? []).filter((line, i) => line !== "" || i > 0)]
        : [],
    );
    return ["```console", ...lines, "```"].join("\n");
  });
}

const withConsole = PAGES.filter((file) => readSteps(read(file)).length > 0);

describe("the console blocks of", () => {
  it.each(withConsole)(
    "%s",
    async (file) => {
      const page = read(file);
      const steps = readSteps(page);
      const actual = await runSteps(steps);
      if (process.env["UPDATE_README"] === "1")
        writeFileSync(join(ROOT, file), withOutput(page, steps, actual));
      for (const [index, { command, output }] of steps.entries())
        expect([command, ...(loose(actual[index]) ?? [])].filter((line) => line !== "")).toEqual(
          [command, ...(loose(output) ?? [])].filter((line) => line !== ""),
        );
    },
    120_000,
  );

  it("README and guides are found", () => {
    expect(withConsole.length).toBeGreaterThan(4);
  });
});

it.each(PAGES)("%s shows only command lines that parse", async (file) => {
  const page = read(file);
  const lines = [...page.matchAll(/^```sh\n(.*?)^```/gms)].flatMap((match) => (match[1] ?? "").split("\n"));
  const inline = [...page.matchAll(/`(heed [^`]*)`/g)].map((match) => match[1] ?? "");
  const heedLines = [...lines, ...inline].filter(
    (line) => line.startsWith("heed ") && !TYPED_TO_THE_AGENT.test(line),
  );
  const broken = await Promise.all(heedLines.map((line) => complaintAbout(line, lines.includes(line))));
  expect(broken.filter((complaint) => complaint !== undefined)).toEqual([]);
});

/** Lines that the user types as a prompt, which are no commands of a shell. */
const TYPED_TO_THE_AGENT = /^heed (?:keep(?: \w+)?:|(?:yes|no|forget|allow) )/;

/** Placeholders and unfinished lines need to name a command; whole lines must parse as well. */
async function complaintAbout(line: string, isWhole: boolean): Promise<string | undefined> {
  const [name = "", ...words] = line.slice("heed ".length).replace(/ +#.*/, "").split(" ");
  const command = await loadCommand(name);
  if (!command) return `${line}: no such command`;
  try {
    if (isWhole) parseCommandLine(command, words);
    return undefined;
  } catch (error) {
    return `${line}: ${String(error)}`;
  }
}

describe("docs/reference/commands.md", () => {
  it("lists every command with its summary, by group", () => {
    const file = join(ROOT, "docs/reference/commands.md");
    const tables = Object.entries(COMMAND_GROUPS).map(([group, about]) => {
      const rows = Object.entries(COMMANDS).filter(([, entry]) => entry.group === group);
      const lines = rows.map(([name, { summary }]) => `| \`${name}\` | ${summary} |`);
      return `## ${group}: ${about}\n\n| command | does |\n|---|---|\n${lines.join("\n")}\n`;
    });
    const before = readFileSync(file, "utf8");
    const wanted = before.replace(
      /(<!-- commands -->\n)[^]*(<!-- \/commands -->)/,
      (_, start: string, end: string) => `${start}${tables.join("\n")}${end}`,
    );
    if (process.env["UPDATE_DOCS"] === "1") writeFileSync(file, wanted);
    expect(before, "UPDATE_DOCS=1 npx vitest run readme").toBe(wanted);
  });

  it("lists every exit code", () => {
    for (const line of HELP_TOPICS["exit-codes"] ?? []) {
      const text = renderText(line, false).trim();
      const [code = ""] = text.split(" ");
      expect(read("docs/reference/commands.md")).toContain(`| ${code} | ${text.slice(code.length).trim()} |`);
    }
  });
});

it.each([...PAGES, "CHANGELOG.md"])("%s uses none of the words that say nothing", (file) => {
  const text = read(file);
  expect(text.match(/\b(simply|just|basically|seamless(ly)?|powerful)\b/gi)).toBeNull();
});
