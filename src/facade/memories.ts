import type { Schema, Methods } from "../here/api/schema.ts";
import {
  anyText,
  gatedText,
  callback,
  either,
  nothing,
  object,
  optional,
  text,
  described,
  shape,
} from "../here/api/schema.ts";
import type {
  Change,
  DraftReading,
  EditedFile,
  MemoryChanges,
  NewMemory,
  RemovalReason,
  WriteResult,
} from "../here/api/written-memory.ts";
import { MEMORY_FIELDS } from "../here/api/memory-fields.ts";
import type {
  MemoryFilter,
  Overview,
  SearchAnswer,
  SearchRequest,
  ShowOptions,
  ShownMetadata,
  ShownFile,
  ShownMemories,
  ShownMemory,
  MemorySummary,
  WatchedPart,
} from "../here/api/shown-memory.ts";
import type { Actor } from "../memory/memory.ts";
import { SECTION_LABELS } from "../memory/codec/sections.ts";
import { LIMITS } from "../memory/limits.ts";
import type { TypePolicy } from "../memory/memory-type.ts";
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

/** The memories that hold here: found, read, written. */
export interface MemoriesApi {
  /**
   * Lists memories without their texts, by type in the order of the taxonomy, then by name.
   *
   * @param filter - What narrows the list down; default: all that apply to the repository and branch at hand.
   * @throws HeedError `invalid-input` for an invalid filter, a date that cannot be read; `no-store` for a store that
   *   is not here.
   * @example
   * const rules = await heed.memories.list({ types: ["feedback"] });
   * rules.map(({ name }) => name); // → ["no-force-push"]
   */
  list(filter?: MemoryFilter): Promise<ShownMetadata[]>;
  /**
   * Summarises memories, in the order of `list`: each with how fresh it is, how often it was told, and how often it was of use.
   *
   * @param filter - What narrows the list down; default: all that apply to the repository and branch at hand.
   * @throws HeedError `invalid-input` for an invalid filter, a date that cannot be read; `no-store` for a store that
   *   is not here.
   * @example
   * const [first] = await heed.memories.summaries({ types: ["reference"] });
   * [first?.name, first?.injected]; // → ["budget-board", 1]
   */
  summaries(filter?: MemoryFilter): Promise<MemorySummary[]>;
  /**
   * Tells when memories, the inbox, tellings or settings change here, whoever changes them; resolves to what ends that.
   * Looks about once a second, and keeps no process alive.
   *
   * @throws HeedError `invalid-input` for what is no function.
   * @example
   * const stop = await heed.memories.watch((changed) => console.log(changed));
   * stop();
   */
  watch(onChange: (changed: WatchedPart[]) => void): Promise<() => void>;
  /**
   * Shows one memory in full, as its file says now; of none that the handle fits, one that waits in the inbox.
   *
   * @throws HeedError `invalid-input`; `not-found` and `ambiguous` when the handle fits none or several.
   * @example
   * const { body } = await heed.memories.show("heed:budget-board");
   * body.includes("grafana"); // → true
   */
  show(handle: string, options?: ShowOptions): Promise<ShownMemory>;
  /**
   * Shows several memories in full, each once, in the order given; of those that cannot be shown, why not. A handle with
   * braces, as the map folds look-alikes, means several. At most {@link LIMITS.shownAtOnce} in one call.
   *
   * @throws HeedError `invalid-input` for what is no list of handles.
   * @example
   * const { memories, notShown } = await heed.memories.showAll(["heed:budget-board", "no-such-thing"]);
   * [memories.length, notShown[0]?.code]; // → [1, "not-found"]
   */
  showAll(handles: readonly string[], options?: ShowOptions): Promise<ShownMemories>;
  /**
   * Gives the file of a memory as it is, front matter included, without secrets.
   *
   * @throws HeedError `invalid-input`; `not-found` and `ambiguous`; `gate-refused` when its text is quarantined from the
   *   reader.
   * @example
   * const { text } = await heed.memories.showFile("budget-board");
   * text.startsWith("---\n"); // → true
   */
  showFile(handle: string, options?: ShowOptions): Promise<ShownFile>;
  /**
   * Searches by words, phrases and prefixes; best hits first, each with a passage and how fresh it is.
   *
   * @throws HeedError `invalid-input` for an empty query or an invalid filter; `no-store` for a store that is not
   *   here.
   * @example
   * const { hits } = await heed.memories.search({ query: "error budget", limit: 3 });
   * hits[0]?.metadata.name; // → "budget-board"
   */
  search(request: SearchRequest): Promise<SearchAnswer>;
  /**
   * Counts memories by type, store and tag, without texts: whether there is anything to ask for.
   *
   * @example
   * const { total, pending } = await heed.memories.overview();
   * [total, pending]; // → [3, 1]
   */
  overview(): Promise<Overview>;
  /**
   * Tells the types that hold here, with what each holds, needs and does; declared ones included.
   *
   * @example
   * const names = heed.memories.types().map(({ name }) => name);
   * names.includes("feedback"); // → true
   */
  types(): TypePolicy[];
  /**
   * Writes a memory through the gates; a name or title that exists amends that memory. A gate's refusal is a result, not
   * an error: it says what would pass ({@link accepted} throws it).
   *
   * @throws HeedError `invalid-input` for a draft of the wrong shape; `no-store` when there is none to write to;
   *   `read-only` when the memory belongs to another tool; `changed-outside` when its file was edited meanwhile;
   *   `broken-file` when the file to amend cannot be read.
   * @example
   * const draft = { type: "reference", description: "on-call rota of billing: https://pager.example.com/r7" };
   * const { outcome } = await heed.memories.write(draft, person);
   * outcome; // → "written"
   */
  write(draft: NewMemory, actor: Actor): Promise<WriteResult>;
  /**
   * Changes a memory through the gates; what is absent stays.
   *
   * @throws HeedError `invalid-input`; `not-found` and `ambiguous`; `changed-outside` when it no longer has `ifHash`;
   *   `read-only` when it belongs to another tool; `broken-file` when its file cannot be amended.
   * @example
   * const { outcome } = await heed.memories.update("budget-board", { tags: ["slo"] }, person);
   * outcome; // → "amended"
   */
  update(handle: string, changes: MemoryChanges, actor: Actor): Promise<WriteResult>;
  /**
   * Replaces the file of a memory by an edited text, front matter included, through the gates; keeps what heed does not
   * know.
   *
   * @throws HeedError `invalid-input`; `not-found` and `ambiguous`; `changed-outside` when it no longer has `ifHash`;
   *   `broken-file` when the text is no memory; `read-only` when it belongs to another tool.
   * @example
   * const [{ metadata }, { text }] = [await heed.memories.show("budget-board"), await heed.memories.showFile("budget-board")];
   * const edited = { text: text.replace("public API", "checkout"), ifHash: metadata.contentHash };
   * (await heed.memories.edit("budget-board", edited, person)).outcome; // → "amended"
   */
  edit(handle: string, edited: EditedFile, actor: Actor): Promise<WriteResult>;
  /**
   * Reads a markdown memory (front matter and text) as a draft, without writing it.
   *
   * @throws HeedError `invalid-input` for anything but a text; what is wrong with the text comes back as problems.
   * @example
   * const { draft } = await heed.memories.readDraft("---\ndescription: the wiki moved\n---\nThe wiki moved.\n");
   * draft?.description; // → "the wiki moved"
   */
  readDraft(text: string): Promise<DraftReading>;
  /**
   * Moves a memory to the tombstones, with the reason; `restore` brings it back.
   *
   * @param reason - Why it goes; a model adds as `quote` the user's words that ask for it, letter by letter.
   * @throws HeedError `invalid-input` also for an empty reason; `not-found` and `ambiguous`; `gate-refused` when a model
   *   would remove what is the user's, and then its wish waits; `read-only`; `changed-outside`.
   * @example
   * const { summary } = await heed.memories.remove("budget-board", "the board is gone", person);
   * summary.includes("the board is gone"); // → true
   */
  remove(handle: string, reason: string | RemovalReason, actor: Actor): Promise<Change>;
  /**
   * Brings a removed memory back under its handle.
   *
   * @throws HeedError `invalid-input`; `not-found` when none was removed by this name; `ambiguous`; `gate-refused` when a
   *   model would bring back what the user removed; `changed-outside`; `broken-file`; `read-only`.
   * @example
   * const { files } = await heed.memories.restore("old-wiki", person);
   * files.length > 0; // → true
   */
  restore(handle: string, actor: Actor): Promise<Change>;
  /**
   * Gives a memory another name; links of other memories follow it.
   *
   * @throws HeedError `invalid-input` for what is no name; `not-found` and `ambiguous`; `gate-refused`; `read-only`;
   *   `changed-outside` when the name is taken or the file was edited meanwhile; `broken-file`.
   * @example
   * await heed.memories.rename("budget-board", "slo-board", person);
   * (await heed.memories.show("slo-board")).metadata.type; // → "reference"
   */
  rename(handle: string, newName: string, actor: Actor): Promise<Change>;
}

