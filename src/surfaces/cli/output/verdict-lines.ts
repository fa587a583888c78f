import type { Verdict } from "../../../heed.ts";
import type { Text } from "./styled-text.ts";
import { dim, green, red, styled, yellow } from "./styled-text.ts";

const LOOKS = { fresh: "green", check: "yellow", stale: "red" } as const;

/** A verdict in a line, in the colour of its standing. */
export function verdictWords({ standing, words }: Pick<Verdict, "standing" | "words">): Text {
  return styled(LOOKS[standing], words);
}

/** A verdict with its evidence, a line a claim. */
export function verdictLines({ claims, unmeasured, commits, ...verdict }: Verdict): Text[] {
  const since =
    commits &&
    `${commits.count} ${commits.count === 1 ? "commit" : "commits"} on its files since ${commits.since}`;
  return [
    verdictWords(verdict),
    ...claims.broken.map(({ claim, finding, since: when, became, moved, isViolated }): Text => [
      red("  ✗ "),
      claim,
      dim(`  ${moved ?? finding ?? ""}${when ? `, since ${when.commit.slice(0, 8)} of ${when.date}` : ""}`),
      became && !isViolated
        ? [" → ", green(became.claim), became.isCertain ? "" : dim(" (the likeliest)")]
        : "",
    ]),
    ...claims.unmeasured.map(({ claim, finding }): Text => [
      yellow("  ? "),
      claim,
      dim(`  ${finding ?? "not measured"}`),
    ]),
    ...claims.kept.map((claim): Text => [green("  ✓ "), claim]),
    ...unmeasured
      .filter((reason) => !claims.unmeasured.some(({ finding }) => finding === reason))
      .map((reason): Text => [yellow("  ? "), reason]),
    ...(since === undefined ? [] : [dim(`  ${since}`)]),
  ];
}
