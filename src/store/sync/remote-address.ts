import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { invalidInput } from "../../machine/heed-error.ts";

/** An address git may be given, a path absolute. @throws HeedError `invalid-input` for other transports and options. */
export function wholeAddress(address: string, cwd: string): string {
  const refuse = (reason: string): never => {
    throw invalidInput("remote", address, `"${address}" is not a remote: ${reason}`);
  };
  if (address === "" || address.startsWith("-") || /[\0\n\r]/.test(address))
    refuse("give an address or a path");
  if (/^(https?|ssh|git|file):\/\//i.test(address)) return address;
  if (address.includes("://") || /^\w+::/.test(address)) refuse("use https, ssh, git, file or a path");
  const path = resolve(cwd, address);
  if (existsSync(path)) return path;
  if (/^[^/\\:]+:(?!\\)/.test(address)) return address;
  return refuse(`there is no directory ${path}; \`git init --bare\` makes a repository there`);
}
