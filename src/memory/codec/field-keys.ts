/** A field of a memory that stands in its front matter. */
export type FieldName =
  | "name"
  | "description"
  | "type"
  | "id"
  | "created"
  | "updated"
  | "verified"
  | "expires"
  | "decayAfter"
  | "tags"
  | "aliases"
  | "trigger"
  | "confidence"
  | "source"
  | "status"
  | "salience"
  | "scope"
  | "claims"
  | "links"
  | "origin"
  | "guard";

/**
 * The keys under which each field of a memory may stand, heed's own first, then those of other tools. Each is also
 * accepted with dashes for underscores, under `metadata` and at the top level (see FieldReader).
 */
export const FIELD_KEYS: Readonly<Record<FieldName, readonly [string, ...string[]]>> = {
  name: ["name"],
  description: ["description", "summary"],
  type: ["type"],
  id: ["id"],
  created: ["created", "created_at"],
  updated: ["updated", "modified", "updated_at"],
  verified: ["verified", "last_verified_at"],
  expires: ["expires", "valid_until"],
  decayAfter: ["decay_after"],
  tags: ["tags", "scopes"],
  aliases: ["aliases"],
  trigger: ["trigger", "triggers"],
  confidence: ["confidence"],
  source: ["source"],
  status: ["status"],
  salience: ["salience"],
  scope: ["scope"],
  claims: ["claims"],
  links: ["links"],
  origin: ["origin"],
  guard: ["guard", "guards"],
};

/** The list under which Claude Memory and others name related memories; read as links. */
export const RELATED_KEY: string = "related";
