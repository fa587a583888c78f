import type { TestProject } from "vitest/node";
import { CLIENT_VERSIONS, installClient, type ClientName } from "./client/client-install.ts";

/** Runs once before all scenarios. Without the network the scenarios are skipped, loudly; in CI that is a failure. */
export default async function installClients(project: TestProject): Promise<void> {
  const clients: Record<ClientName, string> = { current: "", older: "" };
  for (const name of ["current", "older"] as const) {
    try {
      clients[name] = await installClient(name);
    } catch (error) {
      if (process.env["CI"]) throw error;
      console.error(
        `\nSKIPPED: all scenarios of Claude Code ${CLIENT_VERSIONS[name]}, which cannot be installed here.`,
      );
      console.error(`${String(error)}\n`);
    }
  }
  project.provide("clients", clients);
}
