import type { SessionRecord } from "../records/session-state.ts";
import type { FactSituation } from "./situation.ts";

/** What a context knows of the state in which it was given its map, so that a later prompt sees what changed. */
export function mapMark(
  situation: FactSituation,
  agent: string | undefined,
  isWhole: boolean,
): Extract<SessionRecord, { kind: "map" }> {
  return {
    kind: "map",
    time: situation.place.now().toISOString(),
    ...(agent !== undefined && { agent }),
    signature: signatureOf(situation),
    isWhole,
  };
}

/**
 * A text that differs when what is in force here may have changed: another generation of an index, another branch,
 * another day. Empty, so that it equals none, where files were read without an index.
 */
export function signatureOf({ collection, place }: FactSituation): string {
  if (collection.source !== "index" || collection.isCut) return "";
  const generations = collection.stores.map(({ id }, i) => `${id}@${collection.readers[i]?.generation ?? 0}`);
  return [...generations, place.here().branch ?? "", place.now().toISOString().slice(0, 10)].join(" ");
}
