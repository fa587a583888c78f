/** Whether something holds; `unknown` where only running the shell would tell. */
export type Verdict = "yes" | "no" | "unknown";

/** Holds when all hold; one `no` decides. */
export function allOf(verdicts: Iterable<Verdict>): Verdict {
  let result: Verdict = "yes";
  for (const verdict of verdicts) {
    if (verdict === "no") return "no";
    if (verdict === "unknown") result = "unknown";
  }
  return result;
}

/** Holds when one holds; one `yes` decides. */
export function anyOf(verdicts: Iterable<Verdict>): Verdict {
  let result: Verdict = "no";
  for (const verdict of verdicts) {
    if (verdict === "yes") return "yes";
    if (verdict === "unknown") result = "unknown";
  }
  return result;
}

/** A verdict about something that is known. */
export function whether(isSo: boolean): Verdict {
  return isSo ? "yes" : "no";
}
