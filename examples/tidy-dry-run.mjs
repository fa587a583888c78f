// `tidy` says first what it would do, and does it when it is told to; each step can be undone.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openHeed } from "heed";
import { temporaryHome } from "./temporary-home.mjs";

const heed = openHeed(temporaryHome());
await heed.setup.init("user");
const board = "error budget board: https://grafana.example.com/d/budget";
const draft = { type: "reference", name: "budget-board", statement: board, body: board };
const written = await heed.memories.write(draft, { kind: "person" });
if (!("path" in written)) throw new Error(written.outcome);
// A duplicate, as an edit by hand or another machine brings one: memories are files.
const duplicate = readFileSync(written.path, "utf8")
  .replace("budget-board", "error-budget")
  .replace(/^ *id:.*\n/m, "");
writeFileSync(join(dirname(written.path), "error-budget.md"), duplicate);

const names = async () => (await heed.memories.list()).map(({ name }) => name).join(", ");
const planned = await heed.maintenance.tidy();
for (const { action, name, other } of planned.steps) console.log(`would ${action}: ${name} into ${other}`);
console.log(`still there: ${await names()}`);

const done = await heed.maintenance.tidy({ isApplied: true });
console.log(`done in ${done.changes.length} change; there now: ${await names()}`);
await heed.history.undo({ change: done.changes[0] }, { kind: "person" });
console.log(`after the undo: ${await names()}`);
await heed.close();
