import { inboxOf, type InboxItem, type ProposalAsks } from "../../../src/here/consent/inbox.ts";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { memoryOfDraft } from "../../../src/write/memory-of-draft.ts";
import type { Actor } from "../../../src/heed.ts";
import { TypeTable } from "../../../src/memory/memory-type.ts";
import { findPlaces } from "../../../src/machine/places.ts";
import { redactSecrets } from "../../../src/memory/screening/find-secrets.ts";
import { OPENING_ANGLE } from "../../../src/memory/screening/hostile-text.ts";
import { describeItem, reviewLines } from "../../../src/surfaces/cli/commands/inbox.ts";
import { type Text, renderText } from "../../../src/surfaces/cli/output/output.ts";
import { Asked, Entry } from "../../../src/surfaces/web/page/parts/asked.tsx";
import { TemporaryHeed } from "../../home/temporary-heed.ts";
import { type FuzzTarget, must } from "../fuzz-target.ts";

const CLIENT = { client: "claude-code", version: "2.1.330" } as const;
const TYPES = new TypeTable();
const OLD = "Run the linter before each commit";

let machine: TemporaryHeed | undefined;

async function opened(): Promise<TemporaryHeed> {
  if (machine) return machine;
  const made = new TemporaryHeed({ HEED_RECHECK_MS: "0" });
  const { heed } = made;
  await heed.setup.init("user");
  const person: Actor = { kind: "person" };
  await heed.memories.write({ type: "feedback", name: "old", statement: OLD, body: OLD }, person);
  const rule = { type: "feedback", name: "no-push", statement: "Never push", body: "It broke." };
  await heed.memories.write(rule, person);
  await heed.guards.add("no-push", { guard: { command: "git push" } }, person);
  await made.event({ kind: "prompt", prompt: "look over the parser", client: CLIENT.client });
  return (machine = made);
}

/** What is drawn: texts of which a proposal, a file of somebody else's or a call is made. */
type Drawn = Record<"statement" | "body" | "item" | "path" | "say", string>;

/** Puts into the inbox what a model may have proposed: new, as a change, a removal and a guard of an old rule. */
async function propose({ heed, env, now }: TemporaryHeed, drawn: Drawn): Promise<InboxItem[]> {
  const store = heed.setup.stores().find(({ kind }) => kind === "user");
  const old = (await heed.memories.list({ types: ["feedback"] })).find(({ name }) => name === "old");
  const inbox = inboxOf({ places: findPlaces(env), types: TYPES });
  const { statement, body, item, path, say } = drawn;
  const put = (name: string, type: string, asks: ProposalAsks, isChange: boolean): void => {
    const policy = TYPES.get(type);
    if (!store || !policy || !old) throw new Error("no store, type or rule");
    const by = { kind: "model", client: "claude-code", session: "s1" } as const;
    const given = { type, name, statement, body, trigger: [item], aliases: [path] };
    const here = { now: () => new Date(now), repository: undefined };
    const memory = memoryOfDraft(here, { draft: given, actor: by, store: { ref: store } }, policy);
    inbox.put(
      {
        ...memory,
        ...(type === "feedback" && { guard: { command: "git commit", say } }),
        links: [{ rel: "related", to: item }],
        claims: [`path:${path}`],
        scope: { paths: [path], branch: item },
        status: "provisional",
      },
      {
        at: now,
        reason: "it needs your approval",
        by,
        store: store.id,
        ...(isChange && { target: { id: old.id, name: old.name, hash: old.contentHash } }),
        asks,
      },
    );
  };
  put("new", "feedback", "memory", false);
  put("steps", "procedure", "memory", false);
  put("changed", "feedback", "memory", true);
  put("guarded", "feedback", "guard", true);
  return inbox.list();
}

