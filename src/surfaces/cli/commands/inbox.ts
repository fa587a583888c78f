import type { Heed, TrustEntry, TrustReview, PendingItem } from "../../../heed.ts";
import { type Invocation, type CommandSpec, EXIT } from "../arguments/command.ts";
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
  oneLine,
} from "../output/output.ts";
import { diffLines, answerWrite } from "../terminal/answers.ts";
import { askYesNo } from "../terminal/read-given.ts";

const isOpen = ({ store, entries, changed }: TrustReview): boolean =>
  !store.isTrusted || entries.length + changed.length > 0;

/** The stores whose rules wait for a review here, and the command that shows each. */
async function openReviews({ setup }: Heed): Promise<(TrustReview & { command: string })[]> {
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
async function reviewStore({ args, out, open }: Invocation): Promise<number> {
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

const ACTIONS = ["list", "confirm", "reject", "restore", "trust"] as const;
const OF_ONE = ["confirm", "reject", "restore"];
const TRUST = { goesWith: ["trust"] };

const inbox: CommandSpec = {
  arguments: [
    { name: "ACTION", isOptional: true, words: ACTIONS },
    { name: "NAME", isOptional: true, goesWith: OF_ONE, neededBy: OF_ONE },
  ],
  options: {
    reason: { value: "TEXT", short: "r", goesWith: ["reject"], help: "why" },
    yes: { short: "y", ...TRUST, help: "approve without asking" },
    show: { ...TRUST, help: "only show what would come into force" },
    mine: { ...TRUST, help: "your own store instead of this repository's" },
  },
  details: [
    "Statements about you, conflicting edits and memories from elsewhere need your approval.",
    "list            all of them (the default); heed ui shows them in your browser",
    "confirm NAME    approve it, in a terminal of your own; in a session you type `heed yes CODE` instead. heed undo takes it back",
    "reject NAME     drop it; it is not proposed again",
    "restore NAME    bring a rejected one back",
    "trust           approve the rules and guards of a store that came with a clone; until then agents see them as data",
    "",
    "trust shows each text, asks, and approves exactly these texts. When others change one later, the approved text stays in",
    "force until you run it again. --mine reviews what was edited or added by hand in your own store, settings included.",
  ],
  examples: ["heed inbox", "heed inbox confirm go-expert", 'heed inbox reject go-expert --reason "not so"'],
  json: 'list {"pending": [...], "reviews": [...]}; confirm as heed write; reject {"rejected", "reason"}; restore {"restored"}; trust {"store", "approved"}; trust --show {"store", "entries", "changed", "unreadable", "inForce"}',
  async run(invocation) {
    const { args, out, open, actor } = invocation;
    const [action = "list", name = ""] = args.positionals;
    const heed = open();
    if (action === "trust") return reviewStore(invocation);
    if (action === "confirm") return answerWrite(await heed.inbox.confirm(name, {}, actor), invocation);
    if (action === "reject") {
      const reason = args.text("reason") ?? "no reason given";
      await heed.inbox.reject(name, reason, actor);
      out.answer({ rejected: name, reason }, () => [
        doneLine(`rejected ${name}: it is not proposed again; heed inbox restore ${name} brings it back`),
      ]);
      return EXIT.done;
    }
    if (action === "restore") {
      await heed.inbox.restore(name, actor);
      out.answer({ restored: name }, () => [doneLine(`${name} is in the inbox again`)]);
      return EXIT.done;
    }
    const listed = await heed.inbox.list({ reader: actor });
    const pending = await Promise.all(listed.map((item) => replayed(item, heed)));
    const reviews = (await openReviews(heed)).map(({ store, says, changed, command }) => ({
      store: store.source ?? store.root,
      says: [says, changed.length > 0 ? "changed settings" : ""].filter(Boolean).join(", "),
      command,
    }));
    out.answer({ pending, reviews }, () => {
      if (pending.length + reviews.length === 0) return out.nothing("The inbox is empty.");
      const toReview = reviews.map(({ store, says, command }): Text =>
        out.isTerminal ? [bold(store), `  ${says}  `, dim(command)] : `store\t${store}\t${says}\t${command}`,
      );
      if (!out.isTerminal)
        return [
          ...out.rows(
            [],
            pending.map((item) => [
              item.type,
              item.name,
              item.statement,
              reasonLine(item),
              placeOf(item, heed),
            ]),
          ),
          ...toReview,
        ];
      return [
        ...pending.flatMap((item): Text[] => [
          ...describeItem(item, heed),
          dim(`  heed inbox confirm ${item.name}   |   heed inbox reject ${item.name} --reason "…"`),
          "",
        ]),
        ...toReview,
      ];
    });
    return EXIT.done;
  },
};

const REPLAY_MS = 2000;

/** An item whose guard says what it would have stopped. */
async function replayed(item: PendingItem, heed: Heed): Promise<PendingItem> {
  if (item.guard === undefined) return item;
  const tried = await heed.guards.replay(item.name, { withinMs: REPLAY_MS }).catch(() => undefined);
  return tried ? { ...item, guard: `${item.guard}. ${tried.summary}` } : item;
}

/** What a person is shown of an item: all that a yes puts into force. */
export function describeItem(item: PendingItem, heed: Pick<Heed, "setup">): Text[] {
  const { name, type, statement, target, guard, bounds, diff } = item;
  return [
    [
      cyan(type),
      "  ",
      bold(statement),
      dim(`  ${[placeOf(item, heed), `[${name}]`].filter((part) => part !== "").join("  ")}`),
    ],
    dim(`  ${reasonLine(item)}`),
    ...(target === undefined ? [] : [[dim("  changes: "), target]]),
    ...(guard === undefined ? [] : [[dim("  with a guard, which stops tools: "), guard]]),
    ...(bounds === undefined ? [] : [[dim("  applies, and has: "), bounds]]),
    // What a person confirms is the whole of it.
    ...(diff === undefined ? bodyLines(item) : diffLines(diff).map((line): Text => ["    ", line])),
  ];
}

function reasonLine({ statement, quote, reason }: PendingItem): string {
  return quote === undefined || quote === statement ? reason : `you said: "${oneLine(quote)}"`;
}

function placeOf({ repo }: PendingItem, heed: Pick<Heed, "setup">): string {
  return repo === undefined ? "" : heed.setup.repositoryLabel(repo);
}

/** The text without a line that only repeats the statement. */
function bodyLines({ statement, body }: PendingItem): Text[] {
  const lines = cleanText(body).split("\n");
  return lines
    .filter((line) => line.trim() !== "" && line.trim().replace(/\.$/, "") !== statement.replace(/\.$/, ""))
    .map((line): Text => [dim("  | "), line]);
}

export const commands: Readonly<Record<string, CommandSpec>> = { inbox };
