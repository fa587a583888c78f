import type { Heed, TrustEntry, TrustReview } from "../../../heed.ts";
import { assertPerson } from "../arguments/assert-person.ts";
import { askYesNo } from "../terminal/ask-yes-no.ts";
import type { Command, Invocation } from "../arguments/command.ts";
import { plural } from "../output/counted.ts";
import { EXIT } from "../arguments/exit-code.ts";
import type { Text } from "../output/styled-text.ts";
import { cleanText, styled } from "../output/styled-text.ts";
import { diffLines } from "../terminal/write-answer.ts";

/** `heed trust` */
export const command: Command = {
  name: "trust",
  summary: "look once over rules that did not come through heed, and let them count",
  arguments: [],
  options: {
    yes: { short: "y", help: "approve without asking" },
    show: { help: "only show what would take force" },
    mine: { help: "of your own store, not of this repository's: what was edited by hand or laid there" },
    same: {
      help: "this clone and the place that is called like it are one: tell here what is kept of that one",
    },
    other: { help: "they are two: keep them apart, and do not ask again" },
  },
  details: [
    "A store that came with a clone was not made on this machine: its rules are shown as data, its guards do nothing.",
    "This shows each rule and guard with its text, asks, and approves these very texts. What others change later waits:",
    "until you run heed trust again, the approved text stays in force. One review is for all that a pull brought, and",
    "for all that was edited by hand or laid into your own store outside heed.",
    "A clone, a fork or an unpacked archive that is called as another place of this machine is told nothing of that one",
    "before you have said --same.",
  ],
  async run({ args, out, open, who }) {
    // A repository can ask a model to run this: only a person may let its rules count.
    if (!args.has("show")) assertPerson(who, "trusting a store is the user's decision", "heed trust");
    if (args.has("same") || args.has("other"))
      return answerClaims(args.has("same") ? "same" : "other", out, open());
    const heed = open();
    const { stores } = await heed.setup.status();
    const hasProject = stores.some(({ store }) => store.kind === "project");
    const kind = args.has("mine") || !hasProject ? "user" : "project";
    const review = await heed.setup.reviewTrust({ store: kind });
    const hasOwn = stores.some(({ store }) => store.kind === "user");
    if (kind === "project" && hasOwn && (await heed.setup.reviewTrust({ store: "user" })).entries.length > 0)
      out.note("Rules of your own store wait for your look too: heed trust --mine");
    if (args.has("show")) {
      out.answer(review, () => reviewLines(review));
      return EXIT.done;
    }
    const isApproved = review.store.isTrusted && review.entries.length === 0;
    if (!isApproved && !args.has("yes")) {
      out.note(...reviewLines(review));
      const question = review.store.isTrusted ? "Approve these changes?" : `Trust ${review.store.root}?`;
      if (!(await askYesNo(question))) {
        out.note("Nothing was approved. heed trust --yes approves without asking.");
        return EXIT.refused;
      }
    }
    const store = isApproved ? review.store : await heed.setup.trust({ token: review.token, store: kind });
    out.answer({ store, approved: review.entries.length }, () => [
      [
        styled("green", "✓ "),
        isApproved ? "nothing changed in " : "trusted ",
        styled("bold", store.root),
        ` (${plural(review.inForce + review.entries.filter(({ change }) => change !== "removed").length, "rule", "rules")})`,
      ],
    ]);
    return EXIT.done;
  },
};

async function answerClaims(answer: "same" | "other", out: Invocation["out"], heed: Heed): Promise<number> {
  const names = await heed.setup.answerClaims(answer);
  out.answer({ answer, names }, () => [
    [
      styled("green", "✓ "),
      answer === "same" ? `this is ${names[0] ?? ""}` : "kept apart: nothing of the other is told here",
    ],
  ]);
  return EXIT.done;
}

function reviewLines({ store, entries, inForce }: TrustReview): Text[] {
  const head = store.isTrusted
    ? `${plural(entries.length, "rule", "rules")} of ${store.root} changed or came past heed since you last looked, ${inForce} did not:`
    : `${store.root} came from elsewhere. When you trust it, ${entries.length === 1 ? "this takes" : `these ${entries.length} take`} force:`;
  if (entries.length === 0)
    return [store.isTrusted ? `Nothing waits for a review in ${store.root}.` : `${store.root} has no rules.`];
  return [head, "", ...entries.flatMap(entryLines)];
}

function entryLines(entry: TrustEntry): Text[] {
  const marks = {
    new: styled("green", "+ new "),
    changed: styled("yellow", "~ changed "),
    removed: styled("red", "- removed "),
  };
  return [
    [marks[entry.change], styled("bold", cleanText(entry.name)), "  ", styled("cyan", entry.type)],
    ...entry.guards.map((guard): Text => [styled("yellow", "    guard: "), cleanText(guard)]),
    ...(entry.hasUnreadableGuard
      ? [[styled("yellow", "    a guard that cannot be read: it does nothing")] as Text]
      : []),
    ...(entry.flags.length > 0
      ? [
          [
            styled("red", "    held back: its text speaks to a model; heed show it, then heed confirm it"),
          ] as Text,
        ]
      : []),
    ...(entry.diff === undefined
      ? cleanText(entry.text)
          .trimEnd()
          .split("\n")
          .map((line): Text => [styled("dim", "    | "), line])
      : diffLines(entry.diff).map((line): Text => ["    ", line])),
    "",
  ];
}
