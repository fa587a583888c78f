// run-bundled ENTRY …: bundles a program of the tests (Node 20 reads no TypeScript) and runs its main().
import { mkdtempSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [entry, ...args] = process.argv.slice(2);
process.env.HEED_SOURCES = root;
// Beside the packages, so that those it needs are found from there.
const folder = mkdtempSync(join(root, "node_modules", ".heed-run-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
const outfile = join(folder, "main.mjs");
await build({
  entryPoints: [resolve(root, entry)],
  outfile,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  external: ["esbuild", "playwright-core", "vitest"],
  define: { __HEED_VERSION__: '"test"' },
  banner: {
    js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
  },
  logLevel: "error",
});
const { main } = await import(pathToFileURL(outfile).href);
process.exit(await main(args));
