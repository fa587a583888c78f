// npm run bench -- NAME [--json] [options]: bundles bench/NAME.ts (Node 20 reads no TypeScript) and runs it.
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const [name, ...args] = process.argv.slice(2);
const names = readdirSync(here)
  .filter((file) => file.endsWith(".bench.ts"))
  .map((file) => file.replace(".bench.ts", ""));
if (name === undefined || !existsSync(join(here, `${name}.bench.ts`))) {
  console.error(`usage: npm run bench -- ${names.join(" | ")} [--json]`);
  process.exit(2);
}
const out = join(here, "out", `${name}.mjs`);
mkdirSync(dirname(out), { recursive: true });
await build({
  stdin: {
    contents: `export * from "./${name}.bench.ts"; export { printFigures } from "./figure.ts";`,
    resolveDir: here,
    loader: "ts",
  },
  outfile: out,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  packages: "external",
  define: { __HEED_VERSION__: '"bench"' },
  logLevel: "warning",
});
const { run, printFigures } = await import(pathToFileURL(out).href);
const isJson = args.includes("--json");
const startedAt = Date.now();
const benched = Promise.resolve().then(() => run(args.filter((arg) => arg !== "--json")));
const figures = await benched.catch((error) => {
  // What is wrong is mostly an option or the data, and a place in a bundle tells nobody.
  console.error(process.env.DEBUG ? error : `bench ${name}: ${error.message}  (DEBUG=1 shows where)`);
  process.exit(1);
});
printFigures(name, figures, isJson, Date.now() - startedAt);
// A bench that compares with committed figures sets the exit code when one got worse.
process.exit(process.exitCode ?? 0);
