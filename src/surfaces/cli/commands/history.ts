import type {
  ConversationAnswer,
  ConversationPlace,
  Heed,
  ShownConversation,
  ShownPassage,
} from "../../../heed.ts";
import type { Command } from "../arguments/command.ts";
import { usageError } from "../arguments/usage-error.ts";
import { minuteOf, plural } from "../output/counted.ts";
import type { Text } from "../output/styled-text.ts";
import { cleanText, oneLine, styled } from "../output/styled-text.ts";

const WHO: Readonly<Record<ShownPassage["kind"], string>> = {
  said: "you",
  answer: "agent",
  fixed: "commands",
  record: "heed",
};

/** `heed history` */
export const command: Command = {
  name: "history",
  summary: "find and read past conversations with your agents",
  arguments: [{ name: "WORDS", isRest: true, isOptional: true }],
  options: {
    session: { value: "ID", help: "read this conversation" },
    memory: { value: "NAME", completes: "memory", help: "read the part that a memory came from" },
    everywhere: { help: "of all repositories; default: of this one" },
    limit: { value: "N", short: "n", help: "so many conversations (default 5) or passages (default 40)" },
    from: { value: "N", help: "with --session or --memory: begin at the Nth passage" },
  },
  details: [
    "Searches what you and your agents said in past sessions, of every client whose transcripts lie on this machine;",
    "without words it lists the latest. Of two conversations about one matter the newer comes first. What is kept for it",
    "is private to this machine and without secrets; `history: off` in the user store's config.yaml takes it away.",
    "What changed in memories is in `heed log`.",
  ],
  examples: ["heed history retry after a 401", "heed history --memory staging-database"],
  async run({ args, out, open }) {
    const limit = args.count("limit", { min: 1, max: 500 });
    const from = args.count("from", { min: 1, max: 100_000 });
    const [session, memory] = [args.text("session"), args.text("memory")];
    const text = args.positionals.join(" ");
    const heed = open();
    if (session !== undefined || memory !== undefined) {
      if (text !== "" || (session !== undefined && memory !== undefined))
        throw usageError("give words, --session or --memory: one of them", "session");
      const shown = await heed.conversations.show({
        ...(session !== undefined && { session }),
        ...(memory !== undefined && { memory }),
        ...(limit !== undefined && { limit }),
        ...(from !== undefined && { from: from - 1 }),
      });
      out.answer(shown, () => [
        headOf(shown, heed),
        ...shown.passages.flatMap((passage, i): Text[] => ["", ...passageLines(passage, i === shown.at)]),
        ...(shown.passages.length < shown.count ? ["", styled("dim", restOf(shown))] : []),
      ]);
      if (shown.isPartial)
        out.note(styled("yellow", "Its transcript was not read to the end yet: ask again."));
      return;
    }
    if (from !== undefined) throw usageError("--from needs --session or --memory", "from");
    const answer = await heed.conversations.search({
      text,
      isEverywhere: args.has("everywhere"),
      ...(limit !== undefined && { limit }),
    });
    out.answer(answer, () => answer.conversations.flatMap((found) => [...foundLines(found, heed), ""]));
    for (const line of notesOf(answer, text, args.has("everywhere"))) out.note(styled("yellow", line));
  },
};

/** What of a conversation is shown, and how to see the rest. */
function restOf({ from, passages, count }: ShownConversation): string {
  const end = from + passages.length;
  const shown = passages.length === 0 ? "none" : `${from + 1} to ${end}`;
  const more = [
    ...(end < count && passages.length > 0 ? [`--from ${end + 1} goes on`] : []),
    ...(from > 0 ? ["--from 1 shows the beginning"] : []),
  ];
  return [`${shown} of ${plural(count, "passage", "passages")}`, ...more].join("; ");
}

function foundLines(found: ConversationAnswer["conversations"][number], heed: Heed): Text[] {
  const later =
    found.takenUpBy === undefined
      ? []
      : [
          styled(
            "yellow",
            `  taken up again on ${found.takenUpBy.time.slice(0, 10)} (${found.takenUpBy.session.slice(0, 8)}): this may hold no longer`,
          ),
        ];
  return [
    headOf(found, heed),
    ...later,
    ...found.passages.map((passage): Text => [
      styled("dim", `  ${WHO[passage.kind]}: `),
      oneLine(passage.text),
    ]),
  ];
}

function headOf({ session, client, repo, branch, ended }: ConversationPlace, heed: Heed): Text {
  const where = [client, repo && heed.setup.repositoryLabel(repo), branch]
    .filter((part) => part !== "")
    .join(", ");
  return [
    styled("bold", ended === "" ? "no date" : minuteOf(ended)),
    "  ",
    oneLine(session),
    styled("dim", `  ${oneLine(where)}`),
  ];
}

function passageLines({ kind, time, text }: ShownPassage, isOrigin: boolean): Text[] {
  const [first = "", ...rest] = cleanText(text).split("\n");
  const head = [styled("bold", WHO[kind]), styled("dim", time === "" ? "" : ` ${minuteOf(time)}`)];
  return [
    [...head, isOrigin ? styled("cyan", "  the memory came from here") : ""],
    ...[first, ...rest].map((line): Text => `  ${line}`),
  ];
}

function notesOf(answer: ConversationAnswer, text: string, isEverywhere: boolean): string[] {
  if (answer.isOff) return ["History is off (`history: off` in config.yaml): nothing is kept or found."];
  return [
    ...(answer.conversations.length > 0
      ? []
      : [
          `${text === "" ? "No conversation" : "Nothing about this"} ${isEverywhere ? "on this machine" : "of this repository"} among ${plural(answer.count, "conversation", "conversations")} kept${isEverywhere ? "" : "; --everywhere looks at all"}.`,
        ]),
    ...(answer.isPartial ? ["Not all new transcripts were read yet: ask again."] : []),
  ];
}
