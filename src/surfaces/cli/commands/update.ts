import type { Command } from "../arguments/command.ts";
import { DRAFT_OPTIONS, hasSections, readChanges, readSectionChanges } from "../arguments/draft-options.ts";
import { usageError } from "../arguments/usage-error.ts";
import { answerAsking } from "../terminal/ask-about-dates.ts";

/** `heed update` */
export const command: Command = {
  name: "update",
  summary: "change parts of a memory",
  arguments: [{ name: "NAME", completes: "memory" }],
  options: {
    description: { value: "TEXT", short: "d", help: "the one line that selection reads" },
    ...DRAFT_OPTIONS,
    "no-expires": { help: "remove the date after which it is not injected" },
    "if-hash": { value: "HASH", help: "refuse when the memory changed since you read this content hash" },
  },
  details: [
    "What no flag gives stays: --solution alone improves that part of a solution. --body replaces the whole text, with the",
    "sections given beside it; lists are replaced whole.",
  ],
  examples: ['heed update staging-db --description "staging database is db2.example.com since 2026-03-05"'],
  async run(invocation) {
    const { args, actor, open } = invocation;
    const [handle = ""] = args.positionals;
    const description = args.text("description");
    const ifHash = args.text("if-hash");
    const isInPart = hasSections(args) && !args.has("body");
    const { body, ...given } = readChanges(args);
    const changes = {
      ...given,
      ...(isInPart ? { sections: readSectionChanges(args) } : body !== undefined && { body }),
      ...(description !== undefined && { description }),
      ...(args.has("no-expires") && { expires: null }),
    };
    if (Object.keys(changes).length === 0)
      throw usageError(
        "nothing to change: give at least one flag, for example --description. See: heed help update",
        "flag",
      );
    const whole = { ...changes, ...(ifHash !== undefined && { ifHash }) };
    return answerAsking((also) => open().memories.update(handle, { ...whole, ...also }, actor), invocation);
  },
};
