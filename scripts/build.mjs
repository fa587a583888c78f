// Builds what is shipped. plugin/dist: CommonJS bundles, one an entry, that the plugin and the package run; a lean
// CommonJS bundle adds nothing to Node's own start, an ES module several milliseconds. dist: the library's types, and its
// door to the same bundles.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { build, transform } from "esbuild";
import { copyPublicTypes } from "./public-types.mjs";
import { noticesOf } from "./third-party.mjs";
import { toShipped } from "./shipped-bundle.mjs";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const BUNDLES = "plugin/dist";
const LIBRARY = "dist";
/** What is made on the way and not shipped: declarations of every file, and what esbuild tells about the bundles. */
const SCRATCH = ".build";

/**
 * Libraries that few calls need: each becomes a file of its own beside the bundles, which share it, and is read when
 * something of it is first used. YAML alone takes half of Node's own start.
 */
const COLD = ["diff", "jsonc-parser", "picomatch", "re2js", "semver", "smol-toml", "unbash", "yaml"];
/** Parts of Node that it does not load itself, and that are likewise loaded at their first use. */
const COLD_PARTS = ["node:child_process", "node:crypto", "node:os", "node:tty"];
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
      // Functions alone, each of which asks for its part when it is called; esbuild leaves out those that nobody names.
      if (COLD_PARTS.includes(path)) {
        const names = Object.keys(library).filter(
          (name) => typeof library[name] === "function" && name !== "default",
        );
        const contents = names.map(
          (name) => `export function ${name}(...given) { return require("${path}").${name}(...given); }`,
        );
        return { contents: contents.join("\n") };
      }
      const exported = Object.keys(library).filter(
        (name) => !["module.exports", "__esModule"].includes(name),
      );
      // Of a CommonJS library without names that Node can tell, the importer's default is `exports` itself.
      const isPlain = exported.every((name) => name === "default");
      const names = isPlain ? Object.keys(library.default) : exported;
      // Getters: what a bundle takes over from here is looked up at each use, so the first use loads the file.
      return {
        contents: `let library;
          for (const name of ${JSON.stringify(names)}) {
            Object.defineProperty(exports, name, {
              enumerable: true,
              get: () => (library ??= require("./${coldFile(path)}.cjs"))[name],
            });
          }
          ${isPlain ? "" : 'Object.defineProperty(exports, "__esModule", { value: true });'}`,
      };
    });
  },
};

