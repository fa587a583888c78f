import { splitFrontMatter } from "../../memory/codec/front-matter.ts";

/** The id that a memory's text gives itself, or undefined; cheap, since histories hold many texts. */
export function memoryIdIn(text: string): string | undefined {
  const { yaml } = splitFrontMatter(text);
  return yaml === null
    ? undefined
    : /^[ \t]*id:[ \t]*["']?([\w-]{1,64})["']?[ \t]*(?:#.*)?$/m.exec(yaml)?.[1];
}
