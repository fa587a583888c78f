// npm run torture -- [--seed N] [--ops N] [--json] …: bundles main.ts (Node 20 reads no TypeScript) and runs it.
import { mkdtempSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
process.env.HEED_SOURCES = dirname(dirname(here));
// Beside the packages, so that those it needs are found from there.
const folder = mkdtempSync(join(dirname(dirname(here)), "node_modules", ".heed-torture-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
const outfile = join(folder, "main.mjs");
await build({
  entryPoints: [join(here, "main.ts")],
  outfile,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  external: ["esbuild"],
  define: { __HEED_VERSION__: '"torture"' },
  banner: {
    js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
  },
  logLevel: "error",
});
const { main } = await import(pathToFileURL(outfile).href);
process.exit(await main(process.argv.slice(2)));
