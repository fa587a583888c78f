type Fields = Readonly<Record<string, unknown>>;

/** A text of a record; empty when it is none. */
export function textAt(record: Fields | undefined, key: string): string {
  const value = record?.[key];
  return typeof value === "string" ? value : "";
}

/** A record inside of a record; undefined when it is none. */
export function recordAt(record: Fields | undefined, key: string): Fields | undefined {
  return asFields(record?.[key]);
}

/** The records of a list; those entries that are none are left out. */
export function recordsAt(record: Fields | undefined, key: string): Fields[] {
  const value = record?.[key];
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  return items.map(asFields).filter((item) => item !== undefined);
}

/** A value as a record, or undefined. */
export function asFields(value: unknown): Fields | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

/** The text of a message: a string, or the text of its blocks. */
export function textOfContent(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .flatMap((block: unknown) => {
      if (typeof block === "string") return [block];
      const text = asFields(block)?.["text"];
      return typeof text === "string" ? [text] : [];
    })
    .join("\n");
}

/** The arguments of a call: a record, or one as JSON text; a text of another kind under `input`. */
export function argumentsOf(value: unknown): Fields {
  if (typeof value !== "string") return asFields(value) ?? {};
  try {
    return asFields(JSON.parse(value)) ?? {};
  } catch {
    return { input: value };
  }
}
