// Builds what is shipped: the library (ES modules with types) and the CommonJS bundles of the surfaces.
// CommonJS because a lean CommonJS bundle adds nothing to Node's own start, an ES module several milliseconds.
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
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

/**
 * Libraries that few calls need: each becomes a file of its own beside the bundles, which share it, and is read when
 * something of it is first used. YAML alone takes half of Node's own start.
 */
const COLD = [
  "@secretlint/secretlint-rule-preset-recommend",
  "chrono-node/en",
  "diff",
  "picomatch",
  "re2js",
  "semver",
  "smol-toml",
  "unbash",
  "yaml",
];
/** Parts of Node that it does not load itself, and that are likewise loaded at their first use. */
const COLD_PARTS = ["node:child_process", "node:crypto"];
const coldFile = (name) => `lib-${name.replaceAll("/", "-")}`;
const loadCold = {
  name: "load-cold",
  setup(builder) {
    const cold = new RegExp(`^(?:${[...COLD, ...COLD_PARTS].join("|")})$`);
    builder.onResolve({ filter: cold }, ({ path, namespace }) =>
      namespace === "cold" ? { path, external: true } : { path, namespace: "cold" },
    );
    builder.onResolve({ filter: /^\.\/lib-/ }, ({ path }) => ({ path, external: true }));
    builder.onLoad({ filter: /.*/, namespace: "cold" }, async ({ path }) => {
      const library = await import(path);
      const exported = Object.keys(library).filter((name) => name !== "module.exports");
      // Of a CommonJS library without names that Node can tell, the importer's default is `exports` itself.
      const isPlain = exported.every((name) => name === "default");
      const names = isPlain ? Object.keys(library.default) : exported;
      const real = COLD_PARTS.includes(path) ? path : `./${coldFile(path)}.cjs`;
      // Getters: what a bundle takes over from here is looked up at each use, so the first use loads the file.
      return {
        contents: `let library;
          for (const name of ${JSON.stringify(names)}) {
            Object.defineProperty(exports, name, {
              enumerable: true,
              get: () => (library ??= require("${real}"))[name],
            });
          }
          ${isPlain ? "" : 'Object.defineProperty(exports, "__esModule", { value: true });'}`,
      };
    });
  },
};

rmSync("dist", { recursive: true, force: true });
const types = spawnSync("node_modules/.bin/tsc", ["-p", "tsconfig.build.json"], { stdio: "inherit" });
if (types.status !== 0) process.exit(1);
// The library is compiled file by file: what esbuild fills into the bundles is filled in here.
const versionFile = "dist/lib/app/place/version.js";
writeFileSync(
  versionFile,
  readFileSync(versionFile, "utf8").replaceAll("__HEED_VERSION__", JSON.stringify(version)),
);

