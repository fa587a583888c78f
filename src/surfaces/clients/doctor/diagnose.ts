import { chmodSync, existsSync } from "node:fs";
import type { Heed } from "../../../heed.ts";
import { isOpenToOthers, remedyFor, whyNotWritable } from "../../../machine/regular-file.ts";
import { ADAPTERS } from "../../hooks/adapters/all-adapters.ts";
import { isPluginBeside } from "../../hooks/plugin-beside.ts";
import { CLIENTS } from "../all-clients.ts";
import type { Client } from "../entry/client.ts";
import { connectClient, disconnectClient } from "../connect-clients.ts";
import { type Machine, findClients, whyNotNeeded } from "../this-machine.ts";
import { type Finding, finding, tryHook, tryServer } from "./try-heed.ts";

interface Examination extends Machine {
  setup: Heed["setup"];
  isMending: boolean;
  connected: readonly Client[];
  hasPlugin: boolean;
}

export async function diagnose(
  setup: Heed["setup"],
  machine: Machine,
  isMending: boolean,
): Promise<Finding[]> {
  const names = new Set([...machine.record.files.values()].flatMap(({ clients }) => clients));
  const connected = CLIENTS.filter(({ name, isPrinted }) => names.has(name) && !isPrinted);
  const { launch, places } = machine.target;
  const hasPlugin = isPluginBeside(places.env);
  const examination = { ...machine, setup, isMending, connected, hasPlugin };
  const findings = [
    ...(await checkStores(examination)),
    ...checkFolders(examination),
    ...(await tryServer(launch, places.env)),
    ...(await tryHook(launch, places.env)),
    ...checkPlugin(examination),
  ];
  for (const client of connected) findings.push(...(await checkClient(client, examination)));
  return [...findings, ...checkOthers(examination)];
}

function mendable(about: string, what: string, isMended: boolean, detail: string, fix: string): Finding {
  return isMended
    ? finding(about, what, "mended", detail)
    : finding(about, what, "wrong", detail, `heed doctor --fix, or ${fix}`);
}

const ROOT_TRUSTS =
  "sessions here run as root, which can write the policy, and what HEED_TRUST_FILE names, for the next session";

async function checkStores({ setup }: Examination): Promise<Finding[]> {
  const { problems, unapproved, policy, learn, waiting } = await setup.status();
  return [
    finding("machine", "node", "ok", process.versions.node),
    ...problems.map((detail) => finding("machine", "stores", "wrong", detail)),
    ...unapproved.map((detail) => finding("machine", "stores", "note", detail)),
    ...learn.problems
      .filter((detail) => !problems.includes(detail))
      .map((detail) => finding("machine", "learn", "wrong", detail, "heed config learn off")),
    ...(process.getuid?.() === 0 && (policy || process.env["HEED_TRUST_FILE"])
      ? [finding("machine", "root", "note", ROOT_TRUSTS)]
      : []),
    ...waiting.map((detail) => finding("machine", "waiting", "note", detail, "heed inbox")),
  ];
}

/** Folders that nobody else of the machine is to read. */
const PRIVATE: ReadonlySet<string> = new Set(["state", "userStore"]);

function checkFolders({ folders, isMending }: Examination): Finding[] {
  return Object.entries(folders).flatMap(([name, folder]): Finding[] => {
    const what = `folder ${name}`;
    if (!existsSync(folder)) return [];
    const code = whyNotWritable(folder);
    if (code !== undefined) {
      const remedy = code === "EACCES" ? `chmod u+rwx ${folder}` : remedyFor(code);
      return [finding("machine", what, "wrong", `${folder} cannot be written (${code})`, remedy)];
    }
    const isOpen = PRIVATE.has(name) && isOpenToOthers(folder);
    if (!isOpen) return [finding("machine", what, "ok", folder)];
    if (isMending) chmodSync(folder, 0o700);
    const detail = `${folder} ${isMending ? "was" : "is"} open to others of this machine`;
    return [mendable("machine", what, isMending, detail, `chmod 700 ${folder}`)];
  });
}

function checkPlugin({ hasPlugin, target }: Examination): Finding[] {
  if (!hasPlugin) return [];
  const [claudeCode] = CLIENTS.filter(({ name }) => name === "claude-code");
  return [
    finding("claude-code", "plugin", "ok", "heed's plugin is enabled"),
    ...(claudeCode ? checkGuards(claudeCode, target.places.platform) : []),
  ];
}

async function checkClient(client: Client, examination: Examination): Promise<Finding[]> {
  const { target, record, isMending, hasPlugin } = examination;
  const { name } = client;
  if (name === "claude-code" && hasPlugin) {
    if (isMending) await disconnectClient(client, target, record, false);
    const detail = "the plugin and the settings both run heed's hooks";
    return [mendable(name, "doubles", isMending, detail, "heed uninit claude-code")];
  }
  const findings = await checkFiles(client, examination);
  if (isMending && findings.some(({ state }) => state === "mended"))
    await connectClient(client, target, record, false);
  return [...findings, ...checkGuards(client, target.places.platform)];
}

async function checkFiles(client: Client, { target, record, isMending }: Examination): Promise<Finding[]> {
  const { name } = client;
  const connect = `heed init --client ${name}`;
  const { files } = await connectClient(client, target, record, true);
  return files.map(({ file, action, why }) => {
    if (action === "unchanged")
      return why === undefined
        ? finding(name, "file", "ok", file)
        : finding(name, "rules", "note", `${file} is ${why}`);
    if (action === "left") {
      const detail = `${file}: ${why ?? "it cannot be edited"}`;
      return finding(name, "file", "wrong", detail, `Repair the file, then: ${connect}`);
    }
    const differs = action === "created" ? "gone" : "not as heed writes it now";
    return mendable(name, "file", isMending, `${file} ${isMending ? "was" : "is"} ${differs}`, connect);
  });
}

function checkGuards({ name, checksStarts }: Client, platform: NodeJS.Platform): Finding[] {
  const adapter = ADAPTERS.find(({ client }) => client === name);
  if (!adapter) return [];
  const detail = [
    checksStarts === true && platform !== "win32"
      ? "all checks: the text of a call, programs as they start, the files after it"
      : "text and files: the text of a call, and the files after it; not the programs that it starts",
    ...(adapter.sendsBack ? [] : ["no turn is sent back: a guard with `when: turn-end` tells you"]),
    ...(adapter.tellsResult ? [] : ["a guard with `needs` cannot tell whether a command passed"]),
  ];
  return [finding(name, "guards", "ok", detail.join("; "))];
}

function checkOthers({ target: { places }, connected, hasPlugin }: Examination): Finding[] {
  const others = findClients(places).filter(
    (client) => !connected.includes(client) && whyNotNeeded(client, places.env) === undefined,
  );
  const isAlone = connected.length === 0 && !hasPlugin;
  if (others.length > 0) {
    const detail = `heed is not connected with ${others.map(({ title }) => title).join(", ")}`;
    return [finding("machine", "clients", isAlone ? "wrong" : "note", detail, "heed init")];
  }
  return isAlone ? [finding("machine", "clients", "note", "none was found", "heed init --client NAME")] : [];
}
