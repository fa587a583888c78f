import type { TestProject } from "vitest/node";
import { CLIENT_VERSION, installClient } from "./client/client-install.ts";

/** Runs once before all scenarios. Without the network the scenarios are skipped, loudly; in CI that is a failure. */
export default async function installClients(project: TestProject): Promise<void> {
  const client = await installClient().catch((error: unknown) => {
    if (process.env["CI"]) throw error;
    console.error(
      `\nSKIPPED: all scenarios of Claude Code ${CLIENT_VERSION}, which cannot be installed here.`,
    );
    console.error(`${String(error)}\n`);
    return "";
  });
  project.provide("client", client);
}
