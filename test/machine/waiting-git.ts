// A process that waits for a git which never ends: the one in the folder that is named.
import { runGit } from "../../src/machine/run-git.ts";

const [, , folder = ""] = process.argv;
await runGit(["log"], { cwd: folder, env: { PATH: `${folder}:${process.env["PATH"]}` } });
