// Checks the structure of src/: allowed arrows, no cycle of files or folders, no file that is too long.
// Run by `npm run check`; prints the folders with their arrows, each violation with its remedy, and exits 1 on any.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { APP, LAYERS, OPTIONAL, ROOT, SURFACES, TABLES } from "./layers.mjs";

const ROOT_DIR = dirname(dirname(fileURLToPath(import.meta.url)));
const SRC = join(ROOT_DIR, "src");
const MAX_LINES = 400;
const problems = [];

const filesUnder = (dir, pattern) =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && pattern.test(entry.name))
    // Benchmarks are bundled there before they run.
    .filter((entry) => !entry.parentPath.endsWith("/bench/out"))
    .map((entry) => join(entry.parentPath, entry.name));

/** What the tables call the place of a file: `store`, `app/writing`, `optional/judge`, `surfaces`, `heed.ts`. */
const roomOf = (file) => {
  const [first, second] = relative(SRC, file).split("/");
  return first === "app" || first === "optional" ? `${first}/${second}` : first;
};

/** The folder of a file: cycles between folders are looked for at every depth. */
const folderOf = (file) => relative(SRC, dirname(file)) || ROOT;

const importsOf = (file) => {
  const text = readFileSync(file, "utf8");
  const specifiers = text.matchAll(/(?:\bfrom\s+|\bimport\s*\(\s*|^import\s+)"(\.[^"]+)"/gm);
  return [...specifiers].map((match) => resolve(dirname(file), match[1]));
};

const named = (table, prefix = "") =>
  new Map(Object.entries(table).map(([name, room]) => [prefix + name, room]));
const ROOMS = new Map([...named(LAYERS), ...named(APP, "app/"), ...named(OPTIONAL, "optional/")]);

const isAllowed = (from, to) => {
  if (from === to) return true;
  if (from === ROOT) return to !== SURFACES;
  if (from === SURFACES) return to === ROOT;
  const isBelow = !to.includes("/") && to !== ROOT && to !== SURFACES;
  if (from.startsWith("optional/")) return isBelow || to.startsWith("app/");
  if (from.startsWith("app/"))
    return isBelow || (to.startsWith("app/") && Object.hasOwn(ROOMS.get(from)?.uses ?? {}, to.slice(4)));
  return Object.hasOwn(ROOMS.get(from)?.uses ?? {}, to);
};

const graph = new Map();
const arrows = new Map();
for (const file of filesUnder(SRC, /\.ts$/)) {
  const targets = importsOf(file);
  graph.set(file, targets);
  const from = roomOf(file);
  if (from !== ROOT && from !== SURFACES && !ROOMS.has(from))
    problems.push(
      `${relative(ROOT_DIR, file)}: "${from}" is no folder of the tables. Add it to scripts/layers.mjs with its job.`,
    );
  for (const target of targets) {
    const to = roomOf(target);
    if (from !== to) arrows.set(from, (arrows.get(from) ?? new Set()).add(to));
    const isTable = from === SURFACES && TABLES.includes(relative(SRC, target));
    if (!isTable && !isAllowed(from, to))
      problems.push(
        `${relative(ROOT_DIR, file)}: ${from} may not import ${to} (${relative(ROOT_DIR, target)}). See scripts/layers.mjs.`,
      );
  }
}
for (const [name, { uses = {} }] of ROOMS) {
  const prefix = name.startsWith("app/") ? "app/" : "";
  for (const granted of Object.keys(uses))
    if (!arrows.get(name)?.has(prefix + granted))
      problems.push(`scripts/layers.mjs: ${name} does not use ${granted}. Take the arrow out.`);
}

/** Reports each cycle of a graph by its members. */
function findCycles(nodes, nextOf, what) {
  const state = new Map();
  const visit = (node, trail) => {
    if (state.get(node) === "done") return;
    if (state.get(node) === "open") {
      problems.push(`cycle of ${what}: ${[...trail.slice(trail.indexOf(node)), node].join(" -> ")}`);
      return;
    }
    state.set(node, "open");
    for (const next of nextOf(node)) visit(next, [...trail, node]);
    state.set(node, "done");
  };
  for (const node of nodes) visit(node, []);
}
findCycles(
  [...graph.keys()].map((file) => relative(SRC, file)),
  (file) => (graph.get(join(SRC, file)) ?? []).map((target) => relative(SRC, target)),
  "files",
);
const folders = new Map();
for (const [file, targets] of graph) {
  const from = folderOf(file);
  const into = folders.get(from) ?? new Set();
  for (const target of targets) if (folderOf(target) !== from) into.add(folderOf(target));
  folders.set(from, into);
}
findCycles([...folders.keys()], (folder) => folders.get(folder) ?? [], "folders");

for (const dir of ["src", "test", "bench", "scripts", "examples"].filter((dir) =>
  existsSync(join(ROOT_DIR, dir)),
)) {
  for (const file of filesUnder(join(ROOT_DIR, dir), /\.(ts|mjs)$/)) {
    const lines = readFileSync(file, "utf8").split("\n").length;
    if (lines > MAX_LINES)
      problems.push(`${relative(ROOT_DIR, file)}: ${lines} lines, ${MAX_LINES} at most. Split it.`);
  }
}

for (const [name, { job }] of ROOMS) {
  const into = [...(arrows.get(name) ?? [])].sort();
  const own = into.filter((to) => to.startsWith("app/") === name.startsWith("app/"));
  const rest = name.startsWith("app/") ? " (and layers below)" : "";
  console.log(`${name.padEnd(18)} ${job}\n${" ".repeat(18)} -> ${own.join(", ") || "–"}${rest}`);
}
for (const problem of problems) console.error(problem);
console.log(
  `structure: ${graph.size} files, ${folders.size} folders, ${problems.length} problem${problems.length === 1 ? "" : "s"}`,
);
process.exit(problems.length > 0 ? 1 : 0);
