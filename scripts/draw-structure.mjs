// Draws docs/structure.svg, the folders of heed by level, and writes the table of rooms in ARCHITECTURE.md: both from
// scripts/layers.mjs and the arrows that are really there. `--check` writes nothing and exits 1 when one would change.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ROOMS, ROOT, SURFACES } from "./layers.mjs";
import { lookOver } from "./structure.mjs";

const BOX = { width: 206, gap: 18, rise: 40, padding: 10 };
const MARGIN = 24;
/** Line height and characters that fit a line of a box, at the font sizes below. */
const TEXT = { name: 18, line: 13, chars: 29 };

/** The colours of a scheme. Written out for each, as programs that draw SVG without a browser know no CSS variables. */
const colours = ({ paper, panel, box, edge, text, soft, layer, app }) => `
    text { fill: ${text}; }
    .paper { fill: ${paper}; }
    .panel { fill: ${panel}; }
    .uses { fill: ${soft}; }
    .box { fill: ${box}; }
    .layer { stroke: ${layer}; }
    .app { stroke: ${app}; }
    .arrow { stroke: ${edge}; }
    .head { fill: ${edge}; }`;
const LIGHT = {
  paper: "#ffffff",
  panel: "#f4f5f7",
  box: "#ffffff",
  edge: "#6b7280",
  text: "#1f2328",
  soft: "#57606a",
  layer: "#2563a8",
  app: "#8a4b08",
};
const DARK = {
  paper: "#0d1117",
  panel: "#161b22",
  box: "#21262d",
  edge: "#8b949e",
  text: "#e6edf3",
  soft: "#9aa4af",
  layer: "#6cb0f5",
  app: "#e0a458",
};
const STYLE = `
    svg { font: 11px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
    .title, .name { font-size: 13px; font-weight: 600; }
    .uses { font-size: 10px; }
    .box { stroke-width: 1.5; }
    .arrow { fill: none; stroke-width: 1.2; }${colours(LIGHT)}
    @media (prefers-color-scheme: dark) {${colours(DARK)}
    }`;

const byName = (a, b) => (a < b ? -1 : 1);

function wrap(text, chars) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (longer.length <= chars) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** What can be reached from a folder through others: an arrow there says nothing new. */
function reachableThrough(graph, name) {
  const seen = new Set();
  const visit = (from) => {
    for (const next of graph.get(from) ?? [])
      if (!seen.has(next)) {
        seen.add(next);
        visit(next);
      }
  };
  for (const next of graph.get(name) ?? []) visit(next);
  return seen;
}

/** The level of each folder: the longest way down from it. */
function levelsOf(graph) {
  const levels = new Map();
  const levelOf = (name) => {
    if (!levels.has(name)) {
      levels.set(name, 0);
      const below = [...(graph.get(name) ?? [])].map(levelOf);
      levels.set(name, below.length === 0 ? 0 : 1 + Math.max(...below));
    }
    return levels.get(name);
  };
  for (const name of graph.keys()) levelOf(name);
  return levels;
}

/** The folders of each level, top first, each level in the order that lets the fewest arrows cross. */
function rowsOf(graph, arrows) {
  const rows = [];
  for (const [name, level] of levelsOf(graph)) (rows[level] ??= []).push(name);
  for (const row of rows) row.sort(byName);
  const middleOf = (name, row, isDown) => {
    const near = row.flatMap((other, at) =>
      (isDown ? arrows.get(name).has(other) : arrows.get(other).has(name)) ? [at / row.length] : [],
    );
    return near.length === 0 ? 0.5 : near.reduce((sum, at) => sum + at, 0) / near.length;
  };
  const arrange = (row, other, isDown) => {
    const middles = new Map(row.map((name) => [name, middleOf(name, other, isDown)]));
    row.sort((a, b) => middles.get(a) - middles.get(b) || byName(a, b));
  };
  for (let round = 0; round < 4; round += 1) {
    for (let level = 1; level < rows.length; level += 1) arrange(rows[level], rows[level - 1], true);
    for (let level = rows.length - 2; level >= 0; level -= 1) arrange(rows[level], rows[level + 1], false);
  }
  return rows.toReversed();
}

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const textAt = (x, y, kind, text) =>
  `<text x="${x}" y="${y}"${kind === "" ? "" : ` class="${kind}"`}>${escaped(text)}</text>`;

function boxOf(name, { job, kind, uses }, x, y, height) {
  const left = x + BOX.padding;
  let line = y + TEXT.name;
  const lines = [textAt(left, line, "name", name)];
  for (const words of wrap(job, TEXT.chars)) lines.push(textAt(left, (line += TEXT.line), "", words));
  line += 3;
  for (const words of wrapUses(uses)) lines.push(textAt(left, (line += TEXT.line), "uses", words));
  const outline = `<rect class="box ${kind}" x="${x}" y="${y}" width="${BOX.width}" height="${height}" rx="6"/>`;
  return [outline, ...lines].join("\n    ");
}

const wrapUses = (uses) => (uses.length === 0 ? [] : wrap(`↓ ${uses.join(", ")}`, TEXT.chars + 3));
const heightOf = ({ job, uses }) =>
  TEXT.name + TEXT.line * (wrap(job, TEXT.chars).length + wrapUses(uses).length) + BOX.padding + 3;

