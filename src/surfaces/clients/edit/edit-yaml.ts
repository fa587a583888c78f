import { isDeepStrictEqual } from "node:util";
import { deleteYamlKey, editLines, setYamlValue } from "../../../memory/codec/edit-yaml.ts";
import { parseYaml } from "../../../memory/codec/parse-yaml.ts";
import type { Piece } from "../entry/client.ts";
import { EditRefusal } from "./client-file.ts";

type YamlPiece = Extract<Piece, { kind: "yaml" }>;

/**
 * Puts heed's entry into a YAML file, under the key where it belongs; all other lines stay as they are. The result is
 * read again and must say what the file said before, and heed's part.
 *
 * @throws EditRefusal otherwise.
 */
export function addToYaml(text: string, piece: YamlPiece): string {
  const { key, name, value, isList } = piece;
  const before = read(text);
  if (text.includes("\r\n") && /(?<!\r)\n/.test(text)) throw new EditRefusal("its line ends are mixed");
  const there = before[key] ?? (isList ? [] : {});
  if (isList ? !Array.isArray(there) : asRecord(there) === undefined)
    throw new EditRefusal(`"${key}" is not a ${isList ? "list" : "mapping"}`);
  const wanted = isList
    ? [...withoutOwn(there, name), { name, ...value }]
    : { ...asRecord(there), [name]: value };
  if (isDeepStrictEqual(there, wanted)) return text;
  const after = editLines(text, (lf) =>
    isList
      ? setYamlValue(lf, [key], wanted, "block")
      : setYamlValue(deleteYamlKey(lf, [key, name]), [key, name], value, "block"),
  );
  if (!isDeepStrictEqual(read(after), { ...before, [key]: wanted }))
    throw new EditRefusal(`heed's entry cannot be put under "${key}" without touching the rest`);
  return after;
}

/** Takes heed's entry out, and its key if nothing else is under it and the `original` did not have it. */
export function removeFromYaml(text: string, { key, name, isList }: YamlPiece, original = ""): string {
  const there = read(text)[key];
  const left = Array.isArray(there) ? withoutOwn(there, name) : { ...asRecord(there) };
  if (!Array.isArray(left)) delete left[name];
  const isKept = Object.keys(left).length > 0 || key in read(original);
  return editLines(text, (lf) => {
    if (!isKept) return deleteYamlKey(lf, [key]);
    return isList ? setYamlValue(lf, [key], left) : deleteYamlKey(lf, [key, name]);
  });
}

function withoutOwn(items: unknown, name: string): unknown[] {
  return (items as unknown[]).filter((item) => asRecord(item)?.["name"] !== name);
}

function read(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = parseYaml(text);
  } catch (error) {
    throw new EditRefusal((error as Error).message.split("\n")[0] ?? "it is not valid YAML");
  }
  const record = asRecord(value ?? {});
  if (!record) throw new EditRefusal("it is not a YAML mapping");
  return record;
}

function asRecord(value: unknown): Record<string, unknown> | undefined {
  const isRecord = typeof value === "object" && value !== null && !Array.isArray(value);
  return isRecord ? (value as Record<string, unknown>) : undefined;
}
