// Preload: counts the reads of small files by name, and prints them as JSON to the file descriptor 3 at exit.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const { syncBuiltinESMExports } = require("node:module");

const counts = {};
let isCounting = false;
for (const name of ["readFileSync", "openSync"]) {
  const original = fs[name];
  fs[name] = function counted(file, ...rest) {
    if (isCounting && typeof file === "string") {
      const key = path.basename(file);
      counts[key] = (counts[key] ?? 0) + 1;
    }
    return original.call(this, file, ...rest);
  };
}
syncBuiltinESMExports();
globalThis.countReads = async (work) => {
  isCounting = true;
  try {
    await work();
  } finally {
    isCounting = false;
  }
  return counts;
};
