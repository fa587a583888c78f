// Records a terminal: runs heed for real in a temporary directory and writes docs/demo.svg, a picture that plays by
// itself wherever pictures are shown. `node scripts/record.mjs` after `npm run build`.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const HEED = join(ROOT, "plugin/dist/heed.cjs");
/** Plays the person who types. */
const PERSON = join(ROOT, "scripts/at-a-terminal.cjs");
const COMMANDS = [
  "heed init",
  'heed write --type feedback --name no-verify "never use --no-verify when a hook fails" --reason "a bypassed hook shipped a broken migration"',
  "heed guard add no-verify --guard '{ command: git commit, flags: [--no-verify] }'",
  "heed guard test 'git commit -nm wip'",
  'heed write --type reference --name board "latency board of the API, in Grafana" --body "https://grafana.example.com/d/lat, panel 3"',
  "heed why --map",
  'heed why "where is the latency board?"',
];
const COLUMNS = 100;
const MAX_LINES = 9;
const LINE_PX = 18;
const CHAR_PX = 8.4;
/** Seconds for a typed character, between command and output, and after an output. */
const PACE = { character: 0.025, answer: 0.4, pause: 1.6 };
const COLOURS = { 31: "#f7768e", 32: "#9ece6a", 33: "#e0af68", 36: "#7dcfff", 2: "#7a82a6", 1: "#ffffff" };

const home = mkdtempSync(join(tmpdir(), "heed-record-"));
const work = join(home, "shop-api");
const env = {
  PATH: process.env.PATH,
  HOME: home,
  HEED,
  FORCE_COLOR: "1",
  COLUMNS: String(COLUMNS),
  GIT_CONFIG_NOSYSTEM: "1",
};

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** A line with its colours as spans; what is beyond the width is cut, as a terminal's edge would. */
function spansOf(line) {
  let colour = "";
  let left = COLUMNS;
  const [plain = "", ...coloured] = line.split("\u001B[");
  const parts = [
    ["", plain],
    ...coloured.map((part) => [part.slice(0, part.indexOf("m")), part.slice(part.indexOf("m") + 1)]),
  ];
  return parts
    .map(([sgr, text]) => {
      if (sgr !== "") colour = COLOURS[sgr.split(";").findLast((code) => COLOURS[code] !== undefined)] ?? "";
      const shown = text.slice(0, left);
      left -= shown.length;
      return shown === ""
        ? ""
        : `<tspan${colour === "" ? "" : ` fill="${colour}"`}>${escaped(shown)}</tspan>`;
    })
    .join("");
}

try {
  mkdirSync(work);
  spawnSync("git", ["init", "--quiet", "--initial-branch=main"], { cwd: work, env });
  const lines = [];
  let at = 0.5;
  for (const command of COMMANDS) {
    lines.push({ at, spans: spansOf(`\u001B[32m$\u001B[0m \u001B[1m${command}\u001B[0m`) });
    at += Math.min(command.length, COLUMNS) * PACE.character + PACE.answer;
    const script = `heed() { "${process.execPath}" --require "${PERSON}" "$HEED" "$@"; }\n${command} 2>&1`;
    const { stdout } = spawnSync("bash", ["-c", script], { cwd: work, env, encoding: "utf8" });
    const injected = stdout.replaceAll(home, "~").trimEnd().split("\n");
    for (const line of injected.slice(0, MAX_LINES)) lines.push({ at, spans: spansOf(line) });
    if (injected.length > MAX_LINES) lines.push({ at, spans: spansOf("\u001B[2m…\u001B[0m") });
    lines.push({ at, spans: "" });
    at += PACE.pause;
  }
  const width = Math.ceil(COLUMNS * CHAR_PX) + 32;
  const height = lines.length * LINE_PX + 40;
  const rows = lines.map(
    ({ at: start, spans }, i) =>
      `<text x="16" y="${32 + i * LINE_PX}" style="animation-delay:${start.toFixed(2)}s">${spans}</text>`,
  );
  writeFileSync(
    join(ROOT, "docs/demo.svg"),
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="heed in a terminal: a rule, its guard, a fact, and why it was injected">
<style>text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:#c0caf5;white-space:pre;opacity:0;animation:show .01s forwards}@keyframes show{to{opacity:1}}@media(prefers-reduced-motion:reduce){text{opacity:1;animation:none}}</style>
<rect width="${width}" height="${height}" rx="8" fill="#1a1b26"/>
${rows.join("\n")}
</svg>
`,
  );
  console.log(`docs/demo.svg: ${lines.length} lines, ${at.toFixed(0)} s`);
} finally {
  rmSync(home, { recursive: true, force: true });
}
