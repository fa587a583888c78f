import { lstatSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parse as parseJsonc } from "jsonc-parser";
import { CLIENTS } from "../../../src/surfaces/clients/all-clients.ts";
import type { Client, Target } from "../../../src/surfaces/clients/entry/client.ts";
import {
  type ClientChange,
  connectClient,
  disconnectClient,
} from "../../../src/surfaces/clients/connect-clients.ts";
import { ConnectionRecord, targetOf } from "../../../src/surfaces/clients/this-machine.ts";
import { SandboxHome } from "../sandbox-home.ts";

export const SCRIPT: string = "/opt/heed's place/heed.cjs";

const clientNamed = (name: string): Client => CLIENTS.find((client) => client.name === name) as Client;

/** A home in which clients are connected and disconnected. */
export class Machine {
  readonly home: SandboxHome = new SandboxHome();
  /** Where the user's store is; it may be moved. */
  userStore: string = this.home.userStore;
  /** What the user set HEED_DIR to. */
  moved = "";
  record: ConnectionRecord = new ConnectionRecord(this.home.state);

  target(scope: "user" | "project" = "user"): Target {
    return targetOf({
      scope,
      root: this.home.work,
      script: SCRIPT,
      env: {
        ...this.home.env,
        HEED_DIR: this.moved,
        PATH: `${join(this.home.root, "bin")}:${process.env["PATH"]}`,
      },
      protectedFolders: { records: [this.home.state], stores: [this.userStore] },
      starts: join(this.home.state, "starts"),
    });
  }

  connect(name: string, isDryRun = false, scope: "user" | "project" = "user"): Promise<ClientChange> {
    // As another process does: what is known lies in files.
    this.record = new ConnectionRecord(this.home.state);
    return connectClient(clientNamed(name), this.target(scope), this.record, isDryRun);
  }

  disconnect(name: string, scope: "user" | "project" = "user"): Promise<ClientChange> {
    this.record = new ConnectionRecord(this.home.state);
    return disconnectClient(clientNamed(name), this.target(scope), this.record, false);
  }

  /** What taking it out would do, with what earlier previews of the same record said. */
  preview(name: string): Promise<ClientChange> {
    return disconnectClient(clientNamed(name), this.target(), this.record, true);
  }

  read(path: string): string {
    return readFileSync(join(this.home.root, path), "utf8");
  }

  json(path: string): Record<string, unknown> {
    return parseJsonc(this.read(path)) as Record<string, unknown>;
  }

  /** Every file below home that is not heed's own record or cache, with its bytes and mode. */
  files(): Record<string, string> {
    const all = readdirSync(this.home.root, { recursive: true, withFileTypes: true });
    // The cache is a link to one that other tests fill; Node 24 lists what is behind it.
    const own = [this.home.state, this.home.env["HEED_CACHE_DIR"] as string];
    return Object.fromEntries(
      all
        .map((entry) => join(entry.parentPath, entry.name))
        .filter((path) => !own.some((folder) => path.startsWith(folder)))
        .map((path) => {
          const { mode } = lstatSync(path);
          const isFile = statSync(path).isFile();
          return [path, `${mode.toString(8)} ${isFile ? readFileSync(path, "base64") : "folder"}`];
        }),
    );
  }
}
