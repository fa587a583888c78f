import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const bundles = new Map<string, Promise<string>>();
const folder = mkdtempSync(join(tmpdir(), "heed-torture-bundle-"));
// An unprivileged process has to read it too.
chmodSync(folder, 0o755);
process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));

export const SOURCES: string =
  process.env["HEED_SOURCES"] ?? dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The file that makes the file system fail and the clock jump. */
export const FAULT_PRELOAD: string = join(SOURCES, "test", "torture", "fault-preload.cjs");

/** `next`: a heed of tomorrow, which writes its index in another format and reads the same files otherwise. */
export type WorkerVersion = "now" | "next";

/**
 * The worker as one file that Node 20 runs. Its compiled code is kept, as that of the product is: hundreds of workers
 * live for half a second each, a quarter of it compiling otherwise.
 */
export function workerBundle(version: WorkerVersion): Promise<string> {
  const known = bundles.get(version) ?? bundle(version);
  bundles.set(version, known);
  return known;
}

async function bundle(version: WorkerVersion): Promise<string> {
  const launcher = join(folder, `run-${version}.cjs`);
  const outfile = join(folder, `worker-${version}.cjs`);
  const changed = new Set<RegExp>();
  await build({
    entryPoints: [join(SOURCES, "test", "torture", "worker.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    define: { __HEED_VERSION__: `"torture-${version}"` },
    logLevel: "error",
    // As the build makes a bundle: a function, which the launcher runs with its kept code.
    banner: { js: "(function (exports, require, module, __filename, __dirname) {" },
    footer: { js: "})" },
    plugins:
      version === "now"
        ? []
        : [
            {
              name: "next-version",
              setup: (builder) => {
                for (const [file, from, to] of NEXT)
                  builder.onLoad({ filter: file }, ({ path }) => {
                    const source = readFileSync(path, "utf8");
                    const contents = source.replace(from, to);
                    if (contents === source)
                      throw new Error(`${path} has no ${String(from)}: the next version would be this one`);
                    changed.add(file);
                    return { contents, loader: "ts" };
                  });
              },
            },
          ],
  });
  const missed = version === "now" ? undefined : NEXT.find(([file]) => !changed.has(file));
  if (missed) throw new Error(`no source is ${String(missed[0])}: the next version would be this one`);
  const codeCache = join(folder, "code-cache.cjs");
  await build({
    entryPoints: [join(SOURCES, "src", "surfaces", "launch", "code-cache.ts")],
    outfile: codeCache,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    logLevel: "error",
  });
  const [cache, worker, kept] = [codeCache, outfile, join(folder, "code")].map((path) =>
    JSON.stringify(path),
  );
  writeFileSync(launcher, `require(${cache}).runWithCodeCache(${worker}, ${kept}, module);\n`);
  return launcher;
}

/** What another version of heed has counted up. */
const NEXT: readonly [RegExp, RegExp, string][] = [
  [/index\/segment\/segment-format\.ts$/, /INDEX_VERSION( *: *number)? = \d+/, "INDEX_VERSION$1 = 99"],
  [/here\/store-index\.ts$/, /READING = \d+/, "READING = 99"],
];
