// Loaded before heed by what plays a person at a screen, who is asked: its pipes are taken for a terminal.
require("./at-a-terminal.cjs");
const fs = require("node:fs");

const { fstatSync } = fs;
const screen = { isCharacterDevice: () => true };
fs.fstatSync = (file, ...more) => (file === 1 || file === 2 ? screen : fstatSync(file, ...more));
for (const name of ["stdin", "stdout", "stderr"]) process[name].isTTY = true;
