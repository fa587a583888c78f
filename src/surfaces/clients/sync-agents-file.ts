import { dirname, join, resolve } from "node:path";
import { type Heed, HeedError } from "../../heed.ts";
import { asIoFailure, realPathOf } from "../../machine/regular-file.ts";
import { readClientFile, removeClientFile, replaceClientFile } from "./edit/edit-file.ts";
import { EditRefusal } from "./entry/client.ts";

interface AgentsFileReport {
  file: string;
  action: "created" | "changed" | "unchanged" | "removed";
  chars: number;
}

/** Keeps heed's block in the file, and folders' rules in their AGENTS.md. @throws HeedError `broken-file`, `io-failed`. */
export async function syncAgentsFile(
  heed: Heed,
  { root, name, isPersonal }: { root: string; name: string; isPersonal: boolean },
): Promise<AgentsFileReport & { nested: AgentsFileReport[] }> {
  const stores = isPersonal ? "all" : "project";
  const said = await heed.session.opening({ stores });
  if (name !== "") return { ...syncFile(resolve(root, name), said), nested: [] };
  const folders = await heed.session.folderRules({ stores });
  const ofRoot = folders.find(({ folder }) => folder === ".")?.text ?? "";
  // A clone can bring a link that leads out of it.
  const isOwn = (path: string): boolean => realPathOf(join(root, path)) === join(realPathOf(root), path);
  const nested = folders
    .filter(({ folder }) => folder !== "." && isOwn(folder) && isOwn(join(folder, "AGENTS.md")))
    .map(({ folder, text }) => syncFile(join(root, folder, "AGENTS.md"), text))
    .filter(({ action, chars }) => action !== "unchanged" || chars > 0);
  return { ...syncFile(join(root, "AGENTS.md"), `${said}\n\n${ofRoot}`), nested };
}

function syncFile(file: string, said: string): AgentsFileReport {
  try {
    const before = readClientFile(file);
    const after = withBlock(before ?? "", said);
    const chars = after.length - withBlock(before ?? "", "").length;
    if (after === (before ?? "")) return { file, action: "unchanged", chars };
    if (after === "") {
      removeClientFile(file, dirname(file));
      return { file, action: "removed", chars };
    }
    replaceClientFile(file, after, 0o644);
    return { file, action: before === undefined ? "created" : "changed", chars };
  } catch (error) {
    if (error instanceof EditRefusal)
      throw new HeedError("broken-file", `${file} is left as it is: ${error.message}.`, { file });
    throw asIoFailure(error, "write", file);
  }
}

const BEGIN =
  "<!-- heed: begin (kept by `heed sync agents-md`; what you write between these lines is lost) -->";
const END = "<!-- heed: end -->";
const BLOCK = /(?:\r?\n)?<!-- heed: begin[^\n]*-->\r?\n[\s\S]*?<!-- heed: end -->(?:\r?\n|$)/;
/** Clients read the whole file with every session; some cut it at 32 KiB. */
const MAX_BLOCK_CHARS: number = 8000;

/** Puts the block in its place, else at the end; takes it out for an empty text. @throws HeedError `broken-file`. */
export function withBlock(text: string, said: string): string {
  const hasBegin = text.includes("<!-- heed: begin");
  if (hasBegin && !BLOCK.test(text))
    throw new HeedError(
      "broken-file",
      `heed's block begins there and has no line "${END}". Put that line back, or take the block out.`,
      { file: "AGENTS.md" },
    );
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const body = bounded(said);
  if (body === "") return text.replace(BLOCK, "");
  const block = [BEGIN, body, END, ""].join("\n").replaceAll("\n", eol);
  if (hasBegin) return text.replace(BLOCK, (found) => (/^\r?\n/.exec(found)?.[0] ?? "") + block);
  const gap = text === "" ? "" : text.endsWith("\n") ? eol : eol + eol;
  return text + gap + block;
}

/** Whole lines within the size; a mark of heed's own in a memory would end the block. */
function bounded(said: string): string {
  const safe = said.replaceAll("<!-- heed:", "<!-- heed :").trim();
  if (safe.length <= MAX_BLOCK_CHARS) return safe;
  const cut = safe.slice(0, MAX_BLOCK_CHARS);
  return `${cut.slice(0, cut.lastIndexOf("\n"))}\n(and more: memory_search)`;
}
