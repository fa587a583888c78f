import { createHash } from "node:crypto";
import type { Heed } from "../../../heed.ts";
import { HeedError } from "../../../heed.ts";
import { CLIENTS } from "../../clients/all-clients.ts";
import {
  type ChangedLine,
  type ClientChange,
  type ShownChange,
  changedLines,
  connectClient,
  shownChange,
} from "../../clients/connect-clients.ts";
import { disconnectClient } from "../../clients/disconnect-clients.ts";
import { diagnose } from "../../clients/doctor/examine.ts";
import type { Finding } from "../../clients/doctor/try-client.ts";
import type { Client } from "../../clients/entry/client.ts";
import {
  type Machine,
  type MachineRequest,
  findClients,
  launchNotes,
  recordedTargets,
  thisMachine,
  whyNotNeeded,
} from "../../clients/this-machine.ts";

/** What may be done with a client. */
export type ClientWork = "connect" | "disconnect";

/** A client, and how it stands here. */
export interface ClientStanding {
  name: string;
  title: string;
  /** By what it was found; absent: it is not on this machine, as far as can be told. */
  foundBy?: string;
  isConnected: boolean;
  /** Why nothing has to be added to it. */
  note?: string;
}

/** What would be written for a client: every file, and every line that would come or go. */
export interface ClientPlan extends ShownChange {
  work: ClientWork;
  files: (ShownChange["files"][number] & { lines: ChangedLine[] })[];
  /** Names exactly this: what is carried out is what was shown, or nothing. */
  token: string;
}

/** Clients connected and taken out again from the page, each change shown before it is made: what `heed init` and `heed uninit` do. */
export class ClientDesk {
  readonly #setup: Heed["setup"];
  readonly #request: MachineRequest;

  constructor({ setup }: Pick<Heed, "setup">, request: MachineRequest) {
    this.#setup = setup;
    this.#request = request;
  }

  /** Every client: those that are connected or on this machine first. */
  async list(): Promise<ClientStanding[]> {
    const machine = await this.#machine();
    const found = new Map(findClients(machine.target.places).map(({ client, by }) => [client, by]));
    const connected = new Set([...machine.record.files.values()].flatMap(({ clients }) => clients));
    const standings = CLIENTS.map((client): ClientStanding => {
      const { name, title } = client;
      const [foundBy, note] = [found.get(client), whyNotNeeded(client, machine.request)];
      return {
        name,
        title,
        ...(foundBy !== undefined && { foundBy }),
        isConnected: connected.has(name),
        ...(note !== undefined && { note }),
      };
    });
    const rank = ({ isConnected, foundBy }: ClientStanding): number =>
      isConnected ? 0 : foundBy === undefined ? 2 : 1;
    return standings.toSorted((a, b) => rank(a) - rank(b));
  }

  /**
   * What would be written, without writing it.
   *
   * @throws HeedError `invalid-input` for an invalid client or work.
   */
  async plan(name: string, work: ClientWork): Promise<ClientPlan> {
    return planOf(work, await this.#run(clientOf(name), workOf(work), true));
  }

  /**
   * Does what a plan said.
   *
   * @throws HeedError `changed-outside` when the files are not as they were shown; `invalid-input`.
   */
  async carryOut(name: string, work: ClientWork, token: string): Promise<ShownChange> {
    const { files, token: current } = await this.plan(name, work);
    if (current !== token)
      throw new HeedError(
        "changed-outside",
        `the files of ${name} were changed since this was shown: look at it again, then decide`,
        { file: files[0]?.file ?? name },
      );
    return shownChange(await this.#run(clientOf(name), work, false));
  }

  /** What `heed doctor` finds; nothing is mended. */
  async examine(): Promise<Finding[]> {
    return diagnose(this.#setup, await this.#machine(), false);
  }

  #machine(): Promise<Machine> {
    return thisMachine(this.#setup, this.#request);
  }

  async #run(client: Client, work: ClientWork, isDryRun: boolean): Promise<ClientChange> {
    const machine = await this.#machine();
    const { target, record, request } = machine;
    if (work === "connect") {
      const note = whyNotNeeded(client, request);
      if (note !== undefined) return { client: client.name, title: client.title, files: [], notes: [note] };
      const change = await connectClient(client, target, record, isDryRun);
      return { ...change, notes: [...change.notes, ...launchNotes(request)] };
    }
    const changes: ClientChange[] = [];
    for (const place of recordedTargets(machine))
      changes.push(await disconnectClient(client, place, record, isDryRun));
    return {
      client: client.name,
      title: client.title,
      files: changes.flatMap(({ files }) => files),
      notes: [...new Set(changes.flatMap(({ notes }) => notes))],
    };
  }
}

function planOf(work: ClientWork, change: ClientChange): ClientPlan {
  const { files } = change;
  const shown = shownChange(change);
  return {
    ...shown,
    work,
    files: shown.files.map((file, i) => ({ ...file, lines: changedLines(files[i] ?? file) })),
    token: createHash("sha256")
      .update(JSON.stringify([work, change.client, files]))
      .digest("hex"),
  };
}

function clientOf(name: unknown): Client {
  const client = CLIENTS.find((one) => one.name === name);
  if (client) return client;
  const message = `${JSON.stringify(name ?? null).slice(0, 60)} is no client that heed knows: ${CLIENTS.map((one) => one.name).join(", ")}`;
  throw new HeedError("invalid-input", message, { argument: "client" });
}

function workOf(work: unknown): ClientWork {
  if (work === "connect" || work === "disconnect") return work;
  throw new HeedError("invalid-input", "a client is connected or disconnected: give one of the two", {
    argument: "work",
  });
}
