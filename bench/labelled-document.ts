import type { IndexDocument } from "../src/index/document/index-document.ts";
import { parseMemories } from "../src/memory/codec/parse-memories.ts";
import { TypeTable } from "../src/memory/memory-type.ts";
import type { LabelledMemory } from "./injection-data.ts";

const types = new TypeTable();

/** A memory of the data as a document of an index. */
export function labelledDocument({ id, storeId, file, text }: LabelledMemory): IndexDocument | undefined {
  const { memories } = parseMemories(text, { storeId, file }, types);
  const [memory] = memories;
  if (memory === undefined) return undefined;
  const { body, ...header } = memory;
  const card = {
    ...header,
    id,
    storeId,
    file,
    mtimeMs: 0,
    sizeBytes: text.length,
    contentHash: id,
    bodyLength: body.length,
  };
  return { card, body };
}
