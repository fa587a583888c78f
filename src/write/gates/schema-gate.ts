import { type GateRefusal, LINK_RELATIONS, type MemoryDraft } from "../../memory/memory.ts";
import { cutShown, redactSecrets } from "../../memory/screening/find-secrets.ts";
import { LIMITS } from "../../memory/limits.ts";
import { MEMORY_FIELDS } from "../../memory/memory-fields.ts";
import { slugOf } from "../../memory/handle.ts";
import { normaliseTime } from "../../machine/read-fields.ts";
import { missingNeeds } from "../../memory/codec/sections.ts";
import type { GateContext, GateAnswer } from "./gate.ts";
import { nearestNames } from "../../memory/nearest-names.ts";
import { dayInWords } from "./text-gates.ts";

export function schemaGate(draft: MemoryDraft, context: GateContext): GateAnswer {
  const refusals: GateRefusal[] = [];
  const refuse: Refuse = (reason, remedy, more) => {
    refusals.push({ gate: "schema", reason, remedy, ...more });
  };
  checkType(draft, context, refuse);
  checkTexts(draft, refuse);
  checkKeys(draft, context, refuse);
  checkNeeds(draft, context, refuse);
  return { refusals };
}

type Refuse = (reason: string, remedy: string, more?: Pick<GateRefusal, "proposal" | "needs">) => void;

function checkType({ type }: MemoryDraft, { policy, types }: GateContext, refuse: Refuse): void {
  if (policy) return;
  const known = types.all().filter(({ injection }) => injection !== "resume");
  const names = known.map(({ name }) => name);
  const [meant] = nearestNames(type, names);
  const all = known.map(({ name, holds }) => `${name} (${holds})`).join(", ");
  refuse(
    type === "" ? "no type is given" : `there is no type "${cutShown(type, 60)}"`,
    `use ${meant === undefined ? "one" : `"${meant}", or another`} of ${all}`,
    meant === undefined ? undefined : { proposal: { type: meant } },
  );
}

const SHORT = "say it in one short line; the rest belongs into the body";
const SPLIT = "keep what is needed in a month, or split it into several memories";
const lengthOf = (what: string, { length }: string, most: number): string =>
  `${what} has ${length} characters, ${most} at most`;

function checkTexts(draft: MemoryDraft, refuse: Refuse): void {
  const statement = draft.statement.trim();
  // Text and name are made from it where they are not given.
  if (statement === "") return refuse("the statement is empty", "say in one line what the memory says");
  if (/[\n\v\f\r\u0085\u2028\u2029]/.test(statement)) {
    // Before its lines are joined: a key is known by them.
    const oneLine = redactSecrets(statement).replace(/[\s\u0085]+/g, " ");
    refuse(
      "the statement has more than one line",
      "put it on one line; what follows belongs into the body",
      oneLine.length <= LIMITS.statementChars ? { proposal: { statement: oneLine } } : undefined,
    );
  } else if (statement.length > LIMITS.statementChars)
    refuse(lengthOf("the statement", statement, LIMITS.statementChars), SHORT);
  if (draft.body.trim() === "") refuse("the body is empty", "write the memory itself into the body");
  else if (draft.body.length > LIMITS.bodyChars)
    refuse(lengthOf("the body", draft.body, LIMITS.bodyChars), SPLIT);
  for (const key of ["quote", "reason"] as const) {
    const text = draft[key]?.trim();
    const remedy = `${key === "quote" ? "quote the sentence that says it" : "say it in a sentence"}, or leave ${key} out`;
    if (text === "") refuse(`${key} is empty`, remedy);
    else if (text !== undefined && text.length > LIMITS.reasonChars)
      refuse(lengthOf(`the ${key}`, text, LIMITS.reasonChars), remedy);
  }
  if (draft.name === undefined) return;
  if (slugOf(draft.name) === "")
    refuse(`"${cutShown(draft.name, 40)}" is no name`, "use letters and digits, for example prefers-vim");
  else if (draft.name.length > LIMITS.nameChars)
    refuse(lengthOf("the name", draft.name, LIMITS.nameChars), "use a few words");
}

