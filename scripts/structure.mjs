// Checks the structure of src/: allowed arrows, reserved modules, no cycle of files or folders, no file that is too long.
// Run by `npm run check`; prints the folders with their arrows, each violation with its remedy, and exits 1 on any.
// `structure --root DIR` looks at another checkout.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { RESERVED, ROOMS, ROOT, SURFACES, TABLES } from "./layers.mjs";

const MAX_LINES = 400;
const CODE = ["src", "test", "bench", "scripts", "examples"];

const filesUnder = (dir, pattern) =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && pattern.test(entry.name))
    // Benchmarks are bundled there before they run.
    .filter((entry) => !entry.parentPath.endsWith("/bench/out"))
    .map((entry) => join(entry.parentPath, entry.name));

/** Comments, as far as they stand on lines of their own or at the end of one: a path in them imports nothing. */
const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;

/**
 * What a file imports. Every relative path of a module that stands in quotes counts, in whatever form it is asked for
 * (`import`, `export from`, a template, `require`): a check that knew one form only would be got around by another.
 */
const importsOf = (file) => {
  const text = readFileSync(file, "utf8").replace(COMMENT, "");
  const paths = text.matchAll(/(["'`])(\.{1,2}\/[^"'`\n$]*\.(?:tsx?|mts|cts|js|mjs|cjs))\1/g);
  return [...paths].map((match) => resolve(dirname(file), match[2]));
};

/** Whether a file loads what it computes: then nobody can tell what. */
const loadsComputed = (file) =>
  /\bimport\s*\(\s*(?!["'])/.test(readFileSync(file, "utf8").replace(COMMENT, ""));

const isAllowed = (from, to) => {
  if (from === ROOT) return to !== SURFACES;
  if (from === SURFACES) return to === ROOT;
  return Object.hasOwn(ROOMS[from]?.uses ?? {}, to);
};

/** The cycles of a graph, each as the trail that closes it. */
function findCycles(nodes, nextOf) {
  const cycles = [];
  const state = new Map();
  const visit = (node, trail) => {
    if (state.get(node) === "done") return;
    if (state.get(node) === "open") {
      cycles.push([...trail.slice(trail.indexOf(node)), node].join(" -> "));
      return;
    }
    state.set(node, "open");
    for (const next of nextOf(node)) visit(next, [...trail, node]);
    state.set(node, "done");
  };
  for (const node of nodes) visit(node, []);
  return cycles;
}

/**
 * What the sources below a root look like: `problems` in words, each with its remedy; `arrows`, from each room to the
 * rooms that it uses; `files` and `folders`, how many there are.
 */
export function lookOver(root) {
  const src = join(root, "src");
  const problems = [];
  const nameOf = (file) => relative(src, file);
  const roomOf = (name) => (name.startsWith("facade/") ? ROOT : name.split("/")[0]);
  const folderOf = (name) => dirname(name).replace(/^\.$/, ROOT);

  const graph = new Map();
  const arrows = new Map();
  for (const file of filesUnder(src, /\.tsx?$/)) {
    const name = nameOf(file);
    const targets = importsOf(file).map(nameOf);
    if (loadsComputed(file))
      problems.push(`src/${name}: import() of what is computed. Import a module by its path.`);
    graph.set(name, targets);
    const from = roomOf(name);
    if (from !== ROOT && from !== SURFACES && !Object.hasOwn(ROOMS, from))
      problems.push(`src/${name}: "${from}" is no room of scripts/layers.mjs. Add it there with its job.`);
    for (const target of targets) {
      const to = roomOf(target);
      if (from !== to) arrows.set(from, (arrows.get(from) ?? new Set()).add(to));
      const isTable = from === SURFACES && TABLES.includes(target);
      if (from !== to && !isTable && !isAllowed(from, to))
        problems.push(
          `src/${name}: ${from} may not import ${to} (src/${target}). The arrows are in scripts/layers.mjs.`,
        );
      const users = RESERVED[target];
      const isUser = users?.some((user) => (user.endsWith("/") ? name.startsWith(user) : name === user));
      if (isUser === false)
        problems.push(
          `src/${name}: src/${target} is reserved for ${users.join(", ")}. Change memories through write/memory-writer.ts.`,
        );
    }
  }
  for (const reserved of Object.keys(RESERVED))
    if (!graph.has(reserved)) problems.push(`scripts/layers.mjs: ${reserved} is reserved and not there.`);
  for (const [name, { uses }] of Object.entries(ROOMS))
    for (const granted of Object.keys(uses))
      if (!arrows.get(name)?.has(granted))
        problems.push(`scripts/layers.mjs: ${name} does not use ${granted}. Take the arrow out.`);

  const folders = new Map();
  for (const [name, targets] of graph) {
    const into = folders.get(folderOf(name)) ?? new Set();
    for (const target of targets) if (folderOf(target) !== folderOf(name)) into.add(folderOf(target));
    folders.set(folderOf(name), into);
  }
  for (const cycle of findCycles(folders.keys(), (folder) => folders.get(folder) ?? []))
    problems.push(`cycle of folders: ${cycle}`);

  // Tests, benchmarks and scripts have no layers, yet a circle of theirs is as hard to read as one of the product.
  const everywhere = new Map();
  for (const dir of CODE.filter((dir) => existsSync(join(root, dir)))) {
    for (const file of filesUnder(join(root, dir), /\.(ts|mjs|cjs)$/)) {
      everywhere.set(file, importsOf(file));
      const lines = readFileSync(file, "utf8").split("\n").length;
      if (lines > MAX_LINES)
        problems.push(`${relative(root, file)}: ${lines} lines, ${MAX_LINES} at most. Split it.`);
    }
  }
  for (const cycle of findCycles(everywhere.keys(), (file) => everywhere.get(file) ?? []))
    problems.push(`cycle of files: ${cycle.replaceAll(`${root}/`, "")}`);
  return { problems, arrows, files: graph.size, folders: folders.size };
}

function print({ problems, arrows, files, folders }) {
  for (const [name, { job }] of Object.entries(ROOMS)) {
    const into = [...(arrows.get(name) ?? [])].toSorted((a, b) => a.localeCompare(b));
    console.log(`${name.padEnd(10)} ${job}\n${" ".repeat(10)} -> ${into.join(", ") || "–"}`);
  }
  for (const problem of problems) console.error(problem);
  console.log(
    `structure: ${files} files, ${folders} folders, ${problems.length} problem${problems.length === 1 ? "" : "s"}`,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const at = process.argv.indexOf("--root");
  const seen = lookOver(at < 0 ? dirname(dirname(fileURLToPath(import.meta.url))) : process.argv[at + 1]);
  print(seen);
  process.exit(seen.problems.length > 0 ? 1 : 0);
}
