import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const folder = mkdtempSync(join(tmpdir(), "heed-torture-bundle-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));

export const SOURCES: string =
  process.env["HEED_SOURCES"] ?? dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The file that makes the file system fail. */
export const FAULT_PRELOAD: string = join(SOURCES, "test", "torture", "fault-preload.cjs");

/**
 * The worker as one file that Node 20 runs. Its compiled code is kept, as that of the product is: hundreds of workers
 * live for half a second each, a quarter of it compiling otherwise.
 */
export function workerBundle(): Promise<string> {
  return (launcher ??= bundle());
}

let launcher: Promise<string> | undefined;

async function bundle(): Promise<string> {
  const common = {
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    logLevel: "error",
  } as const;
  const [run, worker, codeCache] = ["run.cjs", "worker.cjs", "code-cache.cjs"].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  await build({
    ...common,
    entryPoints: [join(SOURCES, "test", "torture", "worker.ts")],
    outfile: worker,
    define: { __HEED_VERSION__: '"torture"' },
    // As the build makes a bundle: a function, which the launcher runs with its kept code.
    banner: { js: "(function (exports, require, module, __filename, __dirname) {" },
    footer: { js: "})" },
  });
  const cache = join(SOURCES, "src", "surfaces", "launch", "code-cache.ts");
  await build({ ...common, entryPoints: [cache], outfile: codeCache });
  const [runner, target, kept] = [codeCache, worker, join(folder, "code")].map((path) =>
    JSON.stringify(path),
  );
  writeFileSync(run, `require(${runner}).runWithCodeCache(${target}, ${kept}, module);\n`);
  return run;
}
