import { expect, it } from "vitest";
import type { Command } from "../../../src/surfaces/cli/arguments/command.ts";
import { COMMANDS, loadCommand } from "../../../src/surfaces/cli/command-table.ts";
import { parseCommandLine, usageLine } from "../../../src/surfaces/cli/arguments/parse-command-line.ts";

const command: Command = {
  name: "demo",
  summary: "for the test",
  arguments: [{ name: "NAME" }, { name: "MODE", isOptional: true, words: ["typed", "pull"] }],
  options: {
    tag: { value: "TAG", isList: true, help: "tags" },
    limit: { value: "N", short: "n", range: [1, 10], help: "a count" },
    level: { value: "WORD", words: ["low", "high"], help: "a word" },
    all: { short: "a", help: "a switch" },
    only: { onlyWith: ["--all"], help: "a switch" },
  },
  run: () => Promise.resolve(),
};

it("takes flags, repeated and by commas, before and after arguments; what follows -- or = as it is", () => {
  const args = parseCommandLine(command, "--tag a,b x --tag=c -n 5 -a --level high".split(" "));
  expect(args.positionals).toEqual(["x"]);
  expect([args.list("tag"), args.count("limit"), args.text("level")]).toEqual([["a", "b", "c"], 5, "high"]);
  expect([args.has("all"), args.has("json")]).toEqual([true, false]);
  expect(parseCommandLine(command, ["--", "--tag"]).positionals).toEqual(["--tag"]);
  expect(parseCommandLine(command, ["-"]).positionals).toEqual(["-"]);
  expect(parseCommandLine(command, ["x", "--tag=--no-verify"]).list("tag")).toEqual(["--no-verify"]);
  expect(parseCommandLine(command, ["--help"]).has("help")).toBe(true);
});

it.each([
  [["x", "--tga", "a"], "heed demo has no flag --tga. Did you mean --tag? See: heed help demo"],
  [["x", "--constructor"], "heed demo has no flag --constructor. See: heed help demo"],
  [["x", "--tag"], "--tag needs a value: --tag TAG."],
  [["x", "--tag", "--all"], "--tag needs a value: --tag TAG."],
  [["x", "--all=yes"], '--all takes no value. Remove "=yes".'],
  [["x", "--level", "hihg"], 'Unknown --level "hihg". Did you mean high? Use one of low, high.'],
  [["x", "pull", "--only"], "--only does not go with MODE: give it alone, or with --all."],
  [[], "NAME is missing. Usage: heed demo NAME [MODE] [flags]"],
  [["x", "tpyed"], 'Unknown MODE "tpyed". Did you mean typed? Use one of typed, pull.'],
  [
    ["x", "pull", "y"],
    '"y" is an unexpected argument (quote text with spaces). Usage: heed demo NAME [MODE] [flags]',
  ],
  ...["0", "11", "-1", "1.5", "ten", ""].map((value): [string[], string] => [
    ["x", `--limit=${value}`],
    `--limit is "${value}": give a whole number from 1 to 10.`,
  ]),
])("%j is refused, and the message says what would do", (words, message) => {
  expect(() => parseCommandLine(command, words)).toThrow(
    expect.objectContaining({ name: "HeedError", code: "invalid-input", message }),
  );
});

it.each(Object.keys(COMMANDS))("heed %s has a usage, and examples that parse", async (name) => {
  const loaded = await loadCommand(name);
  expect(usageLine(loaded ?? command)).toContain(`heed ${name}`);
  for (const example of loaded?.examples ?? []) {
    // A redirection is the shell's.
    const words = [...example.replace(/ < \S+$/, "").matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
      (m) => m[1] ?? m[2] ?? m[3] ?? "",
    );
    expect(words.slice(0, 2)).toEqual(["heed", name]);
    expect(() => parseCommandLine(loaded ?? command, words.slice(2))).not.toThrow();
  }
});
