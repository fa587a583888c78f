import { inject, test as base, type TestAPI } from "vitest";
import type { ClientName } from "./client/client-install.ts";
import { Sandbox } from "./client/sandbox.ts";
import type { SessionScript } from "./client/session-script.ts";
import { runSession, type SessionRecord } from "./client/session.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Path of each client; empty when it cannot be installed here. */
    clients: Record<ClientName, string>;
  }
}

/** What a scenario works with. */
export interface Stage {
  /** Which client plays. Default: current. */
  clientName: ClientName;
  /** Path of that client; where it cannot be installed, the scenario is skipped. */
  client: string;
  /** A machine of its own, removed after the scenario. */
  sandbox: Sandbox;
  /** Runs a session with this client in this sandbox. */
  session: (script: Omit<SessionScript, "client">) => Promise<SessionRecord>;
}

/** vitest's `test`, on a stage. */
export const test: TestAPI<Stage> = base.extend<Stage>({
  clientName: "current",
  client: async ({ clientName, skip }, use) => {
    const client = inject("clients")[clientName];
    skip(client === "", `the ${clientName} client cannot be installed here`);
    await use(client);
  },
  sandbox: async ({ client }, use) => {
    const sandbox = new Sandbox(client);
    await use(sandbox);
    sandbox.remove();
  },
  session: async ({ client, sandbox }, use) => {
    await use(async (script) => runSession(sandbox, { ...script, client }));
  },
});

/** The same with the given client, for scenarios that hold for both. */
export function testWith(clientName: ClientName): TestAPI<Stage> {
  return test.extend<Partial<Stage>>({ clientName }) as TestAPI<Stage>;
}

/** The same on a machine on which \`heed init\` was run. */
export const testInitialised: TestAPI<Stage> = test.extend<Pick<Stage, "sandbox">>({
  sandbox: async ({ sandbox }, use) => {
    await sandbox.heed("init");
    await use(sandbox);
  },
});
