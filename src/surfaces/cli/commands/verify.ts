import { shortId } from "../output/change-lines.ts";
import type { Command } from "../arguments/command.ts";
import { EXIT } from "../arguments/exit-code.ts";
import { styled } from "../output/styled-text.ts";
import { verdictLines } from "../output/verdict-lines.ts";
import { refusalLines } from "../terminal/write-answer.ts";

/** `heed verify` */
export const command: Command = {
  name: "verify",
  summary: "attest that a memory still holds",
  arguments: [{ name: "NAME", completes: "memory" }],
  options: {
    claim: {
      value: "CLAIM",
      isList: true,
      help: "a further claim that holds: path:src/a.ts, dep:react@^18 …",
    },
    note: { value: "TEXT", short: "n", help: "how it was checked; it is kept with the change" },
  },
  details: [
    "Checks every claim of the memory, and those given, against the repository at hand; refused when one is false, when",
    "one cannot be checked here, and when nothing was attested. Where nothing can be checked by a claim, a note attests.",
    "The forms of claims: heed help claims",
  ],
  examples: ["heed verify deploy-freeze", 'heed verify wiki-page --note "opened the page, it is there"'],
  async run({ args, out, actor, open }) {
    const [handle = ""] = args.positionals;
    const claims = args.texts("claim");
    const note = args.text("note");
    const result = await open().upkeep.verify(
      handle,
      { ...(claims && { claims }), ...(note !== undefined && { note }) },
      actor,
    );
    if (result.outcome === "refused") {
      if (out.isJson) out.answer(result, () => []);
      else out.note(...refusalLines(result.refusals));
      return EXIT.refused;
    }
    out.answer(result, () => [
      [
        styled("green", "✓ "),
        result.announcement,
        styled("dim", `  (heed undo ${shortId(result.change)} takes it back)`),
      ],
      ...verdictLines(result.verdict),
    ]);
    return EXIT.done;
  },
};