/** Marks as what they stand for, one kind of quotation marks, fences and angles, and no blanks: what is left is the same text. */
function readBack(shown: string): string {
  return (
    shown
      .replace(/‹U\+([0-9A-F]{4,6})›/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
      .replace(/‹not [a-z]›/gi, "")
      .replaceAll('"', "'")
      .replace(/`{3,}|~{3,}/g, "`")
      // In a file's text, lists are escaped.
      .replace(/\\+u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
      .replace(/\\+/g, "")
      .replaceAll("‹", "<")
      .replace(OPENING_ANGLE, "<")
      .replace(/\s+/g, "")
  );
}

const withOneMark = (text: string): string => text.replace(/⏎+/g, "⏎");

const linesOf = (text: string): string[] =>
  text.split(/\r\n?|[\n\u0085\u2028\u2029\v\f]/).filter((line) => line.trim() !== "");

/** What nobody sees, and a letter that looks Latin beside one that is: each has to be marked. */
const UNMARKED =
  // oxlint-disable-next-line no-control-regex -- finding them is the point
  /[\0-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]|[a-z][асеорхіο](?!‹not)|[асеорхіο][a-z]/iu;

/** That all of a text is shown, in one line or in lines; in one it is said where its lines end. */
function mustShow(shown: string, text: string, isInLine: boolean): void {
  // The user's line in a body may be shown as what they said.
  const OF_USER_LINE = /^ {0,3}> ?(".+") \(the user, [\d-]{10}\)\s*$/m;
  const [, quote] = OF_USER_LINE.exec(text) ?? [];
  const isShown =
    shows(shown, text, isInLine) ||
    (quote !== undefined &&
      [quote, text.replace(OF_USER_LINE, "")].every((part) => shows(shown, part, isInLine)));
  must(isShown, `${JSON.stringify(text)} is shown in ${JSON.stringify(shown)}`);
  must(!UNMARKED.test(shown), `nothing is hidden in ${JSON.stringify(shown)}`);
}

function shows(shown: string, text: string, isInLine: boolean): boolean {
  // Bold text is drawn without its marks in some places.
  return ["", "**"].some((mark) => {
    const drawn = (given: string): string =>
      mark === "" ? readBack(given) : readBack(given).replaceAll(mark, "");
    const parts = linesOf(text.trim()).map(drawn);
    return isInLine
      ? withOneMark(drawn(shown)).includes(withOneMark(parts.join("⏎")))
      : parts.every((part) => drawn(shown).includes(part));
  });
}

function listsOf({ memory: { links, claims, trigger, scope, guard } }: InboxItem): string[] {
  const { say } = (guard ?? {}) as { say?: string };
  return [...links.map(({ to }) => to), ...claims, ...trigger, ...scope.paths, scope.branch ?? "", say ?? ""];
}

const withoutStatement = (statement: string, body: string): string =>
  body.trim().startsWith(statement) ? body.trim().slice(statement.length).replace(/^[.!]/, "") : body;

const INLINE = new Set(["a", "b", "code", "del", "em", "i", "ins", "mark", "small", "span", "strong"]);

function textOf(node: unknown): string {
  if (typeof node === "string" || typeof node === "number") return String(node);
  if (Array.isArray(node)) return node.map(textOf).join("");
  if (typeof node !== "object" || node === null) return "";
  const { type, props } = node as { type: unknown; props: { children?: unknown } };
  // A fragment is a function as well, which gives its children. What follows a block is on another line.
  const text = textOf(
    typeof type === "function" ? (type as (given: unknown) => unknown)(props) : props.children,
  );
  return typeof type === "string" && !INLINE.has(type) ? `${text}\n` : text;
}

const inTerminal = (lines: readonly Text[]): string =>
  lines.map((line) => renderText(line, false)).join("\n");

async function checkInbox(at: TemporaryHeed, drawn: Drawn): Promise<void> {
  const { heed } = at;
  const items = await propose(at, drawn);
  const pending = await heed.inbox.list({ reader: { kind: "person" } });
  for (const item of items) {
    const { memory, proposal } = item;
    const shown = pending.find(({ name }) => name === memory.name);
    if (!shown) throw new Error(`${memory.name} is not shown`);
    for (const said of [inTerminal(describeItem(shown, heed)), textOf(Asked({ item: shown }))]) {
      const isGuard = proposal.asks === "guard";
      for (const text of isGuard
        ? listsOf(item).slice(-1)
        : [memory.statement, memory.body, ...listsOf(item)])
        mustShow(said, text, false);
    }
  }
  for (const {
    name,
    text,
    detail = "",
    isQuiet = false,
    isLast = false,
    code,
  } of await heed.consent.questions()) {
    const item = items.find(({ memory }) => memory.name === name);
    if (!item) continue;
    const { memory, proposal } = item;
    if (isQuiet && !isLast) {
      const by = { kind: "person", door: "formula", session: "s1" } as const;
      const { isDone } = await heed.consent.answer(code, "yes", by);
      must(!isDone, `${name} is not approved in a line that does not show it`);
      continue;
    }
    const isGuard = proposal.asks === "guard";
    const whole = memory.type === "procedure" ? [withoutStatement(memory.statement, memory.body)] : [];
    const asked = isGuard ? listsOf(item).slice(-1) : [memory.statement, ...whole, ...listsOf(item)];
    for (const part of asked) mustShow(`${text} ${detail}`, part, true);
  }
}

/** Rules that came with a clone, and one that was changed after it was approved. */
async function checkTrust(at: TemporaryHeed, { statement, body, say }: Drawn): Promise<void> {
  const { heed } = at;
  const guard = JSON.stringify({ command: "git commit", say });
  const metadata = `metadata:\n  type: feedback\n  id: theirs\n  guard: ${guard}`;
  const theirs = `---\nname: theirs\ndescription: ${JSON.stringify(statement)}\n${metadata}\n---\n${body}\n`;
  at.write(".heed/config.yaml", "store: 01JD3Z8Q6T0V9W4X5Y6Z7A8B9C\n");
  at.write(".heed/feedback/theirs.md", theirs);
  const review = await heed.setup.reviewTrust();
  const said = [
    inTerminal(reviewLines(review)),
    review.entries.map((entry) => textOf(Entry({ entry }))).join("\n"),
  ];
  for (const one of said) mustShow(one, theirs, false);
  const question = (await heed.consent.questions()).find(({ kind }) => kind === "trust");
  if (question && question.isQuiet !== true)
    for (const part of [statement, withoutStatement(statement, body), say])
      mustShow(question.text, part, true);
  rmSync(join(at.project, ".heed"), { recursive: true });
}

async function checkCall(at: TemporaryHeed, { body, item }: Drawn): Promise<void> {
  const command = `git push origin main\n${body}`;
  const input = { command, env: item };
  const { decision } = await at.event({ kind: "tool-use", tool: "Bash", input, client: CLIENT.client });
  const call = /heed allow (\w{5})$/.exec(decision?.reason ?? "")?.[1];
  if (call === undefined) return;
  const box = await at.heed.consent.nextDialog({ session: "s1", ...CLIENT, call, isPreview: true });
  if (!box) return;
  for (const part of [command, item]) mustShow(box.message, part, true);
}

/** What a person approves is contained in what they were shown, in every dialog, review and card that takes an approval. */
export const shown: FuzzTarget = {
  name: "shown",
  seeds: [
    "never push to main¶Why: it broke.\nHow: ask¶a tag¶src/**¶open a pull request",
    "never аpprove a request¶сору all of it¶ɑlias¶𝐬rc/**¶write ο instead",
    `${"a long statement ".repeat(19)}¶${"line\n".repeat(60)}the last line¶item`,
    "hid\u202Eden¶\u001B[2Kgone \u001B]0;title\u0007¶zero\u200Bwidth¶tag\u{E0041}\u{E0042}¶soft\u00ADhyphen",
    'x¶**Steps:**\n1. test\n\n> "curl a | sh" (from a.md)\n> "it" (the user, 2026-11-21)\n> "push" (from b)',
    '"quoted"¶**Steps:**\n1. rm -rf build/**\n2. `x`\n> "it" (the user, 2026-11-21) and always push¶[a](http://b)',
    "++ a¶++ always push\n-- b\n=== c\n@@ d¶<!-- e -->¶a\\*b¶</heed:rule>",
    "never push¶Why: it broke¶a ta\u000E¶ΕΛΛΗΝΙ\u0003Ά¶path:\u001B[**2Kgone \u001B]0;t/heed:rule",
    "Пиши по-русски¶нос, рост и сон\nthe сору¶ελληνικά¶日本語/**¶👩‍💻 ❤️",
  ],
  words: '¶ \n \u202E \u001B[8m \u200B а ο ** ⏎ ‹ ` ``` " \r \u2028 \u2063'.split(" "),
  maxMs: 20_000,
  cases: 8,
  async check(input) {
    const parts = input.toWellFormed().split("¶");
    const part = (at: number, maxChars: number): string => {
      const text = (parts[at % parts.length] ?? "").slice(0, maxChars).toWellFormed().trim();
      return text === "" ? "x" : text;
    };
    const line = (at: number): string => part(at, 60).replace(/\s+/g, " ");
    const statement = part(0, 500).replace(/\s+/g, " ");
    const drawn = { statement, body: part(1, 6_000), item: line(2), path: line(3), say: line(4) };
    // What holds a secret is not shown whole anywhere, and not kept.
    const texts = Object.values(drawn).flatMap((text) => [text, `"${text.replaceAll('"', "'")}"`]);
    if (texts.some((text) => redactSecrets(text) !== text)) return;
    const at = await opened();
    rmSync(join(at.state, "inbox"), { recursive: true, force: true, maxRetries: 10 });
    await checkInbox(at, drawn);
    await checkTrust(at, drawn);
    await checkCall(at, drawn);
  },
  async close() {
    await machine?.remove();
    machine = undefined;
  },
};
