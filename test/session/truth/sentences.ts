/** By these a model knows a memory. */
const KNOWING = [
  "rule at the start",
  "rule that is new or changed",
  "fact in the map",
  "fact that is new or changed",
  "fact on a prompt",
  "remembered",
] as const;
/** What a sentence of heed's says of a memory's state. */
export const SENTENCE_KINDS = [
  ...KNOWING,
  "fact that is data",
  "no longer in force",
  "forgotten on the user's word",
  "removed, not to be relied on",
  "waits, to the user",
  "waits, to the model",
  "waits, in the answer of a write",
  "waits, in the dialog",
  "waits, in the inbox",
  "written as data",
  "kept, to the user",
  "removed",
  "approved",
  "not approved",
  "stale",
  "missing",
  "expired",
  "passed",
  "not kept",
] as const;
export type SentenceKind = (typeof SENTENCE_KINDS)[number];
export const KNOWN_BY: ReadonlySet<SentenceKind> = new Set(KNOWING);

/** One sentence, with what it is about: handles, statements, a code that is offered. */
export interface Sentence {
  kind: SentenceKind;
  text: string;
  /** What stands behind `heed:`: the memory's name, or a few words and a mark of it. */
  name?: string;
  /** Its statement, as far as the sentence has it. */
  statement?: string;
  code?: string;
  day?: string;
  count?: number;
  store?: "user" | "project";
}

const HANDLE = /heed:([a-z0-9-]+(?:\.[a-z0-9]{4})?)/g;

/** The sentences in what an event gives the model. */
export function toModel(context: string): Sentence[] {
  const found: Sentence[] = [];
  let part: "rules" | "changed rules" | "map" | "changed map" | "facts" | "waits" | undefined;
  let isChangedMap = false;
  for (const line of context.split("\n")) {
    if (line.startsWith("Standing rules that heed keeps, new or changed")) part = "changed rules";
    else if (line.startsWith("Standing rules")) part = "rules";
    else if (line.startsWith("New or changed in what heed keeps")) isChangedMap = true;
    else if (line === "<heed-map>") part = isChangedMap ? "changed map" : "map";
    else if (line === "<heed-memories>") part = "facts";
    else if (line.startsWith("These need the user's approval")) part = "waits";
    else if (line.startsWith("</heed-")) part = undefined;
    else if (part !== undefined && !/map|facts/.test(part) && !/^(?:- |\s)/.test(line)) part = undefined;
    if (part === "waits" && line.startsWith("- ")) found.push(waiting("waits, to the model", line));
    else if ((part === "rules" || part === "changed rules") && line.startsWith("- "))
      found.push(...named(part === "rules" ? "rule at the start" : "rule that is new or changed", line));
    else if ((part === "map" || part === "changed map") && line.startsWith("- ")) {
      const facts = named(part === "map" ? "fact in the map" : "fact that is new or changed", line);
      found.push(...facts, ...marksIn(line, facts));
    } else if (part === "facts" && line.startsWith("[heed:")) {
      const [, name = ""] = /^\[heed:([^\]]+)\]/.exec(line) ?? [];
      const isData = line.includes("not approved on this machine");
      const kind = isData ? "fact that is data" : line.includes("EXPIRED") ? "expired" : "fact on a prompt";
      const fact: Sentence = { kind, text: line, name };
      found.push(fact, ...marksIn(line, [fact]));
    }
    if (line.startsWith("No longer in force"))
      for (const [, name = ""] of line.matchAll(HANDLE))
        found.push({ kind: "no longer in force", text: line, name });
    for (const kind of ["forgotten on the user's word", "removed, not to be relied on"] as const)
      if (line.toLowerCase().startsWith(`${kind}: `)) found.push(...quotedIn(kind, line));
    const brought = /brings (\d+) memor\w+ that \w+ not approved/.exec(line);
    if (brought) found.push({ kind: "not approved", text: line, count: Number(brought[1]) });
    found.push(...answers(line));
  }
  return found;
}

