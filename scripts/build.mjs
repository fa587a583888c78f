// Builds what is shipped: the library (ES modules with types) and the CommonJS bundles of the surfaces.
// CommonJS because a lean CommonJS bundle adds nothing to Node's own start, an ES module several milliseconds.
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { build } from "esbuild";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));

// What the bundles leave out of the libraries, measured at the server's first answer (CPU, whole process 30 ms without).
const LEFT_OUT = [
  // The SDK's JSON Schema validator is for schemas that are not zod's; every schema here is. 25 ms and 150 kB.
  {
    filter: /\/@modelcontextprotocol\/server\/dist\/ajvProvider-[^/]*\.mjs$/,
    contents: `class AjvJsonSchemaValidator {
      getValidator() { throw new Error("heed is built without the JSON Schema validator"); }
    }
    export { AjvJsonSchemaValidator as n };`,
  },
  // zod's messages in 50 languages; its English ones stay. 15 ms and 300 kB.
  { filter: /\/zod\/v4\/locales\/index\.js$/, contents: `export { default as en } from "./en.js";` },
];
const leaveOut = {
  name: "leave-out",
  setup(builder) {
    for (const { filter, contents } of LEFT_OUT) {
      builder.onLoad({ filter }, ({ path }) => ({ contents, resolveDir: dirname(path) }));
    }
  },
};

rmSync("dist", { recursive: true, force: true });
const types = spawnSync("node_modules/.bin/tsc", ["-p", "tsconfig.build.json"], { stdio: "inherit" });
if (types.status !== 0) process.exit(1);

const ENTRIES = {
  cli: "src/surfaces/cli/main.ts",
  mcp: "src/surfaces/mcp/main.ts",
  hook: "src/surfaces/hooks/main.ts",
};
const result = await build({
  entryPoints: Object.fromEntries(Object.entries(ENTRIES).filter(([, file]) => existsSync(file))),
  bundle: true,
  platform: "node",
  target: "node20",
  format: "cjs",
  outdir: "dist/bin",
  outExtension: { ".js": ".cjs" },
  define: { __HEED_VERSION__: JSON.stringify(version) },
  legalComments: "none",
  // Committed with the plugin: less to clone and to read at start; names stay, so that a stack trace can be read.
  minifyWhitespace: true,
  minifySyntax: true,
  plugins: [leaveOut],
  metafile: true,
  logLevel: "warning",
});
writeFileSync("dist/meta.json", JSON.stringify(result.metafile));

writeFileSync(
  "dist/bin/heed.cjs",
  `#!/usr/bin/env node
// Each surface is a bundle of its own, so that the hot ones load nothing of the others.
const bundle = { hook: "./hook.cjs", mcp: "./mcp.cjs" }[process.argv[2]] ?? "./cli.cjs";
require(bundle);
`,
);
chmodSync("dist/bin/heed.cjs", 0o755);

// The plugin is installed by cloning the repository, without any dependency install: its bundles are committed.
mkdirSync("plugin/dist", { recursive: true });
for (const name of ["heed", ...Object.keys(ENTRIES)]) {
  if (existsSync(`dist/bin/${name}.cjs`)) cpSync(`dist/bin/${name}.cjs`, `plugin/dist/${name}.cjs`);
}
