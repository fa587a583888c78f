import { TurnedAway } from "./admit-request.ts";
import { type Actor, type Heed, HeedError, METHODS } from "../../../heed.ts";

/** A person's alone, though the method does not ask who it is. */
const PERSONS: readonly string[] = ["setup.trust"];
/** The page gives the hash that it has seen as the last argument, since the method takes none. */
const AS_SEEN: readonly string[] = ["memories.remove", "memories.rename"];

/** Calls a method for the page, as whoever started the server. @throws TurnedAway where the page may call none of that name. */
export async function callFor(
  heed: Heed,
  actor: Actor,
  name: string,
  given: readonly unknown[],
): Promise<unknown> {
  const declared = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
  if (declared?.isForPage !== true) throw new TurnedAway(404, "there is no such call");
  const args = Object.entries(declared.takes).map(([argument, { properties }], i) => {
    if (argument === "actor") return actor;
    return properties && Object.hasOwn(properties, "reader") ? { reader: actor } : (given[i] ?? undefined);
  });
  if (PERSONS.includes(name) && actor.kind !== "person")
    throw new HeedError(
      "gate-refused",
      "this is a person's to decide, and an agent started this page: run heed ui in a terminal of your own",
      { gate: "user-word" },
    );
  if (AS_SEEN.includes(name)) {
    const { metadata } = await heed.memories.show(given[0] as string);
    if (metadata.contentHash !== given[2]) {
      const message = `${metadata.name} was changed since this page showed it: look at it again, then decide`;
      throw new HeedError("changed-outside", message, { file: metadata.file });
    }
  }
  const [group = "", method = ""] = name.split(".");
  const methods = (heed as unknown as Record<string, Record<string, (...args: unknown[]) => unknown>>)[group];
  return methods?.[method]?.(...args);
}
