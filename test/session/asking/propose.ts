import { inboxOf, type ProposalAsks } from "../../../src/here/consent/inbox.ts";
import { memoryOfDraft } from "../../../src/write/memory-of-draft.ts";
import { learnRepository } from "../../../src/machine/repository-identity.ts";
import type { Link } from "../../../src/memory/memory.ts";
import { TypeTable } from "../../../src/memory/memory-type.ts";
import { findPlaces } from "../../../src/machine/places.ts";
import type { TemporaryHeed } from "../../home/temporary-heed.ts";

/** What a model proposes in a session; the rest has a default. */
interface Proposed {
  statement?: string;
  type?: string;
  session?: string;
  quote?: string;
  /** The name of the memory that it would change. */
  target?: string;
  asks?: ProposalAsks;
  guard?: Record<string, unknown>;
  links?: Link[];
  claims?: string[];
}

/** Puts a proposal of a model's into the inbox, as a write that waits does. Returns the code of its question. */
export async function propose(there: TemporaryHeed, proposed: Proposed = {}): Promise<string> {
  const { statement = "run the linter before each commit", type = "feedback", session = "s1" } = proposed;
  const { guard, links = [], claims = [] } = proposed;
  const { heed } = there;
  const [store] = heed.setup.stores().filter(({ kind }) => kind === "user");
  const types = new TypeTable();
  const policy = types.get(type);
  if (!store || !policy) throw new Error("no store, or no type");
  const by = { kind: "model", client: "claude-code", session } as const;
  const target = (await heed.memories.list()).find(({ name }) => name === proposed.target);
  const quoted = proposed.quote === undefined ? "" : `\n\n> "${proposed.quote}" (the user, 2026-11-21)`;
  const places = findPlaces(there.env);
  const repository = await learnRepository(there.project, places);
  const now = new Date(there.now);
  const draft = { type, statement, body: `${statement}.${quoted}\n\n**Why:** CI.` };
  const write = { draft, actor: by, store: { ref: store } };
  const memory = memoryOfDraft({ now: () => now, repository }, write, policy);
  const inbox = inboxOf({ places, types });
  const put = inbox.put(
    { ...memory, guard, links, claims, status: "provisional" },
    {
      at: now.toISOString(),
      reason: "it needs your approval",
      by,
      store: store.id,
      ...(target && { target: { id: target.id, name: target.name, hash: target.contentHash } }),
      asks: proposed.asks ?? "memory",
    },
  );
  return (await heed.consent.questions()).find((question) => question.name === put)?.code ?? "";
}
