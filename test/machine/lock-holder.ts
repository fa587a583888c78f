// A process for the lock's tests: takes the lock again and again and adds one to a number in a file, reading and
// writing it in two steps, so that two holders at once lose counts. `die-holding` kills itself while it holds the lock.
import { readFileSync, writeFileSync } from "node:fs";
import { withLock } from "../../src/machine/file-lock.ts";

const [, , lock = "", counter = "", rounds = "0", mode = ""] = process.argv;
for (let round = 0; round < Number(rounds); round++) {
  await withLock(lock, { what: "count", waitMs: 60_000 }, async () => {
    const count = Number(readFileSync(counter, "utf8"));
    if (round % 5 === 0) await new Promise((resolve) => setImmediate(resolve));
    writeFileSync(counter, String(count + 1));
    if (mode === "die-holding" && round === Number(rounds) - 1) process.kill(process.pid, "SIGKILL");
  });
}
