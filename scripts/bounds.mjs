// What a reader has to get through: words of the docs, commands and flags of the help, links of the README.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

const pagesIn = (folder) =>
  readdirSync(folder).flatMap((name) => (name.endsWith(".md") ? [`${folder}/${name}`] : []));
const read = (page) => readFileSync(page, "utf8");
const words = (pages) => pages.reduce((sum, page) => sum + count(read(page), /\S*[\p{L}\p{N}]\S*/gu), 0);
const help = (...args) =>
  execFileSync(process.execPath, ["plugin/dist/heed.cjs", ...args], { encoding: "utf8" });
const count = (text, pattern) => text.match(pattern)?.length ?? 0;

const inside = /\/(?:decisions|goals|measurements|packages|state)\.md$/;
const ours = ["CONTRIBUTING.md", "ARCHITECTURE.md", ...pagesIn("docs").filter((page) => inside.test(page))];
const theirs = pagesIn("docs").filter((page) => !ours.includes(page));
const readOn = read("README.md").split(/^## Read on$/m)[1] ?? "";
const bounds = [
  ["pages for users", theirs.length, 6],
  ["words of users' pages", words(theirs), 15_000],
  ["words of docs/reference", words(pagesIn("docs/reference")), 8_000],
  ["words of contributors' pages", words(ours), 9_000],
  ["commands in heed help", count(help("help"), /^ {2}[a-z]+ {2}/gm), 18],
  ["flags of heed write", count(help("help", "write"), /^ {2}.{4}--[a-z]/gm), 20],
  ["links of the README", count(read("README.md"), /\]\(/g), 10],
  ["links to read on", count(readOn, /\]\(/g), 6],
];
for (const [what, found, most] of bounds)
  console.log(`${found <= most ? "ok" : "✗ "} ${what}: ${found} of ${most}`);
process.exitCode = bounds.some(([, found, most]) => found > most) ? 1 : 0;
