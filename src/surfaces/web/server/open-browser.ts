import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { findPlaces } from "../../../heed.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** A browser reads the file within seconds. */
const KEPT_MS = 60_000;

/** Whether there is a browser to open here, and why not. */
export function whyNoBrowser(
  env: Environment,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  if (env["SSH_CONNECTION"]) return "this is a remote shell";
  if (platform === "darwin" || platform === "win32") return undefined;
  if (env["WSL_DISTRO_NAME"]) return "Windows' browser cannot read this machine's files";
  if (!env["DISPLAY"] && !env["WAYLAND_DISPLAY"]) return "there is no display here";
  return undefined;
}

/** Opens an address by a private file: every user of the machine can read a command line. False: no browser started. */
export async function openBrowser(address: string, env: Environment): Promise<boolean> {
  const folder = join(findPlaces(env).state, "ui");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `open-${process.pid}.html`);
  rmSync(file, { force: true });
  // A page from a file may not start a script of its own under every policy; a refresh needs none.
  const page = `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0; url=${address}"><title>heed</title>\n`;
  writeFileSync(file, page, { mode: 0o600, flag: "wx" });
  const remove = (): void => rmSync(file, { force: true });
  void setTimeout(KEPT_MS, undefined, { ref: false }).then(remove);
  process.once("exit", remove);
  const [program, ...args] = openerOf(process.platform);
  const url = pathToFileURL(file).href;
  const child = spawn(program, [...args, url], { detached: true, stdio: "ignore", env });
  child.unref();
  const ended = once(child, "exit").then(
    ([code]) => code === 0,
    () => false,
  );
  // An opener that finds no browser says so soon; one that found one may stay as long as the browser.
  return Promise.race([ended, setTimeout(1_500, true, { ref: false })]);
}

function openerOf(platform: NodeJS.Platform): [program: string, ...args: string[]] {
  if (platform === "darwin") return ["open"];
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return ["xdg-open"];
}
