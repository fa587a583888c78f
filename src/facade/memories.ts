import {
  type Schema,
  anyText,
  gatedText,
  either,
  nothing,
  object,
  optional,
  text,
  described,
  shape,
  MEMORY_FIELDS,
} from "../here/schema.ts";
import type { EditedFile } from "../write/write-memory.ts";
import type { RemovalReason } from "../write/move-memory.ts";
import type { MemoryFilter, SearchRequest } from "../here/reading/find-memories.ts";
import type { ShowOptions } from "../here/reading/find-memory.ts";
import { SECTION_LABELS } from "../memory/codec/sections.ts";
import { LIMITS } from "../memory/limits.ts";
import {
  optionalText,
  optionalFlag,
  limit,
  since,
  texts,
  handle,
  handles,
  actor,
  reader,
} from "./arguments.ts";
import { method, onPage, now } from "../here/call.ts";

const show = optional(shape<ShowOptions>({ reader }));
const FILTER: Readonly<Record<keyof MemoryFilter, Schema>> = {
  types: described(texts, "only these types"),
  tags: described(texts, "only memories with all of these tags"),
  statuses: described(texts, "only memories of these statuses"),
  stores: described(texts, "only these stores: user, project, attached, or an id"),
  since: described(since, "created or updated on or after this ISO date"),
  until: described(since, "created or updated before this ISO date"),
  isScopedHere: described(optionalFlag, "false: also memories of other repositories and branches"),
};
const filter = optional(object(FILTER));
const found = {
  query: text("words to look for", LIMITS.queryChars),
  limit,
  isExplained: described(optionalFlag, "list the score terms of each hit"),
  reader,
};
const reason = either<string | RemovalReason>(
  "a text, or an object with reason and quote",
  anyText,
  shape<RemovalReason>({ reason: anyText, quote: optionalText }) as Schema<RemovalReason>,
);
const edited = shape<EditedFile>({ text: anyText, ifHash: anyText });

const fields = Object.fromEntries(
  Object.entries<Schema>(MEMORY_FIELDS).map(([name, field]) => [name, optional(field)]),
);
const { type, statement } = MEMORY_FIELDS;
const draft = object({ ...fields, type, statement });
const { name: _name, store: _store, replaces: _replaces, ...kept } = fields;
const textOrNull = optional(either("a text, or null", gatedText(LIMITS.bodyChars), nothing));
const sections = optional(object(Object.fromEntries(SECTION_LABELS.map((label) => [label, textOrNull]))));
const changes = object({ ...kept, expires: textOrNull, sections, ifHash: optionalText });

const findMemories = () => import("../here/reading/find-memories.ts");
const showMemory = () => import("../here/reading/find-memory.ts");
const writeMemory = () => import("../write/write-memory.ts");
const moveMemory = () => import("../write/move-memory.ts");

