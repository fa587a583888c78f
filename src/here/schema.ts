import { LIMITS } from "../memory/limits.ts";
import type { NewMemory } from "../memory/memory.ts";
import { type Field, DRAFT_FIELDS, MEMORY_FIELDS as FILE_FIELDS } from "../memory/memory-fields.ts";

/** JSON Schema as far as heed needs it, and keys of its own: for arguments, tools and flags. */
export interface Schema<out T = unknown> {
  /** Never there: the type of a value that passes. */
  readonly value?: T;
  readonly type?: "string" | "integer" | "number" | "boolean" | "array" | "object" | "function";
  /** What it means, for a model or a person who fills it in. */
  readonly description?: string;
  /** What an error asks for. Default: by type. */
  readonly give?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  /** The property by whose value one of `anyOf` is chosen. */
  readonly discriminator?: string;
  /** 1: a text that says something, without the null character, which no file name can have. */
  readonly minLength?: 1;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  /** What properties that are not named may be; absent: there are no others. */
  readonly additionalProperties?: Schema;
  readonly isOptional?: boolean;
  /** A gate watches its limits, and says better what would pass: they are told, and not checked. */
  readonly isGated?: boolean;
  /** It can be held by JSON, whatever its fields. */
  readonly isData?: boolean;
}

export type ValueOf<S> = S extends Schema<infer T> ? T : never;
export type Optional<T> = Schema<T> & { readonly isOptional: true };
type Properties = Readonly<Record<string, Schema>>;
type OptionalOf<P> = { [K in keyof P]: P[K] extends Optional<unknown> ? K : never }[keyof P];
export type ObjectOf<P> = { [K in Exclude<keyof P, OptionalOf<P>>]: ValueOf<P[K]> } & {
  [K in OptionalOf<P>]?: ValueOf<P[K]>;
};

/** What is wrong with a value: where, what is there, and what to give instead. */
export interface Complaint {
  /** The argument, or the place in it: `filter.tags`. */
  at: string;
  is: string;
  give: string;
}

const MAX_SHOWN_CHARS = 60;
/** The longest time that a timer of Node can wait, in milliseconds. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export function text(give?: string, maxLength?: number): Schema<string> {
  return { ...anyText, minLength: 1, ...(give !== undefined && { give }), ...(maxLength && { maxLength }) };
}
export const anyText: Schema<string> = { type: "string" };
export const gatedText = (maxLength: number): Schema<string> => ({ ...anyText, maxLength, isGated: true });
const gatedList = (maxItems: number, maxLength: number): Schema<string[]> => ({
  ...list(gatedText(maxLength)),
  maxItems,
  isGated: true,
});
export const count = (minimum = 1, maximum?: number, unit = ""): Schema<number> => ({
  type: "integer",
  minimum,
  ...(maximum !== undefined && { maximum }),
  give: `a whole number${unit} from ${minimum} ${maximum === undefined ? "on" : `to ${maximum}`}`,
});
export const milliseconds: Schema<number> = {
  type: "number",
  minimum: 0,
  maximum: MAX_TIMER_MS,
  give: "a number of milliseconds",
};
export const flag: Schema<boolean> = { type: "boolean" };
export const callback: Schema = { type: "function" };
export const anything: Schema = {};
export const nothing: Schema<never> = { enum: [null] };
export const data: Schema<Record<string, unknown>> = {
  type: "object",
  additionalProperties: {},
  isData: true,
};
export const oneOf = <T extends string>(...words: readonly T[]): Schema<T> => ({
  type: "string",
  enum: words,
});
/** Words of which a gate says better what is wrong with another one. */
export const gatedWord = <T extends string>(words: readonly T[]): Schema<T> => ({
  ...oneOf(...words),
  isGated: true,
});
export const optional = <T>(schema: Schema<T>): Optional<T> => ({ ...schema, isOptional: true });
export const list = <T>(items: Schema<T>, maxItems?: number): Schema<T[]> => ({
  type: "array",
  items,
  ...(maxItems !== undefined && { maxItems }),
});
/** What passes any of the schemas; what an error asks for comes first. */
export const either = <T>(give: string, ...anyOf: readonly Schema<T>[]): Schema<T> => ({ give, anyOf });
export const object = <P extends Properties>(properties: P): Schema<ObjectOf<P>> => ({
  type: "object",
  properties,
});
export const open = <P extends Properties>(properties: P): Schema<ObjectOf<P>> => ({
  ...object(properties),
  additionalProperties: anything,
});
/** An object with the properties of a type, each of them named. */
export const shape = <T>(properties: Readonly<Record<keyof T & string, Schema>>): Schema =>
  object<Properties>(properties);
export const described = <S extends Schema>(schema: S, description: string): S => ({
  ...schema,
  description,
});