const show = optional(shape<ShowOptions>({ store: optionalText, reader }));
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
  withRelated: described(optionalFlag, "add the memories that hits are linked with"),
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
const { type, description } = MEMORY_FIELDS;
const draft = object({ ...fields, type, description });
const { name: _name, store: _store, relation: _relation, ...kept } = fields;
const textOrNull = optional(either("a text, or null", gatedText(LIMITS.bodyChars), nothing));
const sections = optional(object(Object.fromEntries(SECTION_LABELS.map((label) => [label, textOrNull]))));
const changes = object({ ...kept, expires: textOrNull, sections, ifHash: optionalText });

const findMemories = () => import("../here/reading/find-memories.ts");
const showMemory = () => import("../here/reading/show-memory.ts");
const writeMemory = () => import("../write/write-memory.ts");
const moveMemory = () => import("../write/move-memory.ts");

/** @internal */
export const MEMORIES: Methods<MemoriesApi> = {
  list: onPage({ filter }, findMemories, "listMemories"),
  summaries: onPage({ filter }, () => import("../care/summarise-memories.ts"), "summariseMemories"),
  watch: method({ onChange: callback }, () => import("../care/watch-place.ts"), "watchPlace"),
  show: onPage({ handle, options: show }, showMemory, "showMemory"),
  showAll: method({ handles, options: show }, showMemory, "showMemories"),
  showFile: onPage({ handle, options: show }, showMemory, "showFile"),
  search: onPage({ request: shape<SearchRequest>({ ...FILTER, ...found }) }, findMemories, "searchMemories"),
  overview: onPage({}, () => import("../care/setup/status.ts"), "overviewOf"),
  types: now({}, (place) => place.types.all(), true),
  write: onPage({ draft, actor }, writeMemory, "writeMemory"),
  update: onPage({ handle, changes, actor }, writeMemory, "updateMemory"),
  edit: onPage({ handle, edited, actor }, async (place, named, { text: given, ifHash }, by) =>
    (await writeMemory()).editMemory(place, named, given, ifHash, by),
  ),
  readDraft: method({ text: anyText }, () => import("../write/read-draft.ts"), "readDraft"),
  remove: onPage({ handle, reason, actor }, moveMemory, "removeMemory"),
  restore: onPage({ handle, actor }, moveMemory, "restoreMemory"),
  rename: onPage({ handle, newName: text("another name"), actor }, moveMemory, "renameMemory"),
};
