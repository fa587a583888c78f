import { execFile } from "node:child_process";
import { accessSync, chmodSync, constants, existsSync } from "node:fs";
import { join } from "node:path";
import type { Heed } from "../../../heed.ts";
import { MAX_OWN_FILE_BYTES, readRegularFile } from "../../../platform/regular-file.ts";
import { CLIENTS } from "../all-clients.ts";
import { connectClient, plannedFiles } from "../connect-clients.ts";
import type { ConnectionRecord } from "../connection-record.ts";
import { disconnectClient } from "../disconnect-clients.ts";
import { type Finding, tryHook, tryServer } from "./try-client.ts";
import { withPieces } from "../edit-file.ts";
import type { Client, FilePlan, Target } from "../entry/client.ts";
import { liesOpen, type Machine, findClients, whyNotNeeded } from "../this-machine.ts";
import { ADAPTERS } from "../../hooks/adapters/all-adapters.ts";
import { isPluginBeside } from "../../hooks/plugin-beside.ts";

/** A client's program that does not say its version by then is left. */
const VERSION_TIMEOUT_MS = 8000;

/** What the doctor looks at. */
interface Examination {
  target: Target;
  record: ConnectionRecord;
  /** heed's own folders. */
  folders: { state: string; config: string; cache: string; userStore: string };
  /** Mend what may be mended. */
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
    findings.push({ about: "claude-code", what: "plugin", state: "ok", detail: "heed's plugin is enabled" });
  else if (connected.length === 0)
    findings.push({
      about: "machine",
      what: "clients",
      state: "wrong",
      detail: "heed is connected with no client",
      remedy: "heed init",
    });
  for (const client of connected) {
    findings.push(...(await clientFindings(client, examination)));
  }
  for (const { client } of findClients(target.places)) {
    if (connected.includes(client) || whyNotNeeded(client, target.places) !== undefined) continue;
    findings.push({
      about: client.name,
      what: "client",
      state: "note",
      detail: `${client.title} is on this machine, and heed is not connected with it`,
      remedy: `heed init --client ${client.name}`,
    });
  }
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
      return [{ about: "machine", what, state: "wrong", detail: `${folder} cannot be written`, remedy }];
    }
    const isOpen = PRIVATE.has(name) && liesOpen(folder);
    if (!isOpen) return [{ about: "machine", what, state: "ok", detail: folder }];
    if (isMending) chmodSync(folder, 0o700);
    return [
      {
        about: "machine",
        what,
        state: isMending ? "mended" : "wrong",
        detail: `${folder} ${isMending ? "was" : "is"} open to others of this machine`,
        ...(!isMending && { remedy: `heed doctor --fix, or chmod 700 ${folder}` }),
      },
    ];
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
  return [
    {
      about: "machine",
      what: "doubles",
      state: "note",
      detail: `${file} holds heed's rules: clients that read it and run heed's hooks hear them twice`,
    },
  ];
}

async function clientFindings(client: Client, examination: Examination): Promise<Finding[]> {
  const { target, record, isMending } = examination;
  const { name, title } = client;
  const findings: Finding[] = [];
  if (name === "claude-code" && isPluginBeside(target.places.env)) {
    if (isMending) await disconnectClient(client, target, record, false);
    return [
      {
        about: name,
        what: "doubles",
        state: isMending ? "mended" : "wrong",
        detail: "the plugin and the settings both run heed's hooks",
        ...(!isMending && { remedy: "heed doctor --fix, or heed uninit claude-code" }),
      },
    ];
  }
  const change = await connectClient(client, target, record, true);
  const plans = (await plannedFiles(client, target)) ?? [];
  for (const { file, action, why, before } of change.files) {
    const plan = plans.find((one) => one.file === file);
    if (action === "unchanged" && why !== undefined)
      findings.push({ about: name, what: "rules", state: "note", detail: `${file} is ${why}` });
    else if (action === "unchanged") findings.push({ about: name, what: "file", state: "ok", detail: file });
    else if (action === "left")
      findings.push({
        about: name,
        what: "file",
        state: "wrong",
        detail: `${file}: ${why ?? "it cannot be edited"}`,
        remedy: `Repair the file, then: heed init --client ${name}`,
      });
    else
      findings.push({
        about: name,
        what: "file",
        state: isMending ? "mended" : "wrong",
        detail:
          plan !== undefined && lacksRulesAlone(plan, before)
            ? `${file} ${isMending ? "was" : "is"} without ${title}'s own rules about heed's folders`
            : `${file} ${isMending ? "was" : "is"} not as heed ${howItDiffers(action)}`,
        ...(!isMending && { remedy: `heed doctor --fix, or heed init --client ${name}` }),
      });
  }
  if (isMending && findings.some(({ state }) => state === "mended"))
    await connectClient(client, target, record, false);
  const version = await versionOf(client, target);
  if (version !== undefined)
    findings.push({ about: name, what: "version", state: "ok", detail: `${title} ${version}` });
  return [...findings, ...(await tryHook(client, target.launch, target.places.env))];
}

function lacksRulesAlone({ file, pieces, rules = [] }: FilePlan, text: string | undefined): boolean {
  return rules.length > 0 && (pieces.length === 0 || withPieces({ file, pieces }, text).text === text);
}

function howItDiffers(action: string): string {
  return action === "created" ? "left it: it is gone" : "writes it now";
}

/** What a client's program says of its version; undefined where it has none on the PATH, or says nothing. */
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
  const { version, problems, question } = await setup.status();
  const aboutMachine = { about: "machine" } as const;
  return [
    {
      ...aboutMachine,
      what: "version",
      state: "ok",
      detail: `heed ${version}, Node ${process.versions.node}`,
    },
    ...problems.map((detail): Finding => ({
      ...aboutMachine,
      what: "stores",
      state: "wrong",
      detail,
      remedy: "heed check",
    })),
    ...(question === undefined
      ? []
      : [{ ...aboutMachine, what: "place", state: "note", detail: question } as const]),
    ...(await examine({ target, record, folders, isMending })),
  ];
}
