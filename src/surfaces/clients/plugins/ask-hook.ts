import type { Launch } from "../entry/client.ts";

/** First line of every file that is heed's alone; what begins with another is somebody else's. */
export const OWN_FILE_MARK = "Written by heed (heed init); heed uninit takes it out.";

/** Source of `startsOf(session)`: what a shell of a session needs so that guards see the programs that it starts. */
export function startsSource(starts: string): string {
  return `
const PATH = process.env.PATH ?? "";
const OWN_BASH_ENV = process.env.BASH_ENV ?? "";
const startsOf = (session) =>
  process.platform === "win32"
    ? {}
    : {
        HEED_SESSION: session,
        PATH: ${JSON.stringify(`${starts}/bin:`)} + PATH,
        HEED_BASH_ENV: OWN_BASH_ENV,
        BASH_ENV: ${JSON.stringify(`${starts}/bash-env.sh`)},
      };
`;
}

/** Source of `ask(event)`, which resolves to the hook's answer, an empty one whatever goes wrong. */
export function askHook(client: string, { command, args }: Launch, imports: readonly string[] = []): string {
  return `// ${OWN_FILE_MARK}
${['import { spawn } from "node:child_process";', ...imports].join("\n")}

const COMMAND = ${JSON.stringify(command)};
const ARGS = ${JSON.stringify([...args, "hook", "--client", client])};
/** Past this time the client goes on without an answer. */
const TIMEOUT_MS = 4000;

function ask(event) {
  return new Promise((resolve) => {
    let said = "";
    const done = () => {
      clearTimeout(timer);
      try {
        resolve(JSON.parse(said));
      } catch {
        resolve({});
      }
    };
    const child = spawn(COMMAND, ARGS, { stdio: ["pipe", "pipe", "ignore"], windowsHide: true });
    const timer = setTimeout(() => child.kill(), TIMEOUT_MS);
    child.on("error", done);
    child.on("close", done);
    child.stdin.on("error", () => {});
    child.stdout.on("data", (chunk) => (said += chunk));
    child.stdin.end(JSON.stringify(event));
  });
}
`;
}
