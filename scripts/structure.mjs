// Checks the structure of src/: allowed arrows, no cycles, no file that is too long.
// Run by `npm run check`; prints each violation with its remedy and exits 1.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { LAYERS, ROOT, SURFACES } from "./layers.mjs";

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

/** The layer of a file: its first folder under src/, or the root for files directly in src/ and src/heed/. */
const layerOf = (file) => {
  const [first, second] = relative(SRC, file).split("/");
  return second === undefined || first === "heed" ? ROOT : first;
};

const importsOf = (file) => {
  const text = readFileSync(file, "utf8");
  const specifiers = text.matchAll(/(?:\bfrom\s+|\bimport\s*\(\s*|^import\s+)"(\.[^"]+)"/gm);
  return [...specifiers].map((match) => resolve(dirname(file), match[1]));
};

const isAllowed = (from, to) => {
  if (from === to) return true;
  if (from === SURFACES) return to === ROOT;
  if (from === ROOT) return to !== SURFACES;
  return Object.hasOwn(LAYERS[from]?.uses ?? {}, to);
};

const graph = new Map();
for (const file of filesUnder(SRC, /\.ts$/)) {
  const targets = importsOf(file);
  graph.set(file, targets);
  const from = layerOf(file);
  if (from !== ROOT && from !== SURFACES && !LAYERS[from]) {
    problems.push(
      `${relative(ROOT_DIR, file)}: folder "${from}" is no layer. Add it to scripts/layers.mjs with its job.`,
    );
  }
  for (const target of targets) {
    const to = layerOf(target);
    if (!isAllowed(from, to)) {
      problems.push(
        `${relative(ROOT_DIR, file)}: ${from} may not import ${to} (${relative(ROOT_DIR, target)}). See scripts/layers.mjs.`,
      );
    }
  }
}

const state = new Map();
const visit = (file, trail) => {
  if (state.get(file) === "done" || !graph.has(file)) return;
  if (state.get(file) === "open") {
    const cycle = [...trail.slice(trail.indexOf(file)), file].map((f) => relative(SRC, f));
    problems.push(`import cycle: ${cycle.join(" -> ")}`);
    return;
  }
  state.set(file, "open");
  for (const target of graph.get(file)) visit(target, [...trail, file]);
  state.set(file, "done");
};
for (const file of graph.keys()) visit(file, []);

for (const dir of ["src", "test", "bench", "scripts"].filter((dir) => existsSync(join(ROOT_DIR, dir)))) {
  for (const file of filesUnder(join(ROOT_DIR, dir), /\.(ts|mjs)$/)) {
    const lines = readFileSync(file, "utf8").split("\n").length;
    if (lines > MAX_LINES)
      problems.push(`${relative(ROOT_DIR, file)}: ${lines} lines, ${MAX_LINES} at most. Split it.`);
  }
}

for (const problem of problems) console.error(problem);
console.log(`structure: ${graph.size} files, ${problems.length} problem${problems.length === 1 ? "" : "s"}`);
process.exit(problems.length > 0 ? 1 : 0);