export const MEMORIES = {
  /**
   * Lists memories without their texts, by type in the order of the taxonomy, then by name.
   *
   * @param filter - What narrows the list down; default: all that apply to the repository and branch at hand.
   * @throws HeedError `invalid-input` for an invalid filter, a date that cannot be read; `no-store` for a store that
   *   is not here.
   */
  list: method({ filter }, findMemories, "listMemories"),
  /**
   * Summarises memories, in the order of `list`: each with how fresh it is, how often it was told, and how often it was of use.
   *
   * @param filter - What narrows the list down; default: all that apply to the repository and branch at hand.
   * @throws HeedError `invalid-input` for an invalid filter, a date that cannot be read; `no-store` for a store that
   *   is not here.
   */
  summaries: onPage({ filter }, () => import("../care/summarise-memories.ts"), "summariseMemories"),
  /**
   * Shows one memory in full, as its file says now; of none that the handle fits, one that waits in the inbox.
   *
   * @throws HeedError `invalid-input`; `not-found` and `ambiguous` when the handle fits none or several.
   */
  show: onPage({ handle, options: show }, showMemory, "showMemory"),
  /**
   * Shows several memories in full, each once, in the order given; of those that cannot be shown, why not. At most
   * {@link LIMITS.shownAtOnce} in one call.
   *
   * @throws HeedError `invalid-input` for what is no list of handles, or too many of them.
   */
  showAll: method({ handles, options: show }, showMemory, "showMemories"),
  /**
   * Gives the file of a memory as it is, front matter included, without secrets.
   *
   * @throws HeedError `invalid-input`; `not-found` and `ambiguous`; `gate-refused` when its text is quarantined from the
   *   reader.
   */
  showFile: onPage({ handle, options: show }, showMemory, "showFile"),
  /**
   * Searches by words, phrases and prefixes; best hits first, each with a passage and how fresh it is.
   *
   * @throws HeedError `invalid-input` for an empty query or an invalid filter; `no-store` for a store that is not
   *   here.
   */
  search: method({ request: shape<SearchRequest>({ ...FILTER, ...found }) }, findMemories, "searchMemories"),
  /** Counts memories by type, store and tag, without texts: whether there is anything to ask for. */
  overview: onPage({}, () => import("../care/setup/status.ts"), "overviewOf"),
  /** Tells the types that hold here, with what each holds, needs and does; declared ones included. */
  types: now({}, (place) => place.types.all()),
  /**
   * Writes a memory through the gates; a name or title that exists amends that memory. A gate's refusal is a result, not
   * an error: it says what would pass ({@link accepted} throws it).
   *
   * @throws HeedError `invalid-input` for a draft of the wrong shape; `no-store` when there is none to write to;
   *   `read-only` when the memory belongs to another tool; `changed-outside` when its file was edited meanwhile;
   *   `broken-file` when the file to amend cannot be read.
   */
  write: method({ draft, actor }, writeMemory, "writeMemory"),
  /**
   * Changes a memory through the gates; what is absent stays.
   *
   * @throws HeedError `invalid-input`; `not-found` and `ambiguous`; `changed-outside` when it no longer has `ifHash`;
   *   `read-only` when it belongs to another tool; `broken-file` when its file cannot be amended.
   */
  update: method({ handle, changes, actor }, writeMemory, "updateMemory"),
  /**
   * Replaces the file of a memory by an edited text, front matter included, through the gates; keeps what heed does not
   * know.
   *
   * @throws HeedError `invalid-input`; `not-found` and `ambiguous`; `changed-outside` when it no longer has `ifHash`;
   *   `broken-file` when the text is no memory; `read-only` when it belongs to another tool.
   */
  edit: onPage({ handle, edited, actor }, writeMemory, "editMemory"),
  /**
   * Reads a markdown memory (front matter and text) as a draft, without writing it.
   *
   * @throws HeedError `invalid-input` for anything but a text; what is wrong with the text comes back as problems.
   */
  readDraft: method({ text: anyText }, writeMemory, "readDraft"),
  /**
   * Moves a memory to the tombstones, with the reason; `restore` brings it back.
   *
   * @param reason - Why it goes; a model adds as `quote` the user's words that ask for it, letter by letter.
   * @throws HeedError `invalid-input` also for an empty reason; `not-found` and `ambiguous`; `gate-refused` when a model
   *   would remove what is the user's, and then its wish waits; `read-only`; `changed-outside`.
   */
  remove: onPage({ handle, reason, actor }, moveMemory, "removeMemory"),
  /**
   * Brings a removed memory back under its handle.
   *
   * @throws HeedError `invalid-input`; `not-found` when none was removed by this name; `ambiguous`; `gate-refused` when a
   *   model would bring back what the user removed; `changed-outside`; `broken-file`; `read-only`.
   */
  restore: method({ handle, actor }, moveMemory, "restoreMemory"),
  /**
   * Gives a memory another name; links of other memories follow it.
   *
   * @throws HeedError `invalid-input` for what is no name; `not-found` and `ambiguous`; `gate-refused`; `read-only`;
   *   `changed-outside` when the name is taken or the file was edited meanwhile; `broken-file`.
   */
  rename: onPage({ handle, newName: text("another name"), actor }, moveMemory, "renameMemory"),
};
