import { createHash } from "node:crypto";
import { createReadStream, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname } from "node:path";
import { HeedError } from "../../errors/heed-error.ts";
import type { Progress } from "../../app/api/progress.ts";
import { failed } from "./npm-registry.ts";

/** The longest silence of a server before the download is given up; what is there stays for the next try. */
const SILENCE_LIMIT_MS = 30_000;
/** No package that is of use here is larger. */
const MAX_BYTES = 512 * 1024 * 1024;
/** So often a download that breaks off is taken up again. */
const ATTEMPTS = 4;

/** What is fetched, and how it is known to be right. */
export interface Download {
  url: string;
  file: string;
  /** Subresource integrities (`sha512-…`), all of which must hold; one at least. */
  integrities: readonly string[];
  /** As the progress names it. */
  what: string;
}

/**
 * Fetches a file and checks it. A download that broke off, even in another process, goes on where it stopped; a
 * wrong checksum throws the file away. Throws `download-failed`.
 */
export async function downloadFile(download: Download, progress?: Progress): Promise<void> {
  const { url, file, integrities } = download;
  if (integrities.length === 0) throw failed(url, "nothing tells whether the file is right");
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  if (sizeOf(file) > 0 && (await isRight(file, integrities))) return;
  const part = `${file}.part`;
  for (let attempt = 1; ; attempt++) {
    try {
      await fetchRest(download, part, progress);
      break;
    } catch (error) {
      if (attempt >= ATTEMPTS || error instanceof HeedError) throw failed(url, error);
      await new Promise((resolve) => setTimeout(resolve, attempt * 500));
    }
  }
  if (!(await isRight(part, integrities))) {
    rmSync(part, { force: true });
    throw new HeedError(
      "download-failed",
      `${url} is not what heed expects: its checksum differs. It was thrown away. Try again; if it stays so, the ` +
        "registry serves another file under this name: do not use it",
      { url, reason: "checksum" },
    );
  }
  renameSync(part, file);
}

/** Whether a file has these checksums. */
export async function isRight(file: string, integrities: readonly string[]): Promise<boolean> {
  for (const integrity of integrities) {
    const [, algorithm, expected] = /^(sha512|sha384|sha256)-([A-Za-z0-9+/]+={0,2})$/.exec(integrity) ?? [];
    if (algorithm === undefined) return false;
    const hash = createHash(algorithm);
    for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
    if (hash.digest("base64") !== expected) return false;
  }
  return true;
}

async function fetchRest({ url, what }: Download, part: string, progress?: Progress): Promise<void> {
  const there = sizeOf(part);
  const silence = new AbortController();
  const limit = setTimeout(
    () => silence.abort(new Error(`nothing came for ${SILENCE_LIMIT_MS / 1000} s`)),
    SILENCE_LIMIT_MS,
  );
  try {
    const response = await fetch(url, {
      signal: silence.signal,
      // A compressed transfer could not be taken up in the middle.
      headers: { "accept-encoding": "identity", ...(there > 0 && { range: `bytes=${there}-` }) },
    });
    // The server has no more than what is there: whether that is right, the checksum tells.
    if (response.status === 416) return;
    if (!response.ok || response.body === null) {
      const error = new Error(`the server answers ${response.status}`);
      throw response.status >= 500 ? error : failed(url, error);
    }
    const isGoingOn = response.status === 206;
    const total = (isGoingOn ? there : 0) + Number(response.headers.get("content-length") ?? 0);
    if (total > MAX_BYTES) throw failed(url, `it has ${total} bytes, ${MAX_BYTES} at most are taken`);
    const handle = await open(part, isGoingOn ? "a" : "w", 0o600);
    try {
      let done = isGoingOn ? there : 0;
      for await (const chunk of response.body) {
        const bytes = chunk as Uint8Array;
        limit.refresh();
        done += bytes.length;
        if (done > MAX_BYTES) throw failed(url, `it has more than ${MAX_BYTES} bytes`);
        await handle.write(bytes);
        progress?.(done, Math.max(total, done), what);
      }
      if (done < total) throw new Error(`it broke off at ${done} of ${total} bytes`);
    } finally {
      await handle.close();
    }
  } finally {
    clearTimeout(limit);
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
