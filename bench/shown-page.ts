import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { METHODS } from "../src/heed.ts";

/** Calls of the page that would change what the others are asked about. */
const CHANGING = /\.(?:edit|remove|rename|restore|confirm|reject|undo|verify|repair|trust)$/;

/** Starts `heed ui` and asks it everything that its page may ask. */
export async function* askPage(
  heed: string,
  place: { cwd: string; env: Record<string, string> },
  names: readonly string[],
): AsyncGenerator<[what: string, answer: string]> {
  const server = spawn(process.execPath, [heed, "ui"], place);
  try {
    let address: URL | undefined;
    for await (const line of createInterface(server.stdout)) {
      const found = /http:\/\/\S+/.exec(line);
      if (!found) continue;
      address = new URL(found[0]);
      break;
    }
    if (!address) throw new Error("heed ui gave no address");
    const { origin, hash } = address;
    const post = async (path: string, key: string, args: readonly unknown[]): Promise<string> => {
      const headers = { "content-type": "application/json", origin, "x-heed-key": key };
      const answer = await fetch(`${origin}/api/${path}`, {
        method: "POST",
        headers,
        body: JSON.stringify(args),
      });
      return answer.text();
    };
    const entered = JSON.parse(await post("enter", hash.replace("#ticket=", ""), [])) as { answer?: string };
    if (entered.answer === undefined) throw new Error("heed ui let nobody in");
    const calls: [call: string, takes: number][] = [["clients", 0]];
    for (const [call, { takes, isForPage }] of Object.entries(METHODS)) {
      const given = Object.keys(takes).filter((name) => name !== "actor");
      if (isForPage) calls.push([call, given.length]);
    }
    for (const [call, takes] of calls) {
      const given = call === "memories.summaries" ? [{}] : names;
      const asked = CHANGING.test(call) ? ["no-such-memory"] : takes === 0 ? [undefined] : given;
      for (const one of asked)
        yield [`page ${call}`, await post(call, entered.answer, takes === 0 ? [] : [one])];
    }
  } finally {
    server.kill();
    if (server.exitCode === null) await once(server, "exit");
  }
}
