import { asRecord } from "../machine/read-fields.ts";
import { nearestNames } from "../memory/nearest-names.ts";

export interface GuardProblem {
  code: string;
  message: string;
  remedy: string;
}

/** What is said of an entry that cannot be taken, behind its text. */
export type WrongEntry = readonly [code: string, what: string, remedy: string];

const MAX_ENTRIES = 30;
const MAX_TEXT_CHARS = 500;

/** Reads the keys of one guard or exception, and records which were read, so that the others can be refused. */
export class GuardFields {
  readonly problems: GuardProblem[] = [];
  readonly #record: Record<string, unknown> | undefined;
  readonly #label: string;
  readonly #known = new Set<string>();

  constructor(raw: unknown, label: string) {
    this.#record = asRecord(raw);
    this.#label = label;
  }

  has(key: string): boolean {
    return this.#get(key) !== undefined;
  }

  get isRecord(): boolean {
    return this.#record !== undefined;
  }

  complain(code: string, message: string, remedy: string): void {
    this.problems.push({ code, message: `${this.#label}: ${message}`, remedy });
  }

  /** The entries under all spellings of a key; a single value is a list of one. */
  list(...keys: string[]): unknown[] {
    return keys.flatMap((key) => {
      this.#known.add(key);
      if (!this.has(key)) return [];
      const items = [this.#get(key)].flat();
      if (items.length === 0 || items.length > MAX_ENTRIES)
        this.complain("bad-guard-list", `${key} has ${items.length} entries`, `give 1 to ${MAX_ENTRIES}`);
      return items.slice(0, MAX_ENTRIES);
    });
  }

  texts(...keys: string[]): string[] {
    return this.list(...keys).flatMap((item) => {
      const text = typeof item === "number" ? String(item) : typeof item === "string" ? item.trim() : "";
      if (text !== "" && text.length <= MAX_TEXT_CHARS) return [text];
      this.complainOf(item, [
        "bad-guard-value",
        `is no ${keys[0]}`,
        `write 1 to ${MAX_TEXT_CHARS} characters`,
      ]);
      return [];
    });
  }

  /** The texts under a key as `read` takes them; one that it cannot take is complained about. */
  read<T>(keys: string[], read: (text: string) => T | undefined, wrong: WrongEntry): T[] {
    return this.texts(...keys).flatMap((text) => {
      const value = read(text);
      if (value !== undefined) return [value];
      this.complainOf(text, wrong);
      return [];
    });
  }

  complainOf(entry: unknown, [code, what, remedy]: WrongEntry): void {
    this.complain(code, `${(JSON.stringify(entry) ?? "nothing").slice(0, 80)} ${what}`, remedy);
  }

  /** One of a few words; undefined without the key, or where it says another. */
  choice<T extends string>(key: string, words: readonly T[]): T | undefined {
    const said = this.text(key);
    const word = words.find((one) => one === said);
    if (said !== undefined && word === undefined)
      this.complainOf(said, [`bad-${key}`, `is no ${key}`, `use ${words.join(" or ")}`]);
    return word;
  }

  text(key: string): string | undefined {
    const texts = this.texts(key);
    if (texts.length > 1) this.complainOf(texts, ["bad-guard-value", `is more than one ${key}`, "write one"]);
    return texts[0];
  }

  records(key: string): GuardFields[] {
    return this.list(key).flatMap((item) => {
      const fields = new GuardFields(item, `${this.#label}, ${key}`);
      if (fields.isRecord) return [fields];
      this.complain("bad-guard-value", `${key} is not a map`, "write it as { flags: [--dry-run] }");
      return [];
    });
  }

  /** `shownAs`: keys by the label under which a message shows their text. */
  refuseOthers(shownAs: Readonly<Record<string, string>> = {}): void {
    const names = [...this.#known, ...Object.keys(shownAs)];
    for (const key of Object.keys(this.#record ?? {})) {
      if (this.#known.has(key)) continue;
      const [near] = nearestNames(key, names, 1);
      const meant = near === undefined ? "" : `did you mean ${shownAs[near] ?? near}? `;
      const remedy = `${meant}The keys are ${[...this.#known].join(", ")}`;
      this.complain("unknown-guard-key", `unknown key ${JSON.stringify(key.slice(0, 40))}`, remedy);
    }
  }

  #get(key: string): unknown {
    const record = this.#record;
    const value = record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
    return value === null ? undefined : value;
  }
}
