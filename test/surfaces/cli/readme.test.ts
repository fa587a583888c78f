import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { COMMANDS, loadCommand } from "../../../src/surfaces/cli/command-table.ts";
import { parseCommandLine } from "../../../src/surfaces/cli/arguments/parse-command-line.ts";
import { HELP_TOPICS } from "../../../src/surfaces/cli/terminal/help-topics.ts";
import { renderText } from "../../../src/surfaces/cli/output/styled-text.ts";
import { Machine } from "./run-heed.ts";

// The README tells nothing that is not so: its console blocks are run one after the other on a fresh machine, and what
// they print must be what they show. `UPDATE_README=1 npx vitest run readme` writes the real output into it.
const FILE = resolve(import.meta.dirname, "../../../README.md");
const readme = readFileSync(FILE, "utf8");
const machine = new Machine();
afterAll(() => machine.remove());

interface Step {
  block: number;
  command: string;
  output: string[];
}

function readSteps(): Step[] {
  return [...readme.matchAll(/^```console\n(.*?)^```/gms)].flatMap((match, block) => {
    const steps: Step[] = [];
    for (const line of (match[1] ?? "").trimEnd().split("\n")) {
      if (line.startsWith("$ ")) steps.push({ block, command: line.slice(2), output: [] });
      else steps.at(-1)?.output.push(line);
    }
    return steps;
  });
}

const examples = new Map<string, string>();
/** A change's id differs on each run: one of the same shape, the same for the same change. */
function exampleOf(id: string): string {
  const example = createHash("sha256").update(`change ${examples.size}`).digest("hex").slice(0, 10);
  const known = examples.get(id) ?? example;
  examples.set(id, known);
  return known;
}

/** What differs from run to run, and from machine to machine, as one example of it. */
function steady(text: string): string {
  return (
    text
      .replaceAll(machine.home, "~")
      // An id of digits alone is told from a number by where it stands.
      .replace(/\b(?=\d*[a-f])[0-9a-f]{10}\b|(?<=heed undo )\d{10}\b|^\d{10}(?=\t)/gm, exampleOf)
      .replace(/(?<=heed undo )01[0-9A-HJKMNP-TV-Z]{8}\b/g, "01JD3Z8Q6T")
      .replace(/^(\+.*)\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/gm, "$12026-03-06T16:40:00Z")
      .replace(/^([^+].*)\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/gm, "$12026-03-05T10:23:00Z")
      .replace(/\b\d{4}-\d\d-\d\d \d\d:\d\d\b/g, "2026-03-05 10:23")
      .replace(/\b0[0-9A-HJKMNP-TV-Z]{25}\b/g, "01JD3Z8Q6T0V9W4X5Y6Z7A8B9C")
      .replace(/[ \t]+$/gm, "")
  );
}

/** Scores move with the tuning of recall, and the columns with them: their digits are no promise. */
function loose(lines: readonly string[] | undefined): string[] | undefined {
  return lines?.map((line) => line.replace(/\d+\.\d+/g, "0.00").replace(/ {2,}/g, "  "));
}

const steps = readSteps();
const actual: string[][] = [];
beforeAll(async () => {
  await machine.start("git", ["init", "--quiet", "--initial-branch=main"], {});
  // A file that the examples speak of.
  const author = ["-c", "user.name=Ann", "-c", "user.email=ann@example.org"];
  mkdirSync(join(machine.work, "src"));
  writeFileSync(join(machine.work, "src/limits.ts"), "export const MAX_RETRIES = 5;\n");
  await machine.start("git", ["add", "src"], {});
  const dates = { GIT_AUTHOR_DATE: "2026-03-04T09:00:00Z", GIT_COMMITTER_DATE: "2026-03-04T09:00:00Z" };
  await machine.start("git", [...author, "commit", "--quiet", "--message=limits"], { env: dates });
  for (const { command } of steps) {
    // Times are kept to the second: a change shows its own only when it comes in another one.
    if (/^heed (?:update|repair)\b/.test(command)) await new Promise((resolve) => setTimeout(resolve, 1_100));
    const script = `heed() { "$0" "$HEED" "$@"; }\n${command} 2>&1`;
    const { stdout } = await machine.start("bash", ["-c", script, process.execPath], {});
    actual.push(steady(stdout).trimEnd().split("\n"));
  }
  if (process.env["UPDATE_README"] === "1") writeFileSync(FILE, withOutput());
}, 60_000);

function withOutput(): string {
  let block = -1;
  return readme.replace(/^```console\n.*?^```/gms, () => {
    block += 1;
    const lines = steps.flatMap((step, index) =>
      step.block === block ? [`$ ${step.command}`, ...(actual[index] ?? [])] : [],
    );
    return ["```console", ...lines, "```"].join("\n");
  });
}

describe("the README's console blocks", () => {
  it.each(steps.map(({ command }, index) => [command, index] as const))("%s", (_, index) => {
    expect(loose(actual[index])).toEqual(loose(steps[index]?.output));
  });

  it("are found", () => {
    expect(steps.length).toBeGreaterThan(5);
  });
});

it("shows only command lines that parse", async () => {
  const lines = [...readme.matchAll(/^```sh\n(.*?)^```/gms)].flatMap((match) => (match[1] ?? "").split("\n"));
  const inline = [...readme.matchAll(/`(heed [^`]*)`/g)].map((match) => match[1] ?? "");
  const heedLines = [...lines, ...inline].filter((line) => line.startsWith("heed "));
  expect(heedLines.length).toBeGreaterThan(5);
  const broken = await Promise.all(heedLines.map((line) => complaintAbout(line, lines.includes(line))));
  expect(broken.filter((complaint) => complaint !== undefined)).toEqual([]);
});

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

it("lists every command with its summary, and every exit code", () => {
  for (const [name, { summary }] of Object.entries(COMMANDS))
    expect(readme).toContain(`| \`${name}\` | ${summary} |`);
  for (const line of HELP_TOPICS["exit-codes"]?.lines() ?? []) {
    const text = renderText(line, false).trim();
    const [code = ""] = text.split(" ");
    expect(readme).toContain(`| ${code} | ${text.slice(code.length).trim()} |`);
  }
});

it.each(["README.md", "CHANGELOG.md"])("%s uses none of the words that say nothing", (file) => {
  const text = readFileSync(join(FILE, "..", file), "utf8");
  expect(text.match(/\b(simply|just|basically|seamless(ly)?|powerful)\b/gi)).toBeNull();
});
