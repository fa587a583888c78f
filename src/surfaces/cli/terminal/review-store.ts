import type { Heed, TrustEntry, TrustReview } from "../../../heed.ts";
import { EXIT, type Invocation } from "../arguments/command.ts";
import {
  type Text,
  bold,
  cleanText,
  cyan,
  dim,
  doneLine,
  green,
  plural,
  red,
  yellow,
} from "../output/text.ts";
import { diffLines } from "./answers.ts";
import { askYesNo } from "./read-given.ts";

const isOpen = ({ store, entries, changed }: TrustReview): boolean =>
  !store.isTrusted || entries.length + changed.length > 0;

/** The stores whose rules wait for a review here, and the command that shows each. */
export async function openReviews({ setup }: Heed): Promise<(TrustReview & { command: string })[]> {
  const kinds = new Set(setup.stores().map(({ kind }) => kind));
  const shared =
    kinds.has("project") || kinds.has("team")
      ? { ...(await setup.reviewTrust({})), command: "heed inbox trust" }
      : undefined;
  const own = kinds.has("user")
    ? { ...(await setup.reviewTrust({ store: "user" })), command: "heed inbox trust --mine" }
    : undefined;
  return [
    ...(shared && isOpen(shared) ? [shared] : []),
    // Changed settings are in both, and are reviewed once.
    ...(own && (shared ? own.entries.length > 0 : isOpen(own)) ? [own] : []),
  ];
}

/** Shows the rules that did not come through heed, asks, and puts exactly these texts into force. */
export async function reviewStore({ args, out, open }: Invocation): Promise<number> {
  const heed = open();
  const kinds = new Set(heed.setup.stores().map(({ kind }) => kind));
  const store = args.has("mine") || !(kinds.has("project") || kinds.has("team")) ? "user" : undefined;
  const review = await heed.setup.reviewTrust({ store });
  if (store === undefined && (await openReviews(heed)).some(({ command }) => command.endsWith("--mine")))
    out.note("Rules of your own store need your approval too: heed inbox trust --mine");
  if (args.has("show")) {
    out.answer(review, () => reviewLines(review));
    return EXIT.done;
  }
  for (const words of review.unreadable)
    out.note(`A rule that cannot be read stays in force as it was approved: ${cleanText(words)}`);
  const isApproved = !isOpen(review);
  if (!isApproved && !args.has("yes")) {
    out.note(...reviewLines(review));
    const question = review.store.isTrusted
      ? "Approve these changes?"
      : `Trust ${cleanText(review.store.source ?? review.store.root)}?`;
    if (!(await askYesNo(question))) {
      out.note("Nothing was approved. heed inbox trust --yes approves without asking.");
      return EXIT.refused;
    }
  }
  const trusted = isApproved ? review.store : await heed.setup.trust({ token: review.token, store });
  out.answer({ store: trusted, approved: review.entries.length }, () => [
    doneLine(
      isApproved ? "nothing changed in " : "trusted ",
      bold(trusted.source ?? trusted.root),
      ` (${review.says || plural(review.inForce, "rule")})`,
    ),
  ]);
  return EXIT.done;
}

/** What a person is shown of a review: all that takes force by it. */
export function reviewLines({ store, entries, changed, says, inForce }: TrustReview): Text[] {
  const name = store.source ?? store.root;
  const past = changed.map(cleanText);
  if (entries.length === 0)
    return past.length > 0
      ? past
      : [store.isTrusted ? `Nothing needs a review in ${name}.` : `${name} has no rules.`];
  const head = store.isTrusted
    ? `Changed outside heed in ${name} since your last review: ${says} (unchanged: ${plural(inForce, "rule")})`
    : `${name} came from elsewhere. When you trust it, its rules take force: ${says}`;
  // A fact of a repository's store is told already, and there may be hundreds.
  return [
    ...past,
    head,
    "",
    ...entries.flatMap((entry) => entryLines(entry, !entry.isFact || store.kind === "team")),
  ];
}

const QUARANTINED =
  "quarantined for imitated marks or hidden characters: look at it with heed show, then heed inbox confirm it";

function entryLines(entry: TrustEntry, isWhole: boolean): Text[] {
  const text = cleanText(isWhole ? entry.text : entry.statement).trimEnd();
  const marks = { new: green("+ new "), changed: yellow("~ changed "), removed: red("- removed ") };
  return [
    [marks[entry.change], bold(cleanText(entry.name)), "  ", cyan(entry.type)],
    ...entry.guards.map((guard): Text => [yellow("    guard: "), cleanText(guard)]),
    ...entry.stopsNoMore.map((guard): Text => [yellow("    stops no more: "), cleanText(guard)]),
    ...(entry.hasUnreadableGuard ? [yellow("    a guard that cannot be read: it does nothing")] : []),
    ...(entry.flags.length > 0 ? [red(`    ${QUARANTINED}`)] : []),
    ...(entry.diff === undefined
      ? text.split("\n").map((line): Text => [dim("    | "), line])
      : diffLines(entry.diff).map((line): Text => ["    ", line])),
    "",
  ];
}