/** The sentences in what the user is shown. */
export function toUser(notice: string): Sentence[] {
  return notice.split("\n").flatMap((line): Sentence[] => {
    if (line.startsWith("Needs your approval, not in force")) return [waiting("waits, to the user", line)];
    const kept =
      /^(?:kept|changed)(?: as a rule| about you)?: (.*?)(?: \((?:you|the user|read as): .*\))? \[heed:([^\]]+)\]/.exec(
        line,
      );
    if (kept)
      return [{ kind: "kept, to the user", text: line, statement: kept[1] ?? "", name: kept[2] ?? "" }];
    if (
      /^(?:This repository|Your own store) has .* (?:not approved on this machine|changed outside heed): /.test(
        line,
      )
    )
      return quotedIn("not approved", line.replace(/\. (?:It is|They are|What changed).*$/, ""));
    return answers(line);
  });
}

/** The sentences in heed's answer to a write, a removal or a formula. */
export function answers(line: string): Sentence[] {
  const about = (kind: SentenceKind, match: RegExpExecArray | null): Sentence[] =>
    match ? [{ kind, text: line, statement: match[1] ?? "", name: match[2] ?? "" }] : [];
  if (line.startsWith("needs your approval")) {
    const match = /^needs your approval \([^)]*\): (.*?) - .*heed yes ([a-z0-9]+)/.exec(line);
    return match
      ? [
          {
            kind: "waits, in the answer of a write",
            text: line,
            statement: match[1] ?? "",
            code: match[2] ?? "",
            store: line.includes("for the repository's store") ? "project" : "user",
          },
        ]
      : [];
  }
  return [
    ...about(
      line.includes("; data until ") ? "written as data" : "remembered",
      /(?:remembered|changed|confirmed)(?: as a rule| about you)?(?: in [a-z' ]+)? \(\w+\): (.*?) \[heed:([^\]]+)\]/.exec(
        line,
      ),
    ),
    ...about("removed", /(?:removed|forgotten): (.*?) \[heed:([^\]]+)\]/.exec(line)),
    ...(/\bApproved: /.test(line) ? [{ kind: "approved" as const, text: line }] : []),
    ...(/Nothing was (?:kept|changed): /.test(line) ? [{ kind: "not kept" as const, text: line }] : []),
  ];
}

/** The sentence about something that waits: its statement, and the code that answers it. */
export function waiting(kind: SentenceKind, text: string): Sentence {
  const statement = /(?:: |Keep )"([^"]*)"/.exec(text)?.[1];
  const code = /heed yes ([a-z0-9]+)/.exec(text)?.[1];
  const store = text.includes("which others read") ? ("project" as const) : ("user" as const);
  return {
    kind,
    text,
    store,
    ...(statement !== undefined && { statement }),
    ...(code !== undefined && { code }),
  };
}

/** What a line says of the memories that it names at its end. */
function named(kind: SentenceKind, line: string): Sentence[] {
  const end = /\[((?:heed:)[^\]]*)\](?: \(.*\))?$/.exec(line);
  if (!end) return [];
  const names = [...(end[1] ?? "").matchAll(HANDLE)].map(([, name = ""]) => name);
  const statement = line
    .slice(2, end.index)
    .replace(/ \([^()]*\) $/, "")
    .trim();
  return names.map((name) => ({
    kind,
    text: line,
    name,
    // Look-alikes share a line, in which no statement stands whole.
    ...(names.length === 1 && !/\{.*\}/.test(statement) && { statement }),
  }));
}

function quotedIn(kind: SentenceKind, line: string): Sentence[] {
  const about = /"([^"]*)"(?: \[heed:([a-z0-9.-]+)\])?/g;
  return [...line.matchAll(about)].map(([, statement = "", name]) => ({
    kind,
    text: line,
    statement,
    ...(name !== undefined && { name }),
  }));
}

function marksIn(line: string, facts: readonly Sentence[]): Sentence[] {
  const [fact] = facts;
  const about = fact?.name === undefined ? {} : { name: fact.name };
  const days = [...line.matchAll(/(?:held until (\d{4}-\d\d-\d\d)|(\d{4}-\d\d-\d\d) has passed)/g)];
  return [
    ...(line.includes("stale: ") ? [{ kind: "stale" as const, text: line, ...about }] : []),
    ...(/\d of \d paths missing/.test(line) ? [{ kind: "missing" as const, text: line, ...about }] : []),
    ...days.map(([, until, day = until ?? ""]) => ({ kind: "passed" as const, text: line, day, ...about })),
  ];
}
