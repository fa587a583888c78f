// Preloaded into a process (`node --require`): fails, or dies at, the Nth call that would change the file system, or
// the Nth of any kind. What it is to do stands in HEED_FAULT as JSON.
"use strict";
const fs = require("node:fs");
const { syncBuiltinESMExports } = require("node:module");

const CHANGING = [
  "appendFileSync",
  "copyFileSync",
  "fsyncSync",
  "ftruncateSync",
  "mkdirSync",
  "renameSync",
].concat(["rmSync", "unlinkSync", "utimesSync", "writeFileSync", "writeSync"]);
const READING = ["lstatSync", "openSync", "readFileSync", "readSync", "readdirSync", "statSync"];

/** at: which call (from 1); code: of the error, or KILL; isSticky: all later ones fail too; isArmed: from the start; countTo: file for the count. */
const fault = process.env.HEED_FAULT ? JSON.parse(process.env.HEED_FAULT) : undefined;
const root = process.env.HEED_FAULT_ROOT ?? "";
const real = { ...fs };
let count = 0;
let isArmed = fault?.isArmed === true;

const isOurs = (target) =>
  typeof target === "number" || (typeof target === "string" && target.startsWith(root));

function failure(name, target) {
  const error = new Error(`${fault.code}: injected, ${name} '${String(target)}'`);
  return Object.assign(error, {
    errno: -1,
    code: fault.code,
    syscall: name.replace("Sync", ""),
    path: target,
  });
}

function isHit() {
  if (!isArmed || fault === undefined || fault.at === undefined) return false;
  return fault.isSticky ? count >= fault.at : count === fault.at;
}

function strike(name, target, args) {
  // Half of what was to be written is there: that is how a full disk and a crash look.
  const [, data] = args;
  if (name === "writeFileSync" && typeof data === "string" && !/EROFS|EACCES/.test(fault.code)) {
    try {
      real.writeFileSync(target, data.slice(0, data.length / 2), args[2]);
    } catch {
      // As good as nothing written.
    }
  }
  if (fault.code === "KILL") process.kill(process.pid, "SIGKILL");
  throw failure(name, target);
}

for (const name of [...CHANGING, ...READING]) {
  const isCounted = CHANGING.includes(name) || fault?.kind === "any";
  fs[name] = (...args) => {
    // Standard output and error are no part of the file system.
    if (isArmed && isCounted && isOurs(args[0]) && !(typeof args[0] === "number" && args[0] < 3)) {
      count += 1;
      if (isHit()) strike(name, args[0], args);
    }
    return real[name](...args);
  };
}
syncBuiltinESMExports();

/** The process says when it begins with what is to be tried: opening and reading before it are not. */
globalThis.heedFault = {
  arm() {
    isArmed = true;
    count = 0;
  },
  disarm() {
    isArmed = false;
    return count;
  },
};
