import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { ExportFormat } from "../../../heed.ts";
import { HeedError } from "../../../heed.ts";
import type { Command } from "../arguments/command.ts";
import { plural } from "../output/counted.ts";
import type { Text } from "../output/styled-text.ts";
import { styled } from "../output/styled-text.ts";

const FORMATS = ["files", "json", "server-memory", "claude-md"] as const;

/** `heed export` */
export const command: Command = {
  name: "export",
  summary: "give memories in a form that others read",
  arguments: [{ name: "PATH", isOptional: true, completes: "file" }],
  options: {
    format: { value: "FORM", words: FORMATS, help: "files (default), json, server-memory, claude-md" },
    type: {
      value: "TYPE",
      isList: true,
      completes: "type",
      help: "only these types; default: all but episodes",
    },
    store: { value: "KIND", isList: true, help: "user, project, attached; default: user and project" },
  },
  details: [
    "Without PATH a form of one file is printed. Nothing that is there is overwritten.",
    "`heed import` reads json and files back without loss.",
  ],
  examples: ["heed export --format json memories.json", "heed export --format claude-md --type feedback"],
  async run({ args, out, open, cwd }) {
    const format = (args.text("format") ?? "files") as ExportFormat;
    const types = args.list("type");
    const stores = args.list("store");
    const [path] = args.positionals;
    const report = await open().exchange.exportAs({
      format,
      ...(types && { types }),
      ...(stores && { stores }),
    });
    const [only] = report.files;
    if (path === undefined) {
      if (format === "files")
        throw new HeedError("invalid-input", "PATH is missing: give the folder into which the files go", {
          argument: "PATH",
          value: path,
        });
      out.answer(report, () => (only?.text ?? "").replace(/\n$/, "").split("\n"));
      return;
    }
    const target = resolve(cwd, path);
    const isFolder = format === "files" || (existsSync(target) && statSync(target).isDirectory());
    if (
      format === "files" &&
      existsSync(target) &&
      (!statSync(target).isDirectory() || readdirSync(target).length > 0)
    )
      throw taken(target, "give a folder that is empty, or a new one");
    const written = report.files.map(({ path: file, text }) => {
      const at = isFolder ? join(target, file) : target;
      if (existsSync(at)) throw taken(at, "give another path");
      return { at, text };
    });
    for (const { at, text } of written) {
      mkdirSync(dirname(at), { recursive: true });
      writeFileSync(at, text, { mode: 0o600, flag: "wx" });
    }
    out.answer({ ...report, files: written.map(({ at }) => at) }, (): Text[] => [
      [
        styled("green", "✓ "),
        `${plural(report.memories, "memory", "memories")} in ${plural(written.length, "file", "files")}: ${target}`,
      ],
      ...report.lost.map((line) => styled("dim", `  not in this form: ${line}`)),
    ]);
  },
};

function taken(path: string, remedy: string): HeedError {
  return new HeedError("invalid-input", `${path} is there already, and nothing is overwritten: ${remedy}`, {
    argument: "PATH",
    value: path,
  });
}