const ENTRIES = {
  cli: "src/surfaces/cli/main.ts",
  mcp: "src/surfaces/mcp/main.ts",
  hook: "src/surfaces/hooks/main.ts",
};
/** Of the façade a hook uses `onEvent` alone, and a search `search`: what they never load is left out of their bundles. */
const onlyLoading = (wanted) => ({
  name: "only-loading",
  setup(builder) {
    // A process that ends after its answer asks no judge and no sentence model.
    builder.onResolve({ filter: /\/(?:ask-judge|search-by-meaning)\.ts$/ }, ({ path }) => ({
      path,
      namespace: "left-out",
    }));
    builder.onResolve({ filter: /^\.\/(?:app|optional|commands)\// }, ({ path, kind }) =>
      kind !== "dynamic-import" || wanted.test(path)
        ? undefined
        : { path: "what few calls use", namespace: "left-out" },
    );
    builder.onLoad({ filter: /.*/, namespace: "left-out" }, () => ({
      contents: 'throw new Error("this part is left out of this bundle");',
    }));
  },
});
/**
 * Parts that most calls do not load: how a store that changed is read, how claims are measured, and how guards are asked
 * where a rule carries one.
 */
const BESIDE = {
  "changed-store": "src/app/place/changed-store.ts",
  "evaluate-guards": "src/guard/evaluate-guards.ts",
  "claim-checker": "src/app/claims/claim-checker.ts",
};
const beside = (...names) => ({
  name: "parts-beside",
  setup(builder) {
    for (const name of names) {
      builder.onResolve({ filter: new RegExp(`/${name}\\.ts$`) }, ({ kind }) =>
        kind === "dynamic-import" ? { path: `./${name}.cjs`, external: true } : undefined,
      );
    }
  },
});
const partsBeside = beside(...Object.keys(BESIDE));
/**
 * Modules of few calls, in files that the bundles share: reading source for what it defines, asking git for what
 * became of a claim, and finding claims in a text. Whoever imports one gets getters, which load its file at the first use.
 */
const LATE = {
  "read-source": ["src/freshness/source/find-definitions.ts", "src/freshness/assigned-values.ts"],
  "ask-history": [
    "src/app/claims/freshness-history.ts",
    "src/freshness/explain-break.ts",
    "src/freshness/propose-repair.ts",
    "src/freshness/repository-history.ts",
  ],
  "propose-claims": ["src/freshness/propose-claims.ts"],
};
const loadLate = (own) => ({
  name: "load-late",
  setup(builder) {
    for (const [bundle, modules] of Object.entries(LATE)) {
      if (bundle === own) continue;
      const names = modules.map((module) => basename(module, ".ts")).join("|");
      builder.onResolve({ filter: new RegExp(`/(?:${names})\\.ts$`) }, ({ path, resolveDir }) => ({
        path: relative(".", join(resolveDir, path)),
        namespace: "late",
        pluginData: bundle,
      }));
    }
    builder.onResolve({ filter: /^\.\/[\w-]+\.cjs$/ }, ({ path, namespace }) =>
      namespace === "late" ? { path, external: true } : undefined,
    );
    builder.onLoad({ filter: /.*/, namespace: "late" }, ({ path, pluginData: bundle }) => {
      const exported = readFileSync(path, "utf8").matchAll(
        /^export (?:async )?(?:function|const|class) (\w+)/gm,
      );
      const getters = [...exported].map(([, name]) => `get ${name}() { return load().${name}; }`);
      return {
        contents: `let loaded;
          const load = () => (loaded ??= require("./${bundle}.cjs"));
          module.exports = { __esModule: true, ${getters.join(", ")} };`,
      };
    });
  },
});
/** The core reads changed stores itself, whose errors are its own; asking guards throws none. */
const guardsBeside = beside("evaluate-guards");
/** The command line and the server share one file with heed's core; the server reads it after its first answer. */
const coreBeside = {
  name: "core-beside",
  setup(builder) {
    builder.onResolve({ filter: /\/heed\.ts$/ }, () => ({ path: "./core.cjs", external: true }));
  },
};
const SETTINGS = {
  bundle: true,
  // The same bytes from a checkout whose node_modules is a link.
  preserveSymlinks: true,
  platform: "node",
  target: "node20",
  // Parts that are loaded later come by require: Node's other loader would have to start first.
  supported: { "dynamic-import": false },
  format: "cjs",
  outdir: "dist/bin",
  outExtension: { ".js": ".cjs" },
  define: { __HEED_VERSION__: JSON.stringify(version) },
  legalComments: "none",
  // Committed with the plugin: less to clone and to read at start; names stay, so that a stack trace can be read.
  minifyWhitespace: true,
  minifySyntax: true,
  metafile: true,
  logLevel: "warning",
  // Code that also runs as a module asks for its address only where there is no `__dirname`.
  logOverride: { "empty-import-meta": "silent" },
};
const libraries = await build({
  ...SETTINGS,
  entryPoints: COLD.map((name) => ({ in: `cold:${name}`, out: coldFile(name) })),
  plugins: [
    {
      name: "cold-entries",
      setup(builder) {
        builder.onResolve({ filter: /^cold:/ }, ({ path }) => ({
          path: path.slice(5),
          namespace: "cold-entry",
        }));
        builder.onLoad({ filter: /.*/, namespace: "cold-entry" }, async ({ path }) => {
          const hasDefault = "default" in (await import(path));
          const exports = `export * from "${path}";${hasDefault ? `export { default } from "${path}";` : ""}`;
          return { contents: exports, resolveDir: process.cwd() };
        });
      },
    },
  ],
});
const { hook, ...others } = ENTRIES;
const coreBundle = await build({
  ...SETTINGS,
  entryPoints: { core: "src/heed.ts" },
  plugins: [guardsBeside, loadLate(), loadCold],
});
const lateBundles = [];
for (const [bundle, modules] of Object.entries(LATE)) {
  lateBundles.push(
    await build({
      ...SETTINGS,
      stdin: {
        contents: modules.map((module) => `export * from "./${module}";`).join("\n"),
        resolveDir: ".",
        sourcefile: `late:${bundle}`,
      },
      outdir: undefined,
      outfile: `dist/bin/${bundle}.cjs`,
      outExtension: undefined,
      plugins: [loadLate(bundle), loadCold],
    }),
  );
}
const bundles = await build({ ...SETTINGS, entryPoints: others, plugins: [leaveOut, coreBeside, loadCold] });
const besideBundles = await build({
  ...SETTINGS,
  entryPoints: BESIDE,
  plugins: [partsBeside, loadLate(), loadCold],
});
const hookBundle = await build({
  ...SETTINGS,
  entryPoints: { hook },
  plugins: [onlyLoading(/^\.\/app\/session\//), partsBeside, loadCold],
});
const searchBundle = await build({
  ...SETTINGS,
  entryPoints: { search: others.cli },
  plugins: [onlyLoading(/^\.\/(?:app\/reading\/find-memories|commands\/search)\.ts$/), partsBeside, loadCold],
});
// The thread of the sentence model: a module, since it loads the engine's module from where the user has it.
const sentenceWorker = await build({
  ...SETTINGS,
  supported: {},
  format: "esm",
  outExtension: { ".js": ".mjs" },
  entryPoints: { "sentence-worker": "src/optional/semantic/encoder-worker.ts" },
});
// What `heed` starts: it picks a bundle. Nothing but its own few lines may come into it.
await build({
  ...SETTINGS,
  entryPoints: { heed: "src/surfaces/launch/main.ts" },
  banner: { js: "#!/usr/bin/env node" },
  plugins: [onlyLoading(/^$/), loadCold],
});
const builds = [
  libraries,
  coreBundle,
  ...lateBundles,
  bundles,
  besideBundles,
  hookBundle,
  searchBundle,
  sentenceWorker,
].map(({ metafile }) => metafile);
const inputs = Object.assign({}, ...builds.map((metafile) => metafile.inputs));
const outputs = Object.assign({}, ...builds.map((metafile) => metafile.outputs));
writeFileSync("dist/meta.json", JSON.stringify({ inputs, outputs }));

chmodSync("dist/bin/heed.cjs", 0o755);

// The launcher reads bundles as plain ASCII. esbuild escapes strings but leaves regular expressions as they are written.
for (const name of [...Object.keys(ENTRIES), "search"]) {
  const file = `dist/bin/${name}.cjs`;
  const escape = (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  writeFileSync(file, readFileSync(file, "utf8").replace(/[^\0-\x7f]/g, escape), "latin1");
}

// The plugin is installed by cloning the repository, without any dependency install: its bundles are committed.
rmSync("plugin/dist", { recursive: true, force: true });
mkdirSync("plugin/dist", { recursive: true });
for (const file of readdirSync("dist/bin")) cpSync(`dist/bin/${file}`, `plugin/dist/${file}`);
