import { execFile } from "node:child_process";
import { accessSync, chmodSync, constants, existsSync } from "node:fs";
import { join } from "node:path";
import type { Heed } from "../../../heed.ts";
import { MAX_OWN_FILE_BYTES, readRegularFile } from "../../../machine/regular-file.ts";
import { CLIENTS } from "../all-clients.ts";
import { connectClient, plannedFiles } from "../connect-clients.ts";
import type { ConnectionRecord } from "../connection-record.ts";
import { disconnectClient } from "../disconnect-clients.ts";
import { type Finding, finding, tryHook, tryServer } from "./try-client.ts";
import { withPieces } from "../edit-file.ts";
import type { Client, FilePlan, Target } from "../entry/client.ts";
import { liesOpen, type Machine, findClients, whyNotNeeded } from "../this-machine.ts";
import { ADAPTERS } from "../../hooks/adapters/all-adapters.ts";
import { isPluginBeside } from "../../hooks/plugin-beside.ts";

const VERSION_TIMEOUT_MS = 8000;

interface Examination {
  target: Target;
  record: ConnectionRecord;
  folders: { state: string; config: string; cache: string; userStore: string };
  isMending: boolean;
}

/** Looks at everything that is connected, runs it in a throwaway home, and mends what it may. */
export async function examine(examination: Examination): Promise<Finding[]> {
  const { target, record } = examination;
  const names = new Set([...record.files.values()].flatMap(({ clients }) => clients));
  const connected = CLIENTS.filter(({ name }) => names.has(name));
  const findings = [...folderFindings(examination), await tryServer(target.launch, target.places.env)];
  findings.push(...doubles(examination, connected));
  if (isPluginBeside(target.places.env))
    findings.push(
      finding("claude-code", "plugin", "ok", "heed's plugin is enabled"),
      ...CLIENTS.filter(({ name }) => name === "claude-code").flatMap((one) => guardFindings(one, target)),
    );
  for (const client of connected) {
    findings.push(...(await clientFindings(client, examination)));
  }
  const others = findClients(target.places).filter(
    (client) => !connected.includes(client) && whyNotNeeded(client, target.places) === undefined,
  );
  const isAlone = connected.length === 0 && !isPluginBeside(target.places.env);
  if (others.length > 0) {
    const detail = `heed is not connected with ${others.map(({ title }) => title).join(", ")}`;
    findings.push(finding("machine", "clients", isAlone ? "wrong" : "note", detail, "heed init"));
  } else if (isAlone)
    findings.push(finding("machine", "clients", "note", "none was found", "heed init --client NAME"));
  return findings;
}

/** What nobody else of the machine is to read; heed makes them so, and somebody may have opened them. */
const PRIVATE: ReadonlySet<string> = new Set(["state", "userStore"]);

function folderFindings({ folders, isMending }: Examination): Finding[] {
  return Object.entries(folders).flatMap(([name, folder]): Finding[] => {
    const what = `folder ${name}`;
    if (!existsSync(folder)) return [];
    try {
      accessSync(folder, constants.R_OK | constants.W_OK);
    } catch {
      const remedy = `Give yourself the right to write there: chmod u+rwx ${folder}`;
      return [finding("machine", what, "wrong", `${folder} cannot be written`, remedy)];
    }
    const isOpen = PRIVATE.has(name) && liesOpen(folder);
    if (!isOpen) return [finding("machine", what, "ok", folder)];
    if (isMending) chmodSync(folder, 0o700);
    const detail = `${folder} ${isMending ? "was" : "is"} open to others of this machine`;
    return [mendable("machine", what, isMending, detail, `chmod 700 ${folder}`)];
  });
}

/** What reaches a model twice. */
function doubles({ target }: Examination, connected: readonly Client[]): Finding[] {
  const file = join(target.root, "AGENTS.md");
  const hasHooks = connected.some(({ name }) => ADAPTERS.some(({ client }) => client === name));
  if (!hasHooks) return [];
  try {
    if (!readRegularFile(file, { maxBytes: MAX_OWN_FILE_BYTES }).includes("<!-- heed: begin")) return [];
  } catch {
    return [];
  }
  const detail = `${file} holds heed's rules: clients that read it and run heed's hooks hear them twice`;
  return [finding("machine", "doubles", "note", detail)];
}

