import type { Heed } from "../../../heed.ts";
import type { Machine } from "../this-machine.ts";
import { examine } from "./examine.ts";
import type { Finding } from "./finding.ts";

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