function checkNeeds(draft: MemoryDraft, { policy, isUsersWord }: GateContext, refuse: Refuse): void {
  if (!policy || draft.body.trim() === "") return;
  const { name = "", statement, body, trigger = [] } = draft;
  const all = missingNeeds({ name, statement, body, trigger }, policy);
  const missing = isUsersWord === true ? all.filter(({ need }) => need !== "grounds") : all;
  if (missing.length === 0) return;
  const reason = `a ${policy.name} memory needs ${missing.map(({ words }) => words).join(", ")}`;
  const remedy = missing.map((one) => one.remedy).join("; ");
  refuse(reason, remedy, { needs: missing.map(({ need }) => need) });
}

function checkKeys(draft: MemoryDraft, context: GateContext, refuse: Refuse): void {
  for (const [name, { kind, words = [], maxItems = 0, givenBy }] of Object.entries(MEMORY_FIELDS)) {
    const key = name as keyof MemoryDraft;
    const value: unknown = draft[key];
    // Gates of their own look at claims and aliases.
    if (Array.isArray(value) && key !== "claims" && key !== "aliases")
      checkItems(key, value, maxItems, refuse);
    if (kind === "word" && value !== undefined && !words.includes(value as string))
      refuse(`${key} is ${JSON.stringify(value)}`, `use one of ${words.join(", ")}`);
    // A guard stops tools: nobody but a person may put one into force, and never through a draft.
    if (givenBy === "person" && key in draft && context.actor.kind !== "person")
      refuse(
        `a ${key} cannot be written by a model, hook or import`,
        `leave ${key} out; a person may add one to the file`,
      );
  }
  const link = (draft.links ?? []).find(({ rel, to }) => !LINK_RELATIONS.includes(rel) || to.trim() === "");
  if (link)
    refuse(
      `the link ${JSON.stringify(link)} is not a link`,
      `give rel (${LINK_RELATIONS.join(", ")}) and to`,
    );
  if (draft.expires !== undefined && normaliseTime(draft.expires) === undefined)
    refuse(
      `expires is ${JSON.stringify(draft.expires)}`,
      `write the day as a date, YYYY-MM-DD (${dayInWords(context.today)})`,
    );
}

function checkItems(key: string, items: readonly unknown[], maxItems: number, refuse: Refuse): void {
  if (items.length > maxItems)
    refuse(`${items.length} ${key}, ${maxItems} at most`, `keep the ${key} that matter`);
  const texts = items.filter((item) => typeof item === "string");
  if (texts.some((item) => item.trim() === ""))
    refuse(`${key} has an empty entry`, `give ${key} that say something, or leave it out`);
  const long = texts.find((item) => item.length > LIMITS.itemChars);
  if (long !== undefined)
    refuse(
      lengthOf(`"${cutShown(long, 40)}…" in ${key}`, long, LIMITS.itemChars),
      `use short words in ${key}`,
    );
}

/** Writes tags without marks and doubles, and says what is no alias: that is heed's own data, and no reason to refuse. */
export function tagsGate(draft: MemoryDraft): GateAnswer {
  const { aliases: most, aliasWords, itemChars } = LIMITS;
  const tags = draft.tags && plainItems(draft.tags).map((tag) => tag.replace(/^#+/, ""));
  const given = plainItems(draft.aliases ?? []);
  const aliases = given
    .filter((alias) => alias.length <= itemChars && alias.split(" ").length <= aliasWords)
    .slice(0, most);
  const left = given.filter((alias) => !aliases.includes(alias));
  const names = left.map((alias) => `"${cutShown(alias, itemChars)}"`).join(", ");
  const warning = `left out of aliases: ${names} (at most ${most}, each of one to ${aliasWords} words and ${itemChars} characters)`;
  return {
    draft: { ...draft, ...(tags && { tags: plainItems(tags) }), ...(draft.aliases && { aliases }) },
    warnings: left.length > 0 ? [warning] : [],
  };
}

function plainItems(items: readonly string[]): string[] {
  return [...new Set(items.map((item) => item.replace(/\s+/g, " ").trim()))].filter(Boolean);
}
