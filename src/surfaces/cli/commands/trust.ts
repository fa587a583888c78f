import type { Heed, TrustEntry, TrustReview } from "../../../heed.ts";
import { assertPerson } from "../arguments/acting-as.ts";
import type { CommandSpec, Invocation } from "../arguments/command.ts";
import { EXIT } from "../arguments/exit-code.ts";
import { plural } from "../output/counted.ts";
import type { Text } from "../output/styled-text.ts";
import { bold, cleanText, cyan, dim, doneLine, green, red, yellow } from "../output/styled-text.ts";
import { askYesNo } from "../terminal/ask-yes-no.ts";
import { diffLines } from "../terminal/write-answer.ts";

const trust: CommandSpec = {
  options: {
    yes: { short: "y", help: "approve without asking" },
    show: { help: "only show what would take force" },
    mine: { help: "your own store instead of this repository's: files edited or added by hand" },
    same: { help: "this clone and the place of the same name are one: inject its memories here" },
    other: { help: "they are two: keep them apart, and do not ask again" },
  },
  details: [
    "A store that came with a clone was not made on this machine: its rules are shown as data, its guards do nothing.",
    "This shows each rule and guard with its text, asks, and approves exactly these texts. Later changes by others wait",
    "until you run heed trust again; the approved text stays in force. One review covers all that a pull brought, and",
    "all that was edited or added by hand in your own store.",
    "Into a clone, fork or unpacked archive with the name of another place on this machine, nothing of that place is",
    "injected until you have said --same.",
  ],
  json: '{"store": {"id", "kind", "root", "isTrusted", "isReadOnly"}, "approved"}; --show {"store", "entries", "inForce"}; --same, --other {"answer", "names"}',
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
      out.note("Rules of your own store need your review too: heed trust --mine");
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
    const kept = review.entries.filter(({ change }) => change !== "removed").length;
    out.answer({ store, approved: review.entries.length }, () => [
      doneLine(
        isApproved ? "nothing changed in " : "trusted ",
        bold(store.root),
        ` (${plural(review.inForce + kept, "rule")})`,
      ),
    ]);
    return EXIT.done;
  },
};

async function answerClaims(answer: "same" | "other", out: Invocation["out"], heed: Heed): Promise<number> {
  const names = await heed.setup.answerClaims(answer);
  out.answer({ answer, names }, () => [
    doneLine(
      answer === "same" ? `this is ${names[0] ?? ""}` : "kept apart: nothing of the other is injected here",
    ),
  ]);
  return EXIT.done;
}

function reviewLines({ store, entries, inForce }: TrustReview): Text[] {
  const head = store.isTrusted
    ? `${plural(entries.length, "rule")} of ${store.root} changed outside heed since your last review, ${inForce} did not:`
    : `${store.root} came from elsewhere. When you trust it, ${entries.length === 1 ? "this takes" : `these ${entries.length} take`} force:`;
  if (entries.length === 0)
    return [store.isTrusted ? `Nothing needs a review in ${store.root}.` : `${store.root} has no rules.`];
  return [head, "", ...entries.flatMap(entryLines)];
}

function entryLines(entry: TrustEntry): Text[] {
  const marks = { new: green("+ new "), changed: yellow("~ changed "), removed: red("- removed ") };
  return [
    [marks[entry.change], bold(cleanText(entry.name)), "  ", cyan(entry.type)],
    ...entry.guards.map((guard): Text => [yellow("    guard: "), cleanText(guard)]),
    ...(entry.hasUnreadableGuard
      ? [[yellow("    a guard that cannot be read: it does nothing")] as Text]
      : []),
    ...(entry.flags.length > 0
      ? [
          [
            red("    held back: its text gives orders to a model; heed show it, then heed inbox confirm it"),
          ] as Text,
        ]
      : []),
    ...(entry.diff === undefined
      ? cleanText(entry.text)
          .trimEnd()
          .split("\n")
          .map((line): Text => [dim("    | "), line])
      : diffLines(entry.diff).map((line): Text => ["    ", line])),
    "",
  ];
}

/** The commands of this file. */
export const commands: Readonly<Record<string, CommandSpec>> = { trust };
