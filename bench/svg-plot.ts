/** A line of a plot; points in the order in which they are joined. */
export interface PlotLine {
  label: string;
  /** Any CSS colour. */
  colour: string;
  points: readonly (readonly [x: number, y: number])[];
}

/** A single point with a label beside it. */
export interface PlotMark {
  label: string;
  colour: string;
  at: readonly [x: number, y: number];
}

/** Shares from 0 to `maxX` and from 0 to 1. */
export interface Plot {
  title: string;
  xLabel: string;
  yLabel: string;
  maxX: number;
  /** Labels under the horizontal axis; default: shares in fifths of `maxX`. */
  xTicks?: readonly (readonly [x: number, label: string])[];
  lines: readonly PlotLine[];
  marks?: readonly PlotMark[];
}

const WIDTH = 640;
const HEIGHT = 420;
const LEFT = 60;
const RIGHT = 20;
const TOP = 40;
const BOTTOM = 50;

/** Draws a plot of shares as an SVG document that stands alone. */
export function svgPlot(plot: Plot): string {
  const x = (value: number): number =>
    LEFT + (Math.min(value, plot.maxX) / plot.maxX) * (WIDTH - LEFT - RIGHT);
  const y = (value: number): number => HEIGHT - BOTTOM - value * (HEIGHT - TOP - BOTTOM);
  const parts: string[] = [];
  for (let i = 0; i <= 5; i++) {
    const share = i / 5;
    parts.push(
      `<line x1="${LEFT}" y1="${at(y(share))}" x2="${WIDTH - RIGHT}" y2="${at(y(share))}" stroke="#ddd"/>`,
      text(LEFT - 8, y(share) + 4, percent(share), "end"),
    );
  }
  const ticks =
    plot.xTicks ??
    [0, 1, 2, 3, 4, 5].map((i) => [(i / 5) * plot.maxX, percent((i / 5) * plot.maxX)] as const);
  for (const [across, label] of ticks) parts.push(text(x(across), HEIGHT - BOTTOM + 18, label, "middle"));
  parts.push(
    text(WIDTH / 2, 22, plot.title, "middle", 15),
    text(WIDTH / 2, HEIGHT - 12, plot.xLabel, "middle"),
    `<g transform="rotate(-90 16 ${HEIGHT / 2})">${text(16, HEIGHT / 2, plot.yLabel, "middle")}</g>`,
  );
  for (const [i, { label, colour, points }] of plot.lines.entries()) {
    // A share of nothing is no number, and no point.
    const inside = points.filter(([across, up]) => across <= plot.maxX && Number.isFinite(across + up));
    const path = inside.map(([across, up]) => `${at(x(across))},${at(y(up))}`).join(" ");
    parts.push(
      `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>`,
      `<rect x="${WIDTH - RIGHT - 190}" y="${HEIGHT - BOTTOM - 20 - i * 20}" width="14" height="4" fill="${colour}"/>`,
      text(WIDTH - RIGHT - 170, HEIGHT - BOTTOM - 14 - i * 20, label, "start"),
    );
  }
  for (const {
    label,
    colour,
    at: [across, up],
  } of plot.marks ?? []) {
    if (!Number.isFinite(across + up)) continue;
    parts.push(
      `<circle cx="${at(x(across))}" cy="${at(y(up))}" r="5" fill="${colour}"/>`,
      text(x(across) + 9, y(up) - 7, label, "start"),
    );
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">
<rect width="${WIDTH}" height="${HEIGHT}" fill="white"/>
${parts.join("\n")}
</svg>
`;
}

const at = (value: number): string => value.toFixed(1);
const percent = (share: number): string => `${Number((share * 100).toFixed(1))} %`;

function text(x: number, y: number, words: string, align: string, size = 12): string {
  const escaped = words.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<text x="${at(x)}" y="${at(y)}" text-anchor="${align}" font-size="${size}">${escaped}</text>`;
}
