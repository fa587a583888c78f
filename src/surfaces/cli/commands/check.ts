import { isAbsolute, join, relative } from "node:path";
import type { Command } from "../arguments/command.ts";
import { plural } from "../output/counted.ts";
import { EXIT } from "../arguments/exit-code.ts";
import type { Text } from "../output/styled-text.ts";
import { styled } from "../output/styled-text.ts";

/** `heed check` */
export const command: Command = {
  name: "check",
  summary: "list every problem with file, line and remedy",
  arguments: [],
  options: {},
  details: ["Exits with 1 when there are errors; warnings alone exit with 0."],
  async run({ out, open, cwd }) {
    const report = await open().upkeep.check();
    out.answer(report, () => [
      ...report.stores.flatMap(({ store, problems }) =>
        problems.map(({ file, line, severity, code, message, remedy }): Text => [
          styled("bold", `${placeOf(cwd, join(store.root, file))}${line === undefined ? "" : `:${line}`}`),
          " ",
          styled(severity === "error" ? "red" : "yellow", severity),
          ` ${code}: ${message} → `,
          styled("green", remedy),
        ]),
      ),
      [
        styled(report.errors > 0 ? "red" : "green", report.errors > 0 ? "✗ " : "✓ "),
        `${plural(
          report.stores.reduce((sum, { memories }) => sum + memories, 0),
          "memory",
          "memories",
        )} in ${plural(report.stores.length, "store", "stores")}: `,
        `${plural(report.errors, "error", "errors")}, ${plural(report.warnings, "warning", "warnings")}`,
      ],
    ]);
    return report.errors > 0 ? EXIT.refused : EXIT.done;
  },
};

/** The path as a person standing in `cwd` would type it, so that a terminal can open it. */
function placeOf(cwd: string, path: string): string {
  const near = relative(cwd, path);
  return near.startsWith("..") || isAbsolute(near) ? path : near;
}