// What the server leaves out of its libraries, measured at its first answer (CPU, whole process 30 ms without).
const LEFT_OUT = [
  // The SDK's JSON Schema validator: heed checks arguments by its own schemas. 25 ms and 150 kB.
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
const trimLibraries = {
  name: "trim-libraries",
  setup(builder) {
    for (const { filter, contents } of LEFT_OUT) {
      builder.onLoad({ filter }, ({ path }) => ({ contents, resolveDir: dirname(path) }));
    }
  },
};

/**
 * A bundle holds only the parts that it can reach: of the rooms and commands that are loaded when they are needed, those
 * that match. What never runs is read and known to V8 all the same: with the whole application in its bundle a cold
 * search takes 8 % more of the processor, a cold hook 4 %.
 */
const entering = (rooms) => ({
  name: "entering",
  setup(builder) {
    builder.onResolve({ filter: /^\..*\.ts$/ }, ({ path, resolveDir, kind }) => {
      const file = relative(".", join(resolveDir, path));
      const isRoom = /^src\/(?:here|write|past|session|care|surfaces\/cli\/commands)\//.test(file);
      return kind === "dynamic-import" && isRoom && !rooms.test(file)
        ? { path: "elsewhere", namespace: "never-entered" }
        : undefined;
    });
    builder.onLoad({ filter: /.*/, namespace: "never-entered" }, () => ({
      contents: 'throw new Error("this part of heed is not in this bundle");',
    }));
  },
});
/** Of the façade the rows of these groups alone. */
const withGroups = (groups) => ({
  name: "with-groups",
  setup(builder) {
    builder.onResolve({ filter: /^\.\/facade\/[\w-]+\.ts$/ }, ({ path }) =>
      groups.test(path) ? undefined : { path, namespace: "no-rows" },
    );
    builder.onLoad({ filter: /.*/, namespace: "no-rows" }, ({ path }) => ({
      contents: `export const ${/(\w[\w-]*)\.ts$/.exec(path)[1].toUpperCase().replace("-", "_")} = {};`,
    }));
  },
});
/** The command line and the server share one file with heed's core; the server reads it after its first answer. */
const coreBeside = {
  name: "core-beside",
  setup(builder) {
    builder.onResolve({ filter: /\/heed\.ts$/ }, () => ({ path: "./core.cjs", external: true }));
  },
};
/** What a hook cannot do itself is in the core beside it. */
const wholeBeside = {
  name: "whole-beside",
  setup(builder) {
    builder.onResolve({ filter: /\/whole-heed\.ts$/ }, () => ({ path: "./core.cjs", external: true }));
  },
};
/** Few hooks' matter, which they take from the core: stores to be written or shared, what git says of a claim. */
const IN_CORE = {
  "explain-break": "explainBreak",
  "repository-history": "repositoryHistory",
  "opened-stores": "openedStores",
  "team-store": "teamStore",
  "team-stores": "teamStores",
};
const partsInCore = {
  name: "parts-in-core",
  setup(builder) {
    builder.onResolve(
      { filter: new RegExp(`/(?:${Object.keys(IN_CORE).join("|")})\\.ts$`) },
      ({ path, kind }) =>
        kind === "dynamic-import"
          ? { path: path.replace(/^.*\/|\.ts$/g, ""), namespace: "in-core" }
          : undefined,
    );
    builder.onResolve({ filter: /^\.\/core\.cjs$/ }, ({ path }) => ({ path, external: true }));
    builder.onLoad({ filter: /.*/, namespace: "in-core" }, ({ path }) => ({
      contents: `module.exports = require("./core.cjs").partsForHooks.${IN_CORE[path]};`,
    }));
  },
};
/** What speaks to a team's server is read where one is joined: a file beside those that may need it. */
const teamBeside = {
  name: "team-beside",
  setup(builder) {
    builder.onResolve({ filter: /\/open-team-server\.ts$/ }, () => ({ path: "./team.cjs", external: true }));
  },
};
/** Read by a Node that is too old for heed, which they say: its syntax, and its names of Node's own parts. */
const OLD = "node12";
const forOldNode = {
  name: "for-old-node",
  setup(builder) {
    builder.onResolve({ filter: /^node:/ }, ({ path }) =>
      COLD_PARTS.includes(path) ? undefined : { path: path.slice("node:".length), external: true },
    );
  },
};
/** What the adapters of clients use, and Node 12 lacks. */
const OLD_BANNER =
  "Object.hasOwn=Object.hasOwn||((o,k)=>({}).hasOwnProperty.call(o,k));" +
  "String.prototype.replaceAll=String.prototype.replaceAll||function(a,b){return this.split(a).join(b)};";
/** What is inside of functions gets short names. */
const SMALL = {
  minifyWhitespace: true,
  minifySyntax: true,
  minifyIdentifiers: true,
  sourcemap: "external",
  target: "node20",
  platform: "node",
  legalComments: "none",
};
/**
 * A bundle is a function that the launcher takes as it is: around a text of a megabyte it would first have to be copied.
 * Where Node loads the file, it calls the function itself. For `performance.now` Node reads ten modules of its own.
 */
const PARAMETERS = "(exports,require,module,__filename,__dirname)";
const RUNNABLE = {
  banner: `(f=>typeof require==="undefined"?f:f${PARAMETERS})((function${PARAMETERS}{"use strict";const monotonicMs=()=>{const[s,n]=process.hrtime();return s*1e3+n/1e6};`,
  footer: "}));",
};
const ENTRIES = {
  // What `heed` starts: it picks a bundle. Nothing but its own few lines may come into it.
  heed: { source: "src/surfaces/launch/main.ts", plugins: [forOldNode, entering(/^$/)], target: OLD },
  "old-node": { source: "src/surfaces/launch/old-node.ts", plugins: [forOldNode], target: OLD },
  core: { source: "scripts/core-entry.mjs", plugins: [teamBeside] },
  team: { source: "src/store/team/open-team-server.ts", plugins: [] },
  cli: { source: "src/surfaces/cli/main.ts", plugins: [coreBeside] },
  mcp: { source: "src/surfaces/mcp/main.ts", plugins: [coreBeside, trimLibraries] },
  hook: {
    source: "src/surfaces/hooks/main.ts",
    plugins: [
      partsInCore,
      wholeBeside,
      withGroups(/session|guards/),
      entering(
        /^src\/(?:session\/(?!asking\/|guards\/)|here\/(?!reading\/)|past\/(?:capture|conversations)\/)/,
      ),
    ],
  },
  search: {
    source: "src/surfaces/cli/main.ts",
    plugins: [
      partsInCore,
      entering(/^src\/(?:here\/(?!records\/|consent\/)|surfaces\/cli\/commands\/search\.ts)/),
    ],
  },
};
const COMMONJS = {
  bundle: true,
  // The same bytes from a checkout whose node_modules is a link.
  preserveSymlinks: true,
  platform: "node",
  // A library's module before its UMD wrapper, whose own require cannot be followed.
  mainFields: ["module", "main"],
  target: "node20",
  define: { __HEED_VERSION__: JSON.stringify(version), "performance.now": "monotonicMs" },
  legalComments: "none",
  minifyWhitespace: true,
  minifySyntax: true,
  metafile: true,
  logLevel: "warning",
  // What `pg` uses where it is there; heed ships no native code.
  external: ["pg-native"],
  // Code that also runs as a module asks for its address only where there is no `__dirname`.
  logOverride: { "empty-import-meta": "silent" },
  outdir: BUNDLES,
  outExtension: { ".js": ".cjs" },
  format: "cjs",
  // Parts that are loaded later come by require: Node's other loader would have to start first.
  supported: { "dynamic-import": false },
  sourcemap: "external",
  write: false,
};

for (const folder of [BUNDLES, LIBRARY, SCRATCH]) rmSync(folder, { recursive: true, force: true });
mkdirSync(BUNDLES, { recursive: true });
const metafiles = [];
async function bundle(name, source, plugins, { minifyIdentifiers = false, target = COMMONJS.target } = {}) {
  const { metafile, outputFiles } = await build({
    ...COMMONJS,
    target,
    minifyIdentifiers,
    entryPoints: { [name]: source },
    plugins,
    banner: { js: { heed: "#!/usr/bin/env node", "old-node": OLD_BANNER }[name] ?? "" },
  });
  metafiles.push(metafile);
  const [map, code] = outputFiles;
  const inlineMap = `data:application/json;base64,${Buffer.from(map.text).toString("base64")}`;
  const small = await transform(`${code.text}//# sourceMappingURL=${inlineMap}`, {
    ...SMALL,
    target,
    ...(name !== "heed" && RUNNABLE),
  });
  const shipped = toShipped(`${name}.cjs`, small.code, small.map);
  writeFileSync(code.path, shipped.code, { encoding: "latin1", mode: name === "heed" ? 0o755 : 0o644 });
  if (shipped.map) writeFileSync(map.path, shipped.map);
}
for (const [name, { source, plugins, target }] of Object.entries(ENTRIES)) {
  // The core and the command line keep the names of functions for stack traces; the rest starts often, or is libraries.
  const minifyIdentifiers = !["core", "cli"].includes(name);
  await bundle(name, source, [...plugins, loadCold], { minifyIdentifiers, target });
}
for (const library of COLD) await bundle(coldFile(library), library, [], { minifyIdentifiers: true });

// The page of `heed ui`, for browsers: its own script and style, and two files as they are.
const PAGE = "src/surfaces/web/page";
const page = await build({
  bundle: true,
  preserveSymlinks: true,
  platform: "browser",
  target: ["chrome115", "firefox115", "safari16.4"],
  format: "esm",
  minify: true,
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "none",
  metafile: true,
  logLevel: "warning",
  entryPoints: { page: `${PAGE}/main.tsx`, style: `${PAGE}/style.css` },
  outdir: `${BUNDLES}/web`,
});
metafiles.push(page.metafile);
for (const file of ["index.html", "icon.svg"]) cpSync(`${PAGE}/${file}`, `${BUNDLES}/web/${file}`);

const tsc = (...args) => {
  const { status, stdout } = spawnSync("node_modules/.bin/tsc", args, {
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
  });
  if (status !== 0) {
    console.error(stdout);
    process.exit(1);
  }
  return stdout;
};
const declared = resolve(SCRATCH, "types");
tsc("-p", "tsconfig.build.json", "--outDir", declared);
copyPublicTypes(declared, LIBRARY, "heed.d.ts");
const require = createRequire(import.meta.url);
// Of what the core exports, what is declared: the rest is for heed's own surfaces (`@internal`).
const types = readFileSync(`${LIBRARY}/heed.d.ts`, "utf8");
const names = Object.keys(require(resolve(BUNDLES, "core.cjs")))
  .filter((name) => new RegExp(`\\b${name}\\b`).test(types))
  .sort();
// By require: Node would read the whole core to find the names that an import statement may take from it.
writeFileSync(
  `${LIBRARY}/heed.js`,
  `import { createRequire } from "node:module";
if (!Array.prototype.toSorted) throw new Error("heed needs Node 20.19 or newer");
export const { ${names.join(", ")} } = createRequire(import.meta.url)("${relative(LIBRARY, BUNDLES)}/core.cjs");
`,
);

const merged = (part) => Object.assign({}, ...metafiles.map((metafile) => metafile[part]));
writeFileSync(`${BUNDLES}/THIRD-PARTY.txt`, `${noticesOf(Object.keys(merged("inputs")))}\n`);
// For the test of what a bundle may hold.
writeFileSync(
  `${SCRATCH}/bundles.json`,
  JSON.stringify({ inputs: merged("inputs"), outputs: merged("outputs") }),
);
