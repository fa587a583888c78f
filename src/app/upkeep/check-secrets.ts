import { findSecrets } from "../../screening/find-secrets.ts";
import type { Problem } from "../../errors/problem.ts";

/** The secrets in the text of a memory's file: a hand edit passes no gate. What they are is said, never their value. */
export function checkSecrets(file: string, text: string): Problem[] {
  return findSecrets(text).map(({ kind, start }) => ({
    file,
    line: text.slice(0, start).split("\n").length,
    severity: "error",
    code: "secret",
    message: `there is a secret in it (${kind}): it is redacted where heed shows the memory, but the file and its history hold it`,
    remedy:
      "take it out with `heed scrub`, which removes it everywhere, and replace it at the service that gave it",
  }));
}
