import * as fc from "fast-check";
import type { Link, Memory, Origin, Scope } from "../../src/memory/memory.ts";
import { CONFIDENCES, LINK_RELATIONS, SALIENCES, SOURCES, STATUSES } from "../../src/memory/memory.ts";
import { BUILT_IN_TYPES } from "../../src/memory/memory-type.ts";
import { onOneLine } from "../../src/machine/read-fields.ts";
import { slugOf } from "../../src/memory/handle.ts";
import { ANY_CHARACTER } from "../any-character.ts";

const NASTY = [
  "x".repeat(1500),
  ...(
    "---¦...¦a: b¦# no comment¦ # x¦'¦\"¦\\¦- item¦? key¦{a}¦[x¦&anchor¦*alias¦!tag¦%TAG¦| pipe¦" +
    "> fold¦@at¦`tick`¦null¦~¦true¦no¦1e3¦0x10¦.5¦2026-03-05¦2026-03-05T10:00:00Z¦12:30¦<<¦" +
    "__proto__¦constructor¦é¦日本語¦👩‍👩‍👧¦\u2028¦\u0085¦\uFEFF¦a,b¦:¦key:¦-¦?"
  ).split("¦"),
];

/** One line of text without blanks at its ends, as fields hold it. */
function nastyText(): fc.Arbitrary<string> {
  const part = fc.oneof(
    fc.constantFrom(...NASTY),
    fc.string(),
    fc.string({ unit: "grapheme" }),
    fc.string({ unit: ANY_CHARACTER }),
  );
  return fc
    .array(part, { minLength: 1, maxLength: 4 })
    .map((parts) => parts.join(" ").replace(/\s+/g, " ").trim())
    .filter((text) => text !== "");
}

/** Any text at all, often one that looks like a memory file. */
export function anyText(): fc.Arbitrary<string> {
  const line = fc.oneof(
    fc.constantFrom("---", "name: x", "metadata:", "  type: user", "", "body"),
    fc.string(),
  );
  return fc
    .tuple(fc.array(line), fc.constantFrom("\n", "\r\n", "\r"), fc.boolean())
    .map(([lines, eol, mark]) => (mark ? "\uFEFF" : "") + lines.join(eol));
}

const body = (): fc.Arbitrary<string> =>
  fc
    .array(fc.oneof(nastyText(), fc.constantFrom("", "---", "...", "  indented", "\ttab", "```", "## Title")))
    .map((lines) => lines.join("\n"));

/** The same without control characters, as lists, scopes and links hold it. */
const plainText = (): fc.Arbitrary<string> =>
  nastyText()
    .map(onOneLine)
    .filter((text) => text !== "");

const list = (): fc.Arbitrary<string[]> => fc.uniqueArray(plainText(), { maxLength: 4 });

const time = (): fc.Arbitrary<string> =>
  fc
    .date({ min: new Date("1971-01-01"), max: new Date("2100-01-01"), noInvalidDate: true })
    .chain((date) =>
      fc.constantFrom(date.toISOString().slice(0, 10), date.toISOString().replace(/\.\d+Z$/, "Z")),
    );

const optional = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined });

/** A memory of any content that the format can hold. */
export function anyMemory(): fc.Arbitrary<Memory> {
  const scope: fc.Arbitrary<Scope> = fc
    .record({ repo: optional(plainText()), branch: optional(plainText()), paths: list() })
    .map((value) => compact(value) as Scope);
  const origin = fc
    .record({ repo: optional(nastyText()), commit: optional(nastyText()), session: optional(nastyText()) })
    .map((value) => compact(value) as Origin);
  const link: fc.Arbitrary<Link> = fc.record({ rel: fc.constantFrom(...LINK_RELATIONS), to: plainText() });
  return fc
    .record({
      id: nastyText(),
      name: nastyText().map((text) => slugOf(text) || "x"),
      statement: nastyText(),
      type: fc.constantFrom(...BUILT_IN_TYPES.map(({ name }) => name)),
      created: optional(time()),
      updated: optional(time()),
      verified: optional(time()),
      tags: list(),
      aliases: list(),
      trigger: list(),
      confidence: fc.constantFrom(...CONFIDENCES),
      source: fc.constantFrom(...SOURCES),
      status: fc.constantFrom(...STATUSES),
      salience: fc.constantFrom(...SALIENCES),
      scope,
      expires: optional(time()),
      decayAfter: optional(time()),
      claims: list(),
      links: fc.array(link, { maxLength: 3 }),
      origin,
      guard: optional(
        fc.dictionary(
          fc.string({ minLength: 1 }).filter((key) => key !== "__proto__"),
          fc.oneof(nastyText(), fc.integer(), fc.boolean(), list()),
          { minKeys: 1, maxKeys: 4 },
        ),
      ),
      body: body(),
    })
    .map((value) => compact(value) as Memory);
}

function compact(record: Record<string, unknown>): unknown {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}
