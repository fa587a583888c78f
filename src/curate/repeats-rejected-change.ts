/** What a memory says, as far as a change of it is concerned. */
export interface Wording {
  description: string;
  body: string;
}

/**
 * Whether a change of a memory says nothing but what the user has rejected as a change of the same memory: every
 * statement that it adds stands in the rejected text. Dates, case and signs do not count, since a change notes its day.
 */
export function repeatsRejectedChange(changed: Wording, current: Wording, rejected: Wording): boolean {
  const known = statementsOf(current);
  const added = [...statementsOf(changed)].filter((statement) => !known.has(statement));
  const refused = statementsOf(rejected);
  return added.length > 0 && added.every((statement) => refused.has(statement));
}

function statementsOf({ description, body }: Wording): Set<string> {
  const statements = `${description}\n${body}`
    .toLowerCase()
    .replace(/\b\d{4}-\d\d-\d\d\b/g, " ")
    .split(/[.!?](?=\s|$)|\n/)
    .map((statement) => statement.replace(/[^\p{L}\p{N}]+/gu, " ").trim());
  return new Set(statements.filter((statement) => statement !== ""));
}
