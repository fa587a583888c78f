import { describe, expect, it } from "vitest";
import { HeedError } from "../../../src/heed.ts";
import type { Command } from "../../../src/surfaces/cli/arguments/command.ts";
import { COMMANDS, loadCommand } from "../../../src/surfaces/cli/command-table.ts";
import { parseCommandLine, usageLine } from "../../../src/surfaces/cli/arguments/parse-command-line.ts";

const command: Command = {
  name: "demo",
  summary: "for the test",
  arguments: [{ name: "NAME" }, { name: "MODE", isOptional: true, words: ["typed", "pull"] }],
  options: {
    tag: { value: "TAG", isList: true, help: "tags" },
    limit: { value: "N", short: "n", help: "a count" },
    level: { value: "WORD", words: ["low", "high"], help: "a word" },
    all: { short: "a", help: "a switch" },
  },
  run: () => Promise.resolve(),
};

function refusalOf(...words: string[]): HeedError {
  try {
    parseCommandLine(command, words);
  } catch (error) {
    if (error instanceof HeedError) return error;
    throw error;
  }
  throw new Error("it passed");
}

describe("what is taken", () => {
  it("reads flags, repeated and by commas, before and after arguments", () => {
    const args = parseCommandLine(command, [
      "--tag",
      "a,b",
      "x",
      "--tag=c",
      "-n",
      "5",
      "-a",
      "--level",
      "high",
    ]);
    expect(args.positionals).toEqual(["x"]);
    expect(args.list("tag")).toEqual(["a", "b", "c"]);
    expect(args.count("limit", { min: 1, max: 10 })).toBe(5);
    expect(args.has("all")).toBe(true);
    expect(args.text("level")).toBe("high");
    expect(args.has("json")).toBe(false);
  });

  it("takes what follows -- as it is, and - as an argument", () => {
    expect(parseCommandLine(command, ["--", "--tag"]).positionals).toEqual(["--tag"]);
    expect(parseCommandLine(command, ["-"]).positionals).toEqual(["-"]);
  });

  it("takes a value that begins with dashes after an equals sign", () => {
    expect(parseCommandLine(command, ["x", "--tag=--no-verify"]).list("tag")).toEqual(["--no-verify"]);
  });

  it("lets --help stand for everything that is missing", () => {
    expect(parseCommandLine(command, ["--help"]).has("help")).toBe(true);
  });
});

describe("what is refused, and what the message offers", () => {
  it.each([
    [["x", "--tga", "a"], "heed demo has no flag --tga. Did you mean --tag? See: heed help demo"],
    [["x", "--nothing-like-it"], "heed demo has no flag --nothing-like-it. See: heed help demo"],
    [["x", "--tag"], "--tag needs a value: --tag TAG."],
    [["x", "--tag", "--all"], "--tag needs a value: --tag TAG."],
    [["x", "--all=yes"], '--all takes no value. Remove "=yes".'],
    [
      ["x", "--level", "hihg"],
      '--level is "hihg", which is not known. Did you mean high? Use one of low, high.',
    ],
    [[], "NAME is missing. Usage: heed demo NAME [MODE] [flags]"],
    [["x", "tpyed"], 'MODE is "tpyed", which is not known. Did you mean typed? Use one of typed, pull.'],
    [
      ["x", "pull", "y"],
      '"y" is one argument too many (words with blanks need quotes). Usage: heed demo NAME [MODE] [flags]',
    ],
  ])("%j", (words, message) => {
    const error = refusalOf(...words);
    expect(error.message).toBe(message);
    expect(error.code).toBe("invalid-input");
  });

  it.each(["0", "11", "-1", "1.5", "ten", ""])("a count of %j", (value) => {
    const args = parseCommandLine(command, ["x", `--limit=${value}`]);
    expect(() => args.count("limit", { min: 1, max: 10 })).toThrow("give a whole number from 1 to 10");
  });

  it("does not take an inherited property for a flag", () => {
    expect(refusalOf("x", "--constructor").message).toContain("has no flag --constructor");
  });
});

describe.each(Object.keys(COMMANDS))("heed %s", (name) => {
  it("is the command that the table says", async () => {
    const loaded = await loadCommand(name);
    expect(loaded?.name).toBe(name);
    expect(loaded?.summary).toBe(COMMANDS[name]?.summary);
    expect(usageLine(loaded ?? command)).toContain(`heed ${name}`);
  });

  it("has examples that parse", async () => {
    const loaded = await loadCommand(name);
    for (const example of loaded?.examples ?? []) {
      // A redirection is the shell's.
      const words = [...example.replace(/ < \S+$/, "").matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
        (m) => m[1] ?? m[2] ?? m[3] ?? "",
      );
      expect(words.slice(0, 2)).toEqual(["heed", name]);
      expect(() => parseCommandLine(loaded ?? command, words.slice(2))).not.toThrow();
    }
  });
});
