import { dirname } from "node:path";
import type { Heed } from "../../heed.ts";
import { ConnectionRecord } from "./connection-record.ts";
import { protectedFolders } from "./entry/protected-folders.ts";
import type { Target } from "./entry/client.ts";
import type { ConnectionRequest } from "./plan-connections.ts";
import { targetOf } from "./plan-connections.ts";

/** How heed was started here. */
export interface MachineRequest {
  /** Default: for the user everywhere. */
  scope?: ConnectionRequest["scope"];
  /** The repository's root; default: that of the project's store, or the directory at hand. */
  root?: string;
  cwd: string;
  /** The script that runs now. */
  script: string;
  env: ConnectionRequest["env"];
}

/** This machine, as connecting, disconnecting and examining clients see it. */
export interface Machine {
  request: ConnectionRequest;
  target: Target;
  record: ConnectionRecord;
  /** heed's own folders. */
  folders: { state: string; config: string; cache: string; userStore: string };
}

/** Where heed's own folders are, what it knows of the clients' files, and how clients start it from here. */
export async function thisMachine(setup: Heed["setup"], asked: MachineRequest): Promise<Machine> {
  const { scope = "user", root, cwd, script, env } = asked;
  const { places } = await setup.status();
  const project = setup.stores().find(({ kind }) => kind === "project");
  const request: ConnectionRequest = {
    scope,
    root: root ?? (project === undefined ? cwd : dirname(project.root)),
    script,
    env,
    protectedFolders: protectedFolders(places),
  };
  const { state, config, cache, userStore } = places;
  return {
    request,
    target: targetOf(request),
    record: new ConnectionRecord(state),
    folders: { state, config, cache, userStore },
  };
}

/** Everything that heed can be taken out of: the user's files, and those of repositories that it was put into. */
export function recordedTargets({ request, record }: Machine): Target[] {
  const roots = [...record.files.values()].flatMap(({ scope, root }) => (scope === "project" ? [root] : []));
  return [
    targetOf({ ...request, scope: "user" }),
    ...[...new Set(roots)].map((root) => targetOf({ ...request, scope: "project", root })),
  ];
}
