import { findSecrets, redactSecrets } from "../screening/find-secrets.ts";
import type { MemoryDraft } from "../memory/memory-draft.ts";
import type { Gate, GateContext, GateAnswer } from "./gate.ts";

/** The fields of a draft that carry text, with the words in which a refusal names them. */
const FIELDS = [
  ["name", "the name"],
  ["description", "the description"],
  ["body", "the text"],
  ["tags", "the tags"],
  ["aliases", "the aliases"],
  ["trigger", "the trigger"],
] as const;

/** Of one draft, so many places are named. */
const MAX_PLACES = 5;

/**
 * Refuses secrets, whoever writes: a memory is a plain file in git and in prompts. Proposes the draft with
 * each secret redacted.
 */
export const secretGate: Gate = {
  name: "secret",
  check(draft: MemoryDraft, context: GateContext): GateAnswer {
    const places: string[] = [];
    const proposal: Partial<MemoryDraft> = {};
    for (const [key, words] of FIELDS) {
      const value = draft[key];
      if (value === undefined) continue;
      const found = placesIn(typeof value === "string" ? value : value.join("\n"), words);
      if (found.length === 0) continue;
      places.push(...found);
      Object.assign(proposal, {
        [key]: typeof value === "string" ? redactSecrets(value) : value.map(redactSecrets),
      });
    }
    // A whole file brings keys that a draft has no place for.
    if (places.length === 0 && context.text !== undefined) places.push(...placesIn(context.text, "the file"));
    if (places.length === 0) return {};
    const more = places.length - MAX_PLACES;
    const where = [...places.slice(0, MAX_PLACES), ...(more > 0 ? [`${more} more`] : [])].join(", ");
    return {
      refusals: [
        {
          gate: "secret",
          reason: `a memory is a plain file that is copied into git and into prompts, and there is a secret in it: ${where}`,
          remedy:
            "say where the secret is kept (a vault entry, the name of an environment variable), not what it is; if it was real, replace it at the service that gave it",
          ...(Object.keys(proposal).length > 0 && { proposal }),
        },
      ],
    };
  },
};

function placesIn(text: string, words: string): string[] {
  return findSecrets(text).map(({ kind, start }) => {
    const line = text.slice(0, start).split("\n").length;
    return `${kind} in ${text.includes("\n") ? `line ${line} of ${words}` : words}`;
  });
}
