// Builds what is shipped: the library (ES modules with types) and the CommonJS bundles of the surfaces.
// CommonJS because a lean CommonJS bundle adds nothing to Node's own start, an ES module several milliseconds.
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));

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
