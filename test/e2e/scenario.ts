import { inject, test as base, type TestAPI } from "vitest";
import { Sandbox } from "./client/sandbox.ts";
import type { SessionScript } from "./client/session-script.ts";
import { runSession, type SessionRecord } from "./client/session.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Path of the client; empty when it cannot be installed here. */
    client: string;
  }
}

/** What a scenario works with. */
export interface Stage {
  /** Path of the client; where it cannot be installed, the scenario is skipped. */
  client: string;
  /** A machine of its own, removed after the scenario. */
  sandbox: Sandbox;
  session: (script: Omit<SessionScript, "client">) => Promise<SessionRecord>;
}

/** vitest's `test`, on a stage. */
export const test: TestAPI<Stage> = base.extend<Stage>({
  client: async ({ skip }, use) => {
    const client = inject("client");
    skip(client === "", "the client cannot be installed here");
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

/** The same on a machine on which `heed init` was run. */
export const testInitialised: TestAPI<Stage> = test.extend<Pick<Stage, "sandbox">>({
  sandbox: async ({ sandbox }, use) => {
    await sandbox.heed("init");
    await use(sandbox);
  },
});