function mendable(
  about: string,
  what: string,
  isMended: boolean,
  detail: string,
  otherwise: string,
): Finding {
  return isMended
    ? finding(about, what, "mended", detail)
    : finding(about, what, "wrong", detail, `heed doctor --fix, or ${otherwise}`);
}

async function clientFindings(client: Client, examination: Examination): Promise<Finding[]> {
  const { target, record, isMending } = examination;
  const { name, title } = client;
  const findings: Finding[] = [];
  if (name === "claude-code" && isPluginBeside(target.places.env)) {
    if (isMending) await disconnectClient(client, target, record, false);
    const detail = "the plugin and the settings both run heed's hooks";
    return [mendable(name, "doubles", isMending, detail, "heed uninit claude-code")];
  }
  const change = await connectClient(client, target, record, true);
  const plans = (await plannedFiles(client, target)) ?? [];
  for (const { file, action, why, before } of change.files) {
    const plan = plans.find((one) => one.file === file);
    const connect = `heed init --client ${name}`;
    if (action === "unchanged" && why !== undefined)
      findings.push(finding(name, "rules", "note", `${file} is ${why}`));
    else if (action === "unchanged") findings.push(finding(name, "file", "ok", file));
    else if (action === "left") {
      const detail = `${file}: ${why ?? "it cannot be edited"}`;
      findings.push(finding(name, "file", "wrong", detail, `Repair the file, then: ${connect}`));
    } else {
      const differs =
        plan !== undefined && lacksRulesAlone(plan, before)
          ? `without ${title}'s own ${plan.rulesName ?? "rules about heed's folders"}`
          : `not as heed ${action === "created" ? "left it: it is gone" : "writes it now"}`;
      const detail = `${file} ${isMending ? "was" : "is"} ${differs}`;
      findings.push(mendable(name, "file", isMending, detail, connect));
    }
  }
  if (isMending && findings.some(({ state }) => state === "mended"))
    await connectClient(client, target, record, false);
  const version = await versionOf(client, target);
  if (version !== undefined) findings.push(finding(name, "version", "ok", `${title} ${version}`));
  findings.push(...guardFindings(client, target));
  return [...findings, ...(await tryHook(client, target.launch, target.places.env))];
}

/** What guards see in a client. */
function guardFindings({ name, checksStarts }: Client, { places }: Target): Finding[] {
  const adapter = ADAPTERS.find(({ client }) => client === name);
  if (!adapter || adapter.decides === "none" || !Object.values(adapter.events).includes("tool-use"))
    return [];
  const isAll = checksStarts === true && places.platform !== "win32";
  const detail = isAll
    ? "all checks: the text of a call, programs as they start, the files after it"
    : "text and files: the text of a call, and the files after it; not the programs that it starts";
  return [finding(name, "guards", "ok", detail)];
}

function lacksRulesAlone({ file, pieces, rules = [] }: FilePlan, text: string | undefined): boolean {
  return rules.length > 0 && (pieces.length === 0 || withPieces({ file, pieces }, text).text === text);
}

function versionOf({ programs }: Client, { places }: Target): Promise<string | undefined> {
  const [program] = programs;
  if (program === undefined) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const options = {
      timeout: VERSION_TIMEOUT_MS,
      env: { ...places.env },
      windowsHide: true,
      maxBuffer: 64 * 1024,
    };
    const child = execFile(program, ["--version"], options, (error, stdout) =>
      resolve(error === null ? /\d+(?:\.\d+)+/.exec(stdout)?.[0] : undefined),
    );
    child.stdin?.end();
  });
}

/** What the doctor says: the version, the stores, and all that is connected; `isMending`: it mends what it may. */
export async function diagnose(
  setup: Heed["setup"],
  { target, record, folders }: Machine,
  isMending: boolean,
): Promise<Finding[]> {
  const { version, problems, policy, learn } = await setup.status();
  return [
    finding("machine", "version", "ok", `heed ${version}, Node ${process.versions.node}`),
    ...problems.map((detail) => finding("machine", "stores", "wrong", detail)),
    ...learn.problems
      .filter((detail) => !problems.includes(detail))
      .map((detail) => finding("machine", "learn", "wrong", detail, "heed mode --learn off")),
    ...(policy ? [finding("machine", "policy", "note", `${policy.says}: ${policy.file}`)] : []),
    ...(await examine({ target, record, folders, isMending })),
  ];
}
