import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

const REPOSITORY = resolve(import.meta.dirname, "../..");

/**
 * A project of somebody else's in which heed is installed: the packed package, unpacked as npm would, beside the types of
 * Node and nothing else. Gives the project's folder.
 */
export function installPackage(): string {
  const project = mkdtempSync(join(tmpdir(), "heed-package-"));
  const modules = join(project, "node_modules");
  mkdirSync(join(modules, "heed"), { recursive: true });
  execFileSync("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", project], {
    cwd: REPOSITORY,
    stdio: "pipe",
  });
  const archive = readdirSync(project).find((name) => name.endsWith(".tgz")) ?? "";
  execFileSync("tar", ["-xzf", join(project, archive), "-C", join(modules, "heed"), "--strip-components=1"]);
  for (const name of ["@types/node", "undici-types"]) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(REPOSITORY, "node_modules", name), join(modules, name));
  }
  return project;
}
