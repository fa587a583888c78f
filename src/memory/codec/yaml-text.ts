import { stringify } from "yaml";
import { asRecord } from "./read-fields.ts";

/** How a text is quoted: as plain as YAML allows, or like the value it replaces. */
export type Quoting = "plain" | "single" | "double";

const STRING_TYPES = { plain: "PLAIN", single: "QUOTE_SINGLE", double: "QUOTE_DOUBLE" } as const;

/** Words that YAML 1.1 readers (PyYAML for one) take for booleans or base-60 numbers when they stand unquoted. */
const YAML_1_1_WORDS = /^(?:y|yes|n|no|on|off|[-+]?\d[\d_]*(?::[0-5]?\d)+)$/i;

/** A value on one line as it stands after `key: ` in block style; lists and maps inside it are in flow style. */
export function renderInline(value: unknown, quoting: Quoting = "plain"): string {
  if (typeof value !== "object" || value === null) return scalar(value, quoting, "block");
  return renderFlow(value);
}

/** A value on one line as it stands inside `[…]` or `{…}`. */
export function renderFlow(value: unknown, quoting: Quoting = "plain"): string {
  if (Array.isArray(value)) return `[${value.map((item) => renderFlow(item)).join(", ")}]`;
  const record = asRecord(value);
  if (!record) return scalar(value, quoting, "flow");
  const pairs = Object.entries(record).map(([key, item]) => `${renderFlow(key)}: ${renderFlow(item)}`);
  return pairs.length === 0 ? "{}" : `{ ${pairs.join(", ")} }`;
}

function scalar(value: unknown, quoting: Quoting, context: "block" | "flow"): string {
  const needsQuotes =
    typeof value === "string" && (/[\n\u0085\u2028\u2029\uFEFF]/.test(value) || YAML_1_1_WORDS.test(value));
  const options = {
    lineWidth: 0,
    flowCollectionPadding: false,
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
    defaultKeyType: "PLAIN",
    defaultStringType: needsQuotes && quoting === "plain" ? "QUOTE_DOUBLE" : STRING_TYPES[quoting],
  } as const;
  // Rendered inside a map or list, since what needs quotes depends on where a value stands.
  if (context === "block") return stringify({ k: value }, options).slice("k: ".length).trimEnd();
  return stringify([value], { ...options, collectionStyle: "flow" })
    .trimEnd()
    .slice(1, -1);
}