/** What is wrong with a value, nothing if it passes. Takes microseconds: every call of the façade is checked. */
export function complaintsAbout(schema: Schema, value: unknown, at: string): Complaint[] {
  if (value === undefined && schema.isOptional) return [];
  const { anyOf, discriminator: key, items, properties, additionalProperties } = schema;
  if (anyOf) {
    if (key !== undefined && isRecord(value)) {
      const kinds = anyOf.map((one) => one.properties?.[key] ?? {});
      const picked = anyOf[kinds.findIndex((kind) => complaintsAbout(kind, value[key], key).length === 0)];
      const all: Schema = { enum: kinds.flatMap((kind) => kind.enum ?? []) };
      return picked ? complaintsAbout(picked, value, at) : [complaint(all, value[key], `${at}.${key}`)];
    }
    const fits = anyOf.some((one) => complaintsAbout(one, value, at).length === 0);
    return fits ? [] : [complaint(schema, value, at)];
  }
  const wrong = faultOf(schema, value);
  if (wrong) return [{ ...complaint(schema, value, at), ...wrong }];
  if (items && Array.isArray(value))
    return value.flatMap((item, i) => complaintsAbout(items, item, `${at}[${i}]`));
  if (!properties && !additionalProperties) return [];
  const record = value as Readonly<Record<string, unknown>>;
  const under = (name: string): string => (at === "" ? name : `${at}.${name}`);
  const others = Object.keys(record).filter(
    (name) => !(properties && Object.hasOwn(properties, name)) && record[name] !== undefined,
  );
  return [
    ...Object.entries(properties ?? {}).flatMap(([name, one]) =>
      complaintsAbout(one, record[name], under(name)),
    ),
    ...others.flatMap((name) =>
      additionalProperties
        ? complaintsAbout(additionalProperties, record[name], under(name))
        : {
            // A name that is cut could be half a secret, which nobody knows for one.
            at: under(name.length > MAX_SHOWN_CHARS ? `a name of ${name.length} characters` : name),
            is: "not known",
            give: `one of ${Object.keys(properties ?? {}).join(", ")}`,
          },
    ),
  ];
}

/** A value as clients are known to send it, in the form that its schema asks for: `null` for absent, JSON as text. */
export function valueAs(schema: Schema, given: unknown): unknown {
  if (complaintsAbout(schema, given, "").length === 0) return given;
  if (given === null) return schema.isOptional ? undefined : given;
  const { type, anyOf, items, properties, additionalProperties } = schema;
  if (anyOf) {
    const tried = anyOf.map((one) => valueAs(one, given));
    return tried.find((value, i) => complaintsAbout(anyOf[i] ?? {}, value, "").length === 0) ?? given;
  }
  const json = typeof given === "string" && type !== "string" ? parsed(given) : given;
  // One word for a list of words: a list that was forgotten.
  const value = items?.type === "string" && isWord(given) && !Array.isArray(json) ? [given] : json;
  if (type !== undefined && !isOfType(type, value)) return given;
  if (Array.isArray(value)) {
    const there: unknown[] = value.filter((item) => item !== null);
    return items ? there.map((item) => valueAs(items, item)) : there;
  }
  if (!isRecord(value) || !properties) return value;
  const entries = Object.entries(value).map(([name, one]): [string, unknown] => [
    name,
    valueAs(Object.hasOwn(properties, name) ? (properties[name] ?? {}) : (additionalProperties ?? {}), one),
  ]);
  return Object.fromEntries(entries.filter(([, one]) => one !== undefined));
}

const isWord = (given: unknown): boolean => typeof given === "string" && /^[^\s,;"'[\]{}]+$/.test(given);

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

export function sentence({ at, is, give }: Complaint): string {
  return `${at || "what was given"} is ${is}: give ${give}`;
}

/** The schema as clients are told it: JSON Schema without heed's own keys. */
export function jsonSchemaOf(schema: Schema): Record<string, unknown> {
  const { give: _give, isOptional: _optional, isGated: _gated, isData: _data, ...plain } = schema;
  const { anyOf, items, properties, additionalProperties, ...rest } = plain;
  const required = Object.entries(properties ?? {}).flatMap(([name, one]) => (one.isOptional ? [] : [name]));
  return {
    ...rest,
    ...(anyOf && { anyOf: anyOf.map(jsonSchemaOf) }),
    ...(items && { items: jsonSchemaOf(items) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, one]) => [name, jsonSchemaOf(one)]),
      ),
    }),
    ...(required.length > 0 && { required }),
    ...((properties ?? additionalProperties) && {
      additionalProperties: additionalProperties ? jsonSchemaOf(additionalProperties) : false,
    }),
  };
}

