import type { Memory } from "../../src/memory/memory.ts";

/** A valid memory with the fields that a test does not care about filled in. */
export function aMemory(fields: Partial<Memory> = {}): Memory {
  return {
    id: "01JD3Z8Q6T0V9W4X5Y6Z7A8B9C",
    name: "no-verify",
    statement: "never bypass the hooks",
    type: "feedback",
    tags: [],
    aliases: [],
    trigger: [],
    confidence: "high",
    source: "instructed",
    status: "confirmed",
    salience: "medium",
    scope: { paths: [] },
    claims: [],
    links: [],
    origin: {},
    body: "Never use --no-verify.\n\n**Why:** it shipped a broken migration.",
    ...fields,
  };
}
