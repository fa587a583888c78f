// Draws the plugin's icon, 512 x 512: a ring that stays open and a point held inside. The PNG is committed; run this
// again after a change of the drawing.
import { writeFileSync } from "node:fs";
import { crc32, deflateSync } from "node:zlib";

const SIZE = 512;
const BACKDROP = [24, 32, 43];
const INK = [244, 196, 92];

/** Distance in pixels to the nearest edge of the drawing; negative inside. */
function distance(x, y) {
  const fromCentre = Math.hypot(x, y);
  const isInGap = Math.abs(Math.atan2(y, x)) < 0.5;
  const ring = isInGap ? Infinity : Math.abs(fromCentre - 150) - 28;
  return Math.min(ring, fromCentre - 58);
}

const pixels = Buffer.alloc(SIZE * (1 + SIZE * 3));
for (let row = 0; row < SIZE; row++) {
  for (let column = 0; column < SIZE; column++) {
    const coverage = Math.min(1, Math.max(0, 0.5 - distance(column + 0.5 - SIZE / 2, row + 0.5 - SIZE / 2)));
    for (let channel = 0; channel < 3; channel++) {
      const value = BACKDROP[channel] + (INK[channel] - BACKDROP[channel]) * coverage;
      pixels[row * (1 + SIZE * 3) + 1 + column * 3 + channel] = Math.round(value);
    }
  }
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const head = Buffer.alloc(4);
  head.writeUInt32BE(data.length);
  const tail = Buffer.alloc(4);
  tail.writeUInt32BE(crc32(body));
  return Buffer.concat([head, body, tail]);
}

const header = Buffer.alloc(13);
header.writeUInt32BE(SIZE, 0);
header.writeUInt32BE(SIZE, 4);
header[8] = 8; // bits a channel
header[9] = 2; // RGB
writeFileSync(
  "plugin/.claude-plugin/icon.png",
  Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(pixels, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]),
);
