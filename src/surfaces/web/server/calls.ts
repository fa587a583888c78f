import type { Actor, Heed } from "../../../heed.ts";
import { HeedError } from "../../../heed.ts";
import type { ClientDesk } from "./client-desk.ts";

/** What the page looks at: heed, and the clients that it is connected with. */
export type Served = Heed & { clients: ClientDesk };

/**
 * What the page may call: methods of the façade, and of what connects clients, by name, each with how many arguments the page gives, and how whoever
 * started the server comes in, which is not the page's to say.
 *
 * - `nobody`: the method asks for none.
 * - `reader`: as the reader, in the options behind the arguments.
 * - `actor`: behind the arguments.
 * - `actor of what was seen`: likewise, once the memory has the hash that the page gives as its last argument.
 * - `person`: the method asks for none, and is a person's alone.
 */
export const CALLS = {
  "memories.survey": [1, "nobody"],
  "memories.list": [1, "nobody"],
  "memories.types": [0, "nobody"],
  "memories.overview": [0, "nobody"],
  "memories.search": [1, "nobody"],
  "memories.show": [1, "reader"],
  "memories.showFile": [1, "reader"],
  "memories.write": [1, "actor"],
  "memories.update": [2, "actor"],
  "memories.edit": [2, "actor"],
  "memories.remove": [2, "actor of what was seen"],
  "memories.rename": [2, "actor of what was seen"],
  "memories.restore": [1, "actor"],
  "inbox.list": [0, "reader"],
  "inbox.confirm": [2, "actor"],
  "inbox.reject": [2, "actor"],
  "inbox.restore": [1, "actor"],
  "conversations.search": [1, "nobody"],
  "conversations.show": [1, "nobody"],
  "history.list": [1, "nobody"],
  "history.diff": [2, "nobody"],
  "history.undo": [1, "actor"],
  "guards.list": [0, "nobody"],
  "guards.add": [2, "actor"],
  "guards.try": [1, "nobody"],
  "guards.reportWrong": [1, "actor"],
  "session.why": [1, "nobody"],
  "session.receipts": [1, "nobody"],
  "session.activity": [1, "nobody"],
  "upkeep.health": [0, "nobody"],
  "upkeep.check": [0, "nobody"],
  "upkeep.verify": [2, "actor"],
  "upkeep.repair": [2, "actor"],
  "upkeep.anchor": [1, "actor"],
  "upkeep.tidy": [1, "nobody"],
  "upkeep.saveTest": [1, "nobody"],
  "setup.status": [0, "nobody"],
  "setup.reviewTrust": [0, "nobody"],
  "setup.trust": [1, "person"],
  "setup.setMode": [2, "person"],
  "setup.setMap": [2, "person"],
  "setup.clientMemory": [0, "nobody"],
  "setup.setWriter": [1, "actor"],
  "setup.setLearn": [1, "actor"],
  "session.map": [1, "nobody"],
  "clients.list": [0, "nobody"],
  "clients.plan": [2, "nobody"],
  "clients.carryOut": [3, "person"],
  "clients.examine": [0, "nobody"],
} as const;

type Who = (typeof CALLS)[keyof typeof CALLS][1];
type Method = (...args: unknown[]) => unknown;

/**
 * Calls a method for the page; the façade checks every argument. Undefined when the page may call none of that name.
 *
 * @throws HeedError What the method refuses; `changed-outside` and `gate-refused` as the table says.
 */
export async function callFor(
  heed: Served,
  actor: Actor,
  name: string,
  given: readonly unknown[],
): Promise<{ answer: unknown } | undefined> {
  if (!isCall(name)) return undefined;
  const [takes, who] = CALLS[name];
  // Exactly so many: one of more would stand where the actor does.
  const args = Array.from({ length: takes }, (_, i) => given[i] ?? undefined);
  if (who === "person") requirePerson(actor);
  if (who === "actor of what was seen") await requireSeen(heed, args[0], given[takes]);
  return { answer: await methodOf(heed, name)(...args, ...addedTo(who, actor)) };
}

function isCall(name: string): name is keyof typeof CALLS {
  return Object.hasOwn(CALLS, name);
}

function addedTo(who: Who, actor: Actor): unknown[] {
  if (who === "reader") return [{ reader: actor }];
  return who === "nobody" || who === "person" ? [] : [actor];
}

function methodOf(heed: Served, name: string): Method {
  let [owner, part]: unknown[] = [undefined, heed];
  for (const word of name.split(".")) [owner, part] = [part, (part as Record<string, unknown>)[word]];
  return (part as Method).bind(owner);
}

/** What was seen is what is changed, where the method itself takes no hash. */
async function requireSeen(
  { memories }: Pick<Heed, "memories">,
  handle: unknown,
  ifHash: unknown,
): Promise<void> {
  const { card } = await memories.show(handle as string);
  if (card.contentHash === ifHash) return;
  const message = `${card.name} was changed since this page showed it: look at it again, then decide`;
  throw new HeedError("changed-outside", message, { file: card.file });
}

function requirePerson(actor: Actor): void {
  if (actor.kind === "person") return;
  throw new HeedError(
    "gate-refused",
    "this is a person's to decide, and an agent started this page: run heed ui in a terminal of your own",
    { gate: "user-word" },
  );
}
