import { join } from "node:path";
import { HeedError } from "../../../heed.ts";
import type { ClaudeHooks } from "./claude-hooks.ts";
import { claudeHooks } from "./claude-hooks.ts";
import { hasHeedPlugin, mergeHooks, removeHooks } from "./claude-settings.ts";
import { claudeVersion, knowsResidentHooks } from "./claude-version.ts";
import { addToCodexConfig, removeFromCodexConfig } from "./codex-config.ts";
import type { ConfigChange, JsonObject } from "./config-file.ts";
import { changeConfigFile, changeJsonFile, childObject, isObject } from "./config-file.ts";
import type { KnownClient, Launch } from "./known-clients.ts";
import { clientPlaces, KNOWN_CLIENTS } from "./known-clients.ts";

/** What `heed init --client` was asked for. */
export interface RegistrationRequest {
  /** Name of a known client, for example `claude-code`. */
  client: string;
  /** For the user everywhere, or for the repository: then other people's machines read it too. */
  scope: "user" | "project";
  /** The repository's root, for the project scope. */
  projectRoot: string;
  /** Take heed out again. */
  isRemoval?: boolean;
  /** Change nothing; tell what would change. */
  isDryRun?: boolean;
  /** The script that runs now: the `heed.cjs` that the client shall start. */
  script: string;
  env: Readonly<Record<string, string | undefined>>;
}

/** What came of it. */
export interface RegistrationReport {
  client: string;
  title: string;
  changes: ConfigChange[];
  /** Of Claude Code: which kind of hooks was chosen, and the version that decided it. */
  variant?: "resident" | "command";
  clientVersion?: string;
  /** Lines for the user: why nothing was done, what to do next. */
  notes: string[];
}

/**
 * Registers heed with a client, or takes it out: merges one entry into the client's configuration, keeps everything
 * else and leaves a backup; a second time changes nothing. Throws `invalid-input` for an unknown client or a file
 * that is not plain JSON, `io-failed` when a file cannot be written.
 */
export async function registerClient(request: RegistrationRequest): Promise<RegistrationReport> {
  const client = KNOWN_CLIENTS.find(({ name }) => name === request.client);
  if (client === undefined) {
    const known = KNOWN_CLIENTS.map(({ name }) => name).join(", ");
    throw new HeedError("invalid-input", `no client "${request.client}" is known. Known: ${known}.`, {
      argument: "client",
      value: request.client,
    });
  }
  const file = configFile(client, request);
  const isDryRun = request.isDryRun ?? false;
  const entry = client.entry(launchOf(request));
  const report: RegistrationReport = { client: client.name, title: client.title, changes: [], notes: [] };
  switch (client.format) {
    case "claude-code":
      await registerClaudeCode(report, file, entry, request);
      break;
    case "toml":
      report.changes.push(
        changeConfigFile(file, isDryRun, (text = "") =>
          request.isRemoval ? removeFromCodexConfig(text) : addToCodexConfig(text, entry),
        ),
      );
      break;
    case "json":
      report.changes.push(changeServer(client, file, entry, request));
      break;
  }
  if (request.scope === "project" && !request.isRemoval) {
    report.notes.push("The entry starts `heed` from the PATH: everybody who works here needs it installed.");
  }
  if (report.changes.some(({ action }) => action !== "unchanged") && !isDryRun) {
    report.notes.push(`Start ${client.title} anew for the change to take effect.`);
  }
  return report;
}

async function registerClaudeCode(
  report: RegistrationReport,
  serverFile: string,
  entry: Record<string, unknown>,
  request: RegistrationRequest,
): Promise<void> {
  const isDryRun = request.isDryRun ?? false;
  const { home } = clientPlaces(request.env);
  const userFolder = request.env["CLAUDE_CONFIG_DIR"] || join(home, ".claude");
  const folder = request.scope === "user" ? userFolder : join(request.projectRoot, ".claude");
  const settingsFile = join(folder, "settings.json");
  const server = KNOWN_CLIENTS.find(({ name }) => name === "claude-code") as KnownClient;

  const change = (hooks: ClaudeHooks | undefined): void => {
    const both = (dry: boolean): ConfigChange[] => [
      changeServer(server, serverFile, entry, { ...request, isDryRun: dry }),
      changeJsonFile(settingsFile, dry, (settings) => {
        if (hooks === undefined) removeHooks(settings, settingsFile);
        else mergeHooks(settings, hooks, settingsFile);
      }),
    ];
    // Both files or none: a file that is refused shows before the other one is written.
    const rehearsed = both(true);
    report.changes.push(...(isDryRun ? rehearsed : both(false)));
  };
  if (request.isRemoval) {
    change(undefined);
    return;
  }
  const userSettings = join(userFolder, "settings.json");
  // Looked at without being changed: the plugin brings hooks and server itself, with both every word came twice.
  const [hasPlugin] = [userSettings, settingsFile].map((file) => isPluginIn(file)).filter(Boolean);
  if (hasPlugin) {
    report.notes.push("The heed plugin is installed in Claude Code and does all of this; nothing was added.");
    return;
  }
  const version = await claudeVersion(request.env);
  const variant = knowsResidentHooks(version) ? "resident" : "command";
  report.variant = variant;
  if (version !== undefined) report.clientVersion = version;
  else report.notes.push("`claude --version` gave no answer: hooks were chosen that every version knows.");
  const { command, args } = launchOf(request);
  const hooks = claudeHooks({
    variant,
    server: "heed",
    ...(variant === "resident"
      ? { command, args: [...args, "hook", "--unless-plugin"] }
      : { command: [command, ...args].map(shellWord).concat("hook").join(" ") }),
  });
  change(hooks);
}

function isPluginIn(file: string): boolean {
  let isThere = false;
  changeJsonFile(file, true, (settings) => {
    isThere = hasHeedPlugin(settings);
  });
  return isThere;
}

function changeServer(
  client: KnownClient,
  file: string,
  entry: Record<string, unknown>,
  request: RegistrationRequest,
): ConfigChange {
  try {
    return changeJsonFile(file, request.isDryRun ?? false, (root: JsonObject) => {
      if (!request.isRemoval) {
        childObject(root, client.key, file)["heed"] = entry;
        return;
      }
      const servers = root[client.key];
      if (!isObject(servers)) return;
      delete servers["heed"];
      if (Object.keys(servers).length === 0) delete root[client.key];
    });
  } catch (error) {
    if (!(error instanceof HeedError) || request.isRemoval) throw error;
    const byHand = JSON.stringify({ [client.key]: { heed: entry } });
    throw new HeedError(error.code, `${error.message} That is: ${byHand}`, error.data, { cause: error });
  }
}

function configFile(client: KnownClient, request: RegistrationRequest): string {
  if (request.scope === "user") return client.userFile(clientPlaces(request.env));
  if (client.projectFile === undefined) {
    throw new HeedError("invalid-input", `${client.title} has no configuration per project; use --user.`, {
      argument: "scope",
      value: "project",
    });
  }
  return join(request.projectRoot, client.projectFile);
}

/** A repository's files are read on other machines: no paths of this one. */
function launchOf(request: RegistrationRequest): Launch {
  return request.scope === "project"
    ? { command: "heed", args: [] }
    : { command: process.execPath, args: [request.script] };
}

/** A word for the shell in which older clients run hooks; double quotes are known to every shell that they use. */
function shellWord(word: string): string {
  return /^[\w./:@-]+$/.test(word) ? word : `"${word.replace(/(["\\$`])/g, "\\$1")}"`;
}
