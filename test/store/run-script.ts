import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const built = new Map<string, string>();
const folder = mkdtempSync(join(tmpdir(), "heed-scripts-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));

/**
 * Runs a TypeScript file as a process of its own; Node 20 strips no types, so it is bundled first.
 * `lines` is what it has printed so far.
 */
export function runScript(
  script: URL,
  args: readonly string[],
): { process: ChildProcess; exit: Promise<number | null>; lines: string[] } {
  const source = fileURLToPath(script);
  let file = built.get(source);
  if (file === undefined) {
    file = join(folder, `${built.size}.mjs`);
    const banner =
      'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';
    buildSync({
      entryPoints: [source],
      bundle: true,
      platform: "node",
      format: "esm",
      outfile: file,
      banner: { js: banner },
    });
    built.set(source, file);
  }
  const child = spawn(process.execPath, [file, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
  const exit = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve(code));
  });
  return { process: child, exit, lines };
}
