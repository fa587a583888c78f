import type { Command } from "../arguments/command.ts";

declare const __HEED_VERSION__: string;

/** `heed version` */
export const command: Command = {
  name: "version",
  summary: "show the version",
  arguments: [],
  options: {},
  run({ out }) {
    out.answer({ version: __HEED_VERSION__, node: process.version }, () => [__HEED_VERSION__]);
    return Promise.resolve();
  },
};
