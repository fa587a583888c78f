import type { Candidate } from "../../inject/select-facts.ts";
import { handleOf } from "../../memory/handle.ts";
import type { MemoryMetadata } from "../../memory/memory-metadata.ts";
import { memoryKey } from "../../memory/memory-key.ts";
import type { FactSituation } from "./situation.ts";

/**
 * Tells none of the memories that another one says it supersedes: an old and a new wording match a prompt alike. Only links
 * say so; words do not.
 */
export function withoutSuperseded(candidates: readonly Candidate[], situation: FactSituation): Candidate[] {
  return candidates.map((candidate): Candidate => {
    const newer = candidate.form === "none" ? undefined : supersederOf(candidate.metadata, situation);
    return newer === undefined
      ? candidate
      : { ...candidate, form: "none", reason: `superseded by ${handleOf(newer)}` };
  });
}

/** A memory that says it takes the place of another one, and is itself in force. */
export function supersederOf(
  metadata: MemoryMetadata,
  { collection }: FactSituation,
): MemoryMetadata | undefined {
  const handles = [metadata.id, metadata.name, handleOf(metadata)];
  return handles
    .flatMap((handle) => collection.readers.flatMap((reader) => reader.memoriesLinkingTo(handle)))
    .find(
      (other) =>
        memoryKey(other) !== memoryKey(metadata) &&
        other.status !== "superseded" &&
        other.links.some(({ rel, to }) => rel === "supersedes" && handles.includes(to)),
    );
}