function faultOf(schema: Schema, value: unknown): Partial<Complaint> | undefined {
  const { type, enum: words, isGated, minLength, maxLength, minItems = 0, maxItems = Infinity } = schema;
  if (type !== undefined && !isOfType(type, value)) return {};
  if (isGated) return undefined;
  if (words) return words.includes(value) ? undefined : {};
  if (schema.isData && !isJson(value)) return { is: "an object that JSON cannot hold" };
  if (typeof value === "string") {
    if (maxLength !== undefined && value.length > maxLength)
      return { is: `a text of ${value.length} characters`, give: `${wanted(schema)}, ${maxLength} at most` };
    return minLength === 1 && (value.trim() === "" || value.includes("\0")) ? {} : undefined;
  }
  const { minimum = -Infinity, maximum = Infinity } = schema;
  if (typeof value === "number") return value >= minimum && value <= maximum ? undefined : {};
  if (!Array.isArray(value) || (value.length >= minItems && value.length <= maxItems)) return undefined;
  return { is: `a list of ${value.length}`, give: `a list of ${minItems} to ${maxItems}` };
}

function isOfType(type: NonNullable<Schema["type"]>, value: unknown): boolean {
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isRecord(value);
  return type === "integer" ? Number.isSafeInteger(value) : typeof value === type;
}

/** A value that holds itself is none, nor one too deep to be written. */
function isJson(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
}

function complaint(schema: Schema, value: unknown, at: string): Complaint {
  return { at, is: shown(value), give: wanted(schema) };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const TYPE_WORDS: Readonly<Record<NonNullable<Schema["type"]>, string>> = {
  string: "a text",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  function: "a function",
};

function wanted({ type, give, enum: words, properties, isData, description }: Schema): string {
  const names = Object.keys(properties ?? {}).join(", ");
  const byType = type === undefined ? "something" : TYPE_WORDS[type];
  const own =
    give ??
    (words && (words.length === 1 ? String(words[0]) : `one of ${words.join(", ")}`)) ??
    (isData ? "an object of texts, numbers, lists and objects" : names && `an object with ${names}`) ??
    byType;
  return [own || byType, ...(description === undefined ? [] : [description])].join(": ");
}

function shown(value: unknown): string {
  if (value === undefined) return "missing";
  if (typeof value === "string") {
    if (value.trim() === "") return "an empty text";
    return value.length > MAX_SHOWN_CHARS ? `a text of ${value.length} characters` : JSON.stringify(value);
  }
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "a list" : "an object";
  if (typeof value === "function" || typeof value === "symbol") return `a ${typeof value}`;
  return typeof value === "number" || typeof value === "bigint" ? value.toString() : JSON.stringify(value);
}

export type Takes = Readonly<Record<string, Schema>>;

/** Fields by their names alone, whatever they hold. */
export const named = (...fields: readonly string[]): Takes =>
  Object.fromEntries(fields.map((field) => [field, optional(anything)]));

/** A method of the façade as its callers see it: what it takes, what runs when it is called, whether the page may call it. */
export interface Method<Call = (...args: never[]) => unknown> {
  /** Never there: the type of the method. */
  readonly call?: Call;
  readonly takes: Takes;
  /** Takes the place at which it is called first; see `here/call.ts`. */
  readonly run: (...args: never[]) => unknown;
  /** `now`: answered without waiting. `always`: rejects for its arguments alone, and answers `{}` in trouble. */
  readonly answers?: "now" | "always";
  readonly isForPage: boolean;
}

export type Api<Rows> = {
  readonly [Name in keyof Rows]: Rows[Name] extends Method<infer Call> ? Call : never;
};

export const HANDLE: Schema<string> = text("the name of a memory, heed:name, or its id", LIMITS.handleChars);

export const NOTE: Schema<string> = text(undefined, LIMITS.reasonChars);

const OWN_SCHEMAS: Readonly<Record<string, Schema>> = {
  scope: either<unknown>(
    "everywhere, or an object with paths, branch and worktree",
    oneOf("everywhere"),
    object({
      paths: optional(gatedList(LIMITS.paths, LIMITS.pathChars)),
      branch: optional(gatedText(200)),
      worktree: optional(flag),
    }),
  ),
  guard: either<unknown>("a guard as in a rule's file, or that as text", anyText, data, list(data)),
};

/** What a writer gives, for façade, tools, flags and page. A gate watches the limits. */
export const MEMORY_FIELDS: {
  readonly [Name in keyof NewMemory]-?: Schema<Exclude<NewMemory[Name], undefined>>;
} = Object.fromEntries(
  Object.entries<Field>({ ...FILE_FIELDS, ...DRAFT_FIELDS }).flatMap(([name, field]) =>
    field.givenBy !== "heed" ? [[name, described(OWN_SCHEMAS[name] ?? schemaOf(field), field.doc)]] : [],
  ),
) as never;

function schemaOf({ kind, words = [], maxChars = LIMITS.itemChars, maxItems }: Field): Schema {
  if (kind === "word") return gatedWord(words);
  if (kind === "list") return gatedList(maxItems ?? LIMITS.listItems, maxChars);
  if (kind === "links") return list(object({ rel: gatedWord(words), to: gatedText(LIMITS.handleChars) }));
  if (kind === "flag") return flag;
  return gatedText(kind === "time" ? 40 : maxChars);
}
