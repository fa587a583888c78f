import { type Actor, type Heed, HeedError, METHODS } from "../../../heed.ts";

/** A person's alone, though the method does not ask who it is. */
const PERSONS: readonly string[] = ["setup.trust"];
/** Done once the memory has the hash that the page gives as its last argument: the method itself takes none. */
const AS_SEEN: readonly string[] = ["memories.remove", "memories.rename"];

/**
 * Calls a method for the page; the façade checks every argument. Who acts, or reads, is whoever started the server, and
 * never the page's to say. Undefined when the page may call none of that name.
 *
 * @throws HeedError What the method refuses; `changed-outside` for a memory that is not as it was seen; `gate-refused` for
 *   what is a person's alone.
 */
export async function callFor(
  heed: Heed,
  actor: Actor,
  name: string,
  given: readonly unknown[],
): Promise<{ answer: unknown } | undefined> {
  const args = argumentsOf(name, given, actor);
  if (args === undefined) return undefined;
  if (PERSONS.includes(name)) requirePerson(actor);
  if (AS_SEEN.includes(name)) await requireSeen(heed, given[0], given[2]);
  const [group = "", method = ""] = name.split(".");
  const methods = (heed as unknown as Record<string, Record<string, (...args: unknown[]) => unknown>>)[group];
  return { answer: await methods?.[method]?.(...args) };
}

function argumentsOf(name: string, given: readonly unknown[], actor: Actor): unknown[] | undefined {
  const method = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
  if (method?.isForPage !== true) return undefined;
  return Object.entries(method.takes).map(([argument, { properties }], i) => {
    if (argument === "actor") return actor;
    return properties && Object.hasOwn(properties, "reader") ? { reader: actor } : (given[i] ?? undefined);
  });
}

/** What was seen is what is changed, where the method itself takes no hash. */
async function requireSeen(
  { memories }: Pick<Heed, "memories">,
  handle: unknown,
  ifHash: unknown,
): Promise<void> {
  const { metadata } = await memories.show(handle as string);
  if (metadata.contentHash === ifHash) return;
  const message = `${metadata.name} was changed since this page showed it: look at it again, then decide`;
  throw new HeedError("changed-outside", message, { file: metadata.file });
}

function requirePerson(actor: Actor): void {
  if (actor.kind === "person") return;
  throw new HeedError(
    "gate-refused",
    "this is a person's to decide, and an agent started this page: run heed ui in a terminal of your own",
    { gate: "user-word" },
  );
}
