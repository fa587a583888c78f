import type { McpServer } from "@modelcontextprotocol/server";
import { anyText, list, object, open, optional, described } from "../../../here/api/schema.ts";
import type { ShownMemory, Verdict } from "../../../heed.ts";
import { plainWords } from "../../../memory/handle.ts";
import { LIMITS } from "../../../memory/limits.ts";
import { addTool } from "./add-tool.ts";
import type { HeedSessions } from "./heed-sessions.ts";
import { handleField, viewMemory, viewVerdict } from "./memory-view.ts";

/** The tool that the lines of the map lead to: one memory in full, or several at once. */
export function addShowTool(server: McpServer, sessions: HeedSessions): void {
  addTool(server, sessions, {
    name: "memory_show",
    title: "Show memories",
    description:
      "Show memories in full by their handles, several in one call: text, dates, where each applies, and notes on " +
      "whether it is in force here. Use it for each line of heed's map that is relevant to what you are about to do, before " +
      "you do it. The hash goes into memory_update as if_hash.",
    input: object({
      handles: described(
        optional({ ...list(handleField, LIMITS.shownAtOnce), minItems: 1 }),
        `Handles, at most ${LIMITS.shownAtOnce}: they come as a list, with what was not found`,
      ),
      handle: optional(handleField),
    }),
    output: open({ handle: optional(anyText), memories: optional(list(open({ handle: anyText }))) }),
    annotations: { readOnlyHint: true, idempotentHint: true },
    isAlwaysLoaded: true,
    run: async ({ handle, handles }, { heed, actor: reader }) => {
      // Without any handle the error says what one is.
      if (handles === undefined)
        return { value: viewWhole(await heed.memories.show(handle ?? "", { reader })) };
      const wanted = [...(handle === undefined ? [] : [handle]), ...(handles ?? [])];
      const { memories, notShown } = await heed.memories.showAll(wanted, { reader });
      return {
        value: { memories: memories.map(viewWhole), ...(notShown.length > 0 && { not_shown: notShown }) },
      };
    },
  });
}

/** What the text says already, and what no task needs, is left out. */
function viewWhole(shown: ShownMemory): Record<string, unknown> {
  const { metadata, store, verdict, body, notes } = shown;
  const { created, confidence } = metadata;
  const { statement, signals: _counted, only_data: _noted, ...view } = viewMemory(metadata, [store], verdict);
  const isSaid = plainWords(body).startsWith(plainWords(statement));
  return {
    ...view,
    ...(!isSaid && { statement }),
    body,
    ...(notes.length > 0 && { notes }),
    holds_in: shown.holdsIn,
    source: metadata.source,
    ...(confidence === "low" && { confidence }),
    ...(metadata.trigger.length > 0 && { trigger: metadata.trigger }),
    ...(metadata.aliases.length > 0 && { aliases: metadata.aliases }),
    ...(metadata.links.length > 0 && { links: metadata.links }),
    ...(verdict && isDoubted(verdict) && { verdict: viewVerdict(verdict) }),
    ...(created !== undefined && created !== view.changed && { created }),
    ...(metadata.expires !== undefined && { expires: metadata.expires }),
    ...(shown.isPending && { is_pending: true }),
    // Its tool changes it by its file.
    ...(store.kind === "attached" && { path: shown.path }),
    hash: metadata.contentHash,
  };
}

function isDoubted({ claims, paths, unchecked, isAlarm }: Verdict): boolean {
  return isAlarm || claims.broken.length + paths.missing.length + unchecked.length > 0;
}