/** One panel: a title, and the rows of folders with their arrows. */
/** Rooms in rows, users above what they use, and the arrows that no other path of arrows says. */
function layOut(rooms) {
  const graph = new Map([...rooms].map(([name, { uses }]) => [name, new Set(uses)]));
  const arrows = new Map(
    [...graph].map(([name, uses]) => {
      const implied = reachableThrough(graph, name);
      return [name, new Set([...uses].filter((to) => !implied.has(to)))];
    }),
  );
  return { arrows, rows: rowsOf(graph, arrows) };
}

function panelOf(title, rooms, top, width) {
  const { arrows, rows } = layOut(rooms);
  const places = new Map();
  const boxes = [];
  let y = top + 40;
  for (const row of rows) {
    const height = Math.max(...row.map((name) => heightOf(rooms.get(name))));
    const span = row.length * BOX.width + (row.length - 1) * BOX.gap;
    let x = Math.round((width - span) / 2);
    for (const name of row) {
      places.set(name, { x, y, height });
      boxes.push(boxOf(name, rooms.get(name), x, y, height));
      x += BOX.width + BOX.gap;
    }
    y += height + BOX.rise;
  }
  const lines = [...arrows].flatMap(([from, targets]) =>
    [...targets].toSorted(byName).map((to) => arrowOf(places.get(from), places.get(to))),
  );
  const bottom = y - BOX.rise + 16;
  return {
    bottom,
    parts: [
      `<rect class="panel" x="${MARGIN / 2}" y="${top}" width="${width - MARGIN}" height="${bottom - top}" rx="8"/>`,
      textAt(MARGIN, top + 22, "title", title),
      ...lines,
      ...boxes,
    ],
  };
}

function arrowOf(from, to) {
  const start = { x: from.x + BOX.width / 2, y: from.y + from.height };
  const end = { x: to.x + BOX.width / 2, y: to.y - 6 };
  const bend = (end.y - start.y) / 2;
  return `<path class="arrow" marker-end="url(#head)" d="M${start.x} ${start.y}C${start.x} ${start.y + bend} ${end.x} ${end.y - bend} ${end.x} ${end.y}"/>`;
}

/** The whole picture, as SVG text. */
export function drawStructure(root) {
  const { arrows } = lookOver(root);
  const rooms = new Map(
    Object.entries(ROOMS).map(([name, { job }]) => [
      name,
      { job, kind: "layer", uses: [...(arrows.get(name) ?? [])].toSorted(byName) },
    ]),
  );
  const widest = Math.max(...layOut(rooms).rows.map((row) => row.length), 2);
  const width = widest * BOX.width + (widest - 1) * BOX.gap + 2 * MARGIN;
  const door = {
    [SURFACES]: { job: "command line, MCP server, hooks, page: translate", kind: "app", uses: [ROOT] },
    [ROOT]: { job: "openHeed(): puts all together; the library", kind: "app", uses: [] },
  };
  const top = panelOf("The doors", new Map(Object.entries(door)), 12, width);
  const bottom = panelOf("The rooms", rooms, top.bottom + 14, width);
  const parts = [...top.parts, ...bottom.parts];
  const height = bottom.bottom + 34;
  const note =
    "Drawn by scripts/draw-structure.mjs. ↓ lists what a folder uses; an arrow that follows from others is left out.";
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="The rooms of heed and the arrows between them">
  <style>${STYLE}
  </style>
  <defs><marker id="head" markerWidth="8" markerHeight="8" refX="4" refY="3" orient="auto"><path class="head" d="M0 0L7 3L0 6z"/></marker></defs>
  <rect class="paper" width="${width}" height="${height}"/>
    ${parts.join("\n    ")}
    ${textAt(MARGIN, height - 12, "uses", note)}
</svg>
`;
}

/** ARCHITECTURE.md with its table of rooms as scripts/layers.mjs has it. */
export function withFolders(text) {
  const table = [
    "| room | job |",
    "|---|---|",
    "| `surfaces/` | the command line, the MCP server, the hooks, the page: translate between a client and the façade |",
    "| `heed.ts`, `facade/` | the façade: one file a group, one row a method; puts all together |",
    ...Object.entries(ROOMS)
      .toReversed()
      .map(([name, { job }]) => `| \`${name}/\` | ${job} |`),
  ];
  return text.replace(
    /(<!-- folders -->\n).*?(<!-- \/folders -->)/s,
    (_all, begin, end) => `${begin}${table.join("\n")}\n${end}`,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  const wanted = {
    "docs/structure.svg": () => drawStructure(root),
    "ARCHITECTURE.md": withFolders,
  };
  for (const [name, make] of Object.entries(wanted)) {
    const file = join(root, name);
    const before = readFileSync(file, "utf8");
    const after = make(before);
    if (after === before) continue;
    if (!process.argv.includes("--check")) writeFileSync(file, after);
    else {
      console.error(`${name} is not what the sources are: node scripts/draw-structure.mjs makes it again`);
      process.exitCode = 1;
    }
  }
}
