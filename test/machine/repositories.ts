import { execFileSync } from "node:child_process";
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach } from "vitest";
import { findPlaces } from "../../src/machine/places.ts";
import type { Places } from "../../src/machine/places.ts";
import { temporaryFolder } from "../store/temporary-store.ts";

/** The folder of a test, in which its repositories lie. */
export let top: string;
export let places: Places;

/** Gives each test of a file such a folder. */
export function eachTestHasFolder(): void {
  beforeEach(() => {
    top = realpathSync(temporaryFolder());
    places = findPlaces({ HOME: join(top, "home") }, "linux");
  });
}

export function git(folder: string, ...args: string[]): string {
  const identity = [
    "-c",
    "user.name=Test",
    "-c",
    "user.email=test@example.org",
    "-c",
    "protocol.file.allow=always",
  ];
  const env = { PATH: process.env["PATH"], HOME: top, GIT_CONFIG_NOSYSTEM: "1" };
  return execFileSync("git", [...identity, ...args], {
    cwd: folder,
    env,
    encoding: "utf8",
    stdio: "pipe",
  }).trim();
}

/** A repository with one commit, and an origin if told. */
export function repository(name: string, origin?: string): string {
  const folder = join(top, name);
  mkdirSync(folder, { recursive: true });
  git(folder, "init", "-q", "-b", "main");
  writeFileSync(join(folder, "a.txt"), name);
  git(folder, "add", ".");
  git(folder, "commit", "-qm", "first");
  if (origin) git(folder, "remote", "add", "origin", origin);
  return folder;
}
