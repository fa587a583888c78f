import { redactSecrets } from "../../screening/find-secrets.ts";
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";

/** Comparing takes time in the product of the texts' lengths; after this long the whole text counts as replaced. */
const TIMEOUT_MS = 1_000;

/** The unified diff of two texts without secrets; "" when equal. `null`: no such file. */
export function unifiedDiff(
  before: string | null,
  after: string | null,
  name: { before: string; after: string },
): string {
  if (before === after) return "";
  const from = before === null ? "/dev/null" : `a/${name.before}`;
  const to = after === null ? "/dev/null" : `b/${name.after}`;
  return patchOf({ name: from, text: before ?? "" }, { name: to, text: after ?? "" }, 3);
}

/** What a write changes in a memory, to be shown: two lines of context, and none of the marks that only patch tools need. */
export function shownDiff(name: string, before: string, after: string): string {
  return patchOf(
    { name, header: "before", text: before },
    { name, header: "after", text: after },
    2,
  ).trimEnd();
}

interface Side {
  name: string;
  /** Stands behind the name, after a tab. */
  header?: string;
  text: string;
}

/** Redacted before it is split into lines: a key of many lines is recognised as a whole only. */
function patchOf(before: Side, after: Side, context: number): string {
  const [from, to] = [redacted(before), redacted(after)];
  const patch = createTwoFilesPatch(from.name, to.name, from.text, to.text, from.header, to.header, {
    context,
    headerOptions: FILE_HEADERS_ONLY,
    timeout: TIMEOUT_MS,
  });
  if (patch !== undefined) return patch;
  const lines = (text: string, mark: string): string[] => text.split("\n").map((line) => `${mark}${line}`);
  const title = ({ name, header }: Side): string => (header === undefined ? name : `${name}\t${header}`);
  return [
    `--- ${title(from)}`,
    `+++ ${title(to)}`,
    ...lines(from.text, "-"),
    ...lines(to.text, "+"),
    "",
  ].join("\n");
}

function redacted(side: Side): Side {
  return { ...side, text: redactSecrets(side.text) };
}
