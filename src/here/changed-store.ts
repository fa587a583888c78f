/**
 * What is needed only when a store changed since its index was built: parsing, and writing segments. The hot bundles
 * load it as a file of its own, since most of their calls never come here.
 */
export { memoryIndex } from "../search/index/index-writer.ts";
export { parseMemoryFile, readMemoryFile } from "../store/files/scan-store.ts";
export { isBuiltFrom, refreshIndex } from "./refresh-index.ts";
