import { execFile } from "node:child_process";
import { HeedError } from "../../errors/heed-error.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULT_REGISTRY = "https://registry.npmjs.org/";
const NPM_LIMIT_MS = 20_000;
const ANSWER_LIMIT_MS = 30_000;
/** What a registry says about one version takes some kilobytes. */
const MAX_METADATA_BYTES = 2 * 1024 * 1024;

/** What a registry says about one version of a package. */
export interface PublishedPackage {
  tarball: string;
  /** Subresource integrity of the archive. */
  integrity: string | undefined;
  license: string | undefined;
}

/** The registry that npm is set up for on this machine; `HEED_NPM_REGISTRY` goes before. */
export async function findRegistry(env: Environment): Promise<string> {
  const named = env["HEED_NPM_REGISTRY"] ?? (await npmSetting("registry", env)) ?? DEFAULT_REGISTRY;
  return named.endsWith("/") ? named : `${named}/`;
}

/** Asks a registry for one version. Throws `download-failed`. */
export async function readPublished(
  registry: string,
  name: string,
  version: string,
): Promise<PublishedPackage> {
  const url = `${registry}${name.replace("/", "%2f")}/${version}`;
  let text: string;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) });
    if (!response.ok) throw new Error(`it answers ${response.status}`);
    text = await boundedText(response);
  } catch (error) {
    throw failed(url, error);
  }
  const { dist, license } = parsed(text, url);
  const { tarball, integrity } = (dist ?? {}) as Record<string, unknown>;
  if (typeof tarball !== "string" || !/^https?:\/\//.test(tarball)) throw failed(url, "it names no archive");
  return {
    tarball,
    integrity: typeof integrity === "string" ? integrity : undefined,
    license: typeof license === "string" ? license.slice(0, 100) : undefined,
  };
}

/** The error of a download, with the remedy. */
export function failed(url: string, error: unknown): HeedError {
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : "";
  const reason = error instanceof Error ? `${error.message}${cause}` : String(error);
  return new HeedError(
    "download-failed",
    `${url} could not be fetched: ${reason}. Try again (what is there is kept), set HEED_NPM_REGISTRY to a registry ` +
      "that can be reached, or give a directory: heed semantic install --from DIR",
    { url, reason },
    error instanceof Error ? { cause: error } : {},
  );
}

function parsed(text: string, url: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
  } catch {
    // Said below.
  }
  throw failed(url, "the answer is no JSON");
}

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += (chunk as Uint8Array).length;
    if (size > MAX_METADATA_BYTES) throw new Error(`it answers with more than ${MAX_METADATA_BYTES} bytes`);
    chunks.push(chunk as Uint8Array);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** One setting of npm on this machine; undefined when there is no npm or it does not answer. */
function npmSetting(key: string, env: Environment): Promise<string | undefined> {
  return new Promise((resolve) => {
    const isWindows = process.platform === "win32";
    const args = ["config", "get", key];
    execFile(
      isWindows ? "cmd.exe" : "npm",
      isWindows ? ["/d", "/s", "/c", "npm", ...args] : args,
      { env: { ...env }, timeout: NPM_LIMIT_MS, windowsHide: true },
      (error, stdout) => {
        const value = stdout.trim();
        resolve(error === null && /^https?:\/\/\S+$/.test(value) ? value : undefined);
      },
    );
  });
}
