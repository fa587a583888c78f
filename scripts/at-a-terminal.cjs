// Loaded before heed by what plays a person at a terminal, tests and the tour (`node --require`): input, output and error
// are pipes there, and the tests may themselves be run by an agent. heed itself has no switch for it.
const fs = require("node:fs");

const { fstatSync } = fs;
fs.fstatSync = (file, ...more) => {
  const stats = fstatSync(file, ...more);
  return file === 0 ? Object.assign(stats, { isCharacterDevice: () => true, rdev: 0 }) : stats;
};
require("node:tty").isatty = () => true;
Object.defineProperty(process, "ppid", { value: 0, configurable: true });
