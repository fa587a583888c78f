/** Whether something holds; `unknown` where only running the shell would tell. */
export type Ternary = "yes" | "no" | "unknown";

/** Holds when all hold; one `no` decides. */
export function allOf(values: Iterable<Ternary>): Ternary {
  let result: Ternary = "yes";
  for (const value of values) {
    if (value === "no") return "no";
    if (value === "unknown") result = "unknown";
  }
  return result;
}

/** Holds when one holds; one `yes` decides. */
export function anyOf(values: Iterable<Ternary>): Ternary {
  let result: Ternary = "no";
  for (const value of values) {
    if (value === "yes") return "yes";
    if (value === "unknown") result = "unknown";
  }
  return result;
}

/** The answer about something that is known. */
export function whether(isSo: boolean): Ternary {
  return isSo ? "yes" : "no";
}
