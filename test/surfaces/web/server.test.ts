import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { METHODS, type ShownFile, type ShownMemory } from "../../../src/heed.ts";
import { servedPage } from "./served-page.ts";

describe("who may speak to the server", () => {
  it("hands the key out once, for the newest ticket alone, within two minutes", async () => {
    const { post, newTicket, key } = await servedPage();
    const status = async (ticket: string): Promise<number> => (await post("enter", "[]", ticket)).status;
    const [older, newer] = [newTicket(), newTicket()];
    expect(newer).toMatch(/^[\w-]{43}$/);
    for (const [given, expected] of [
      [older, 401],
      [newer, 200],
      [newer, 401],
      ["", 401],
      [key, 401],
    ] as const)
      expect([given, await status(given)]).toEqual([given, expected]);
    expect(await (await post("enter", "[]", newTicket())).json()).toEqual({ answer: key });
    const late = newTicket();
    const now = performance.now.bind(performance);
    onTestFinished(() => void (performance.now = now));
    performance.now = () => now() + 121_000;
    expect(await status(late)).toBe(401);
  });

  it("ends requests that stop halfway, and answers others again", async () => {
    const { server, get } = await servedPage();
    const { port } = server;
    const halves = ["", "GET / HTT", `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`];
    const sockets = Array.from({ length: 120 }, (_, i) => {
      const socket = connect(port, "127.0.0.1", () => socket.write(halves[i % 3] ?? ""));
      return socket.on("error", () => {}).resume();
    });
    onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
    const startedAt = performance.now();
    while (!sockets.every((socket) => socket.destroyed)) await setTimeout(100);
    expect(performance.now() - startedAt).toBeLessThan(30_000);
    expect((await get("/"))[0]).toBe(200);
  });

  it("refuses another Host before anything else, on every path", async () => {
    const { get, server } = await servedPage();
    const { port } = server;
    const hosts = `evil.example evil.example:${port} 127.0.0.1 127.0.0.1:${port + 1} 127.0.0.1:${port}.evil.example user@127.0.0.1:${port} 0.0.0.0:${port} [::1]:${port}`;
    const paths = "/ /page.js /style.css /icon.svg /nothing /api/memories.summaries /api/enter".split(" ");
    for (const host of [...hosts.split(" "), `127.0.0.1:${port}, evil.example`, ""])
      for (const path of paths) {
        const [status] = await get(path, [`Host: ${host}`]);
        expect([host, path, status]).toEqual([host, path, 421]);
      }
  });

  it("refuses a request with two hosts, with none, and with one in its target", async () => {
    const { get, server } = await servedPage();
    const own = `127.0.0.1:${server.port}`;
    for (const headers of [[`Host: ${own}`, "Host: evil.example"], []])
      expect([421, 400, 0]).toContain((await get("/", headers))[0]);
    for (const target of [`http://evil.example/`, `http://${own}/`, "//evil.example/", "*"])
      expect([target, (await get(target))[0]]).toEqual([target, 400]);
  });

  it.each(["Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via"])(
    "does not answer through a proxy (%s)",
    async (header) => {
      const { get, server } = await servedPage();
      const [status] = await get("/", [`Host: 127.0.0.1:${server.port}`, `${header}: 1.1 proxy`]);
      expect(status).toBe(403);
    },
  );

  it("serves its four files, whatever tricks a path plays", async () => {
    const { get } = await servedPage();
    for (const path of ["/", "/?x=1"]) expect((await get(path))[1]).toContain("the file index.html");
    for (const path of (
      "/../package.json /%2e%2e/package.json /..%2f..%2fetc/passwd /x/../../etc/passwd " +
      "/page.js/../../heed.cjs /page.js%00.html /./index.html /.git/config /web/page.js /page.js/ " +
      "/PAGE.JS /%70age.js /constructor /__proto__"
    ).split(" "))
      expect([path, (await get(path))[0]]).toEqual([path, 404]);
    // What a path leads to when it is resolved is what counts: the interface stays closed on that way too.
    expect((await get("/x/../api/memories.summaries"))[0]).toBe(405);
  });

  it("answers only to the page's own requests", async () => {
    const { origin, key, memory } = await servedPage();
    const right = { "content-type": "application/json", origin, "x-heed-key": key };
    const model = { kind: "model", client: "test" } as const;
    const proposed = await memory.heed.memories.write({ type: "user", statement: "knows Go" }, model);
    const body = JSON.stringify(["name" in proposed ? proposed.name : "", "forged"]);
    const send = (headers: Record<string, string>, method = "POST"): Promise<Response> =>
      fetch(`${origin}/api/inbox.reject`, { method, headers, ...(method === "POST" && { body }) });
    const without = (name: string): Record<string, string> =>
      Object.fromEntries(Object.entries(right).filter(([header]) => header !== name));
    const refused: [string, Record<string, string>, number][] = [
      ["no Origin", without("origin"), 403],
      ["another Origin", { ...right, origin: "http://evil.example" }, 403],
      ["Origin null", { ...right, origin: "null" }, 403],
      ["Origin of another port", { ...right, origin: "http://127.0.0.1:1" }, 403],
      ["https", { ...right, origin: origin.replace("http", "https") }, 403],
      ["localhost for 127.0.0.1", { ...right, origin: origin.replace("127.0.0.1", "localhost") }, 403],
      ["text/plain", { ...right, "content-type": "text/plain" }, 415],
      ["a form", { ...right, "content-type": "application/x-www-form-urlencoded" }, 415],
      ["JSON in a disguise", { ...right, "content-type": "text/plain; application/json" }, 415],
      ["no key", without("x-heed-key"), 401],
      ["a wrong key", { ...right, "x-heed-key": "x".repeat(43) }, 401],
      ["what browsers mark as another site's", { ...right, "sec-fetch-site": "cross-site" }, 403],
    ];
    for (const [what, headers, status] of refused)
      expect([what, (await send(headers)).status]).toEqual([what, status]);
    for (const method of ["GET", "PUT", "DELETE", "OPTIONS", "PATCH"])
      expect([method, (await send(right, method)).status]).toEqual([method, 405]);
    expect(await memory.heed.inbox.list()).toHaveLength(1);
    expect((await send(right)).status).toBe(200);
    expect(await memory.heed.inbox.list()).toEqual([]);
  });

  it("says nothing to other origins, and holds the page to a strict policy, on every answer", async () => {
    const { origin } = await servedPage();
    for (const path of ["/", "/nothing", "/api/memories.summaries"]) {
      const { headers } = await fetch(`${origin}${path}`);
      expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
      expect(headers.get("content-security-policy")).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; " +
          "base-uri 'none'; frame-ancestors 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
      );
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("set-cookie")).toBeNull();
    }
  });

  it("ends by itself when nobody looks", async () => {
    const { server } = await servedPage({ idleMs: 300 });
    expect(await server.ended).toBe("idle");
    await expect(fetch(`http://127.0.0.1:${server.port}/`)).rejects.toThrow("fetch failed");
  });
});

describe("what the page may call", () => {
  it("calls what the table has, and nothing else; a refusal has its code", async () => {
    const { call } = await servedPage();
    expect(await call("memories.overview")).toMatchObject({ answer: { total: 0 } });
    const none =
      "setup.scrub setup.setMap memories.write guards.add close constructor __proto__ memories.constructor".split(
        " ",
      );
    for (const name of [...none, ""]) expect([name, (await call(name)).status]).toEqual([name, 404]);
    expect(await call("memories.show", "nothing")).toMatchObject({
      status: 422,
      error: { code: "not-found" },
    });
    expect(await call("memories.show", 7)).toMatchObject({ error: { code: "invalid-input" } });
  });

  it("takes no other actor from the page than who started it", async () => {
    const actor = { kind: "model", client: "test" } as const;
    const { call, memory } = await servedPage({ actor });
    const proposed = await memory.heed.memories.write({ type: "user", statement: "knows Go" }, actor);
    const name = "name" in proposed ? proposed.name : "";
    const confirmed = await call("inbox.confirm", name, {}, { kind: "person" });
    expect(confirmed).toMatchObject({ error: { code: "gate-refused" } });
    expect(await call("setup.trust", { token: "x" })).toMatchObject({ error: { code: "gate-refused" } });
  });

  it("sends no secret", async () => {
    const { call, memory } = await servedPage();
    const secret = ["AKIA", "QYLPMN5HHHFPZAM2"].join("");
    memory.remember({ type: "project", name: "m", statement: `the key is ${secret}` });
    const rows = (await call("memories.summaries", {})).answer as unknown[];
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  it("says who proposed what and by which words, what a call was, and errors first", async () => {
    const { call, memory } = await servedPage();
    const agent = { kind: "model", client: "claude-code", session: "s1" } as const;
    await memory.heed.memories.write({ type: "user", statement: "knows Go" }, agent);
    await memory.heed.memories.write({ type: "user", statement: "knows Rust" }, { kind: "model" });
    const items = (await call("inbox.list")).answer as Record<string, string>[];
    expect(items.map(({ by }) => by)).toEqual(["claude-code, session s1", "model"]);
    for (const { reason, announcement = "" } of items)
      expect(`${reason} ${announcement}`).not.toContain("the user");
    const person = { kind: "person" } as const;
    await memory.heed.memories.write({ type: "feedback", name: "no-push", statement: "never push" }, person);
    await memory.heed.guards.add("no-push", { guard: { command: "git push" } }, person);
    await memory.event({ kind: "session-start", source: "startup" });
    for (const [tool, input] of [
      ["Bash", { command: "git push origin main" }],
      ["Bash", { command: "echo x && git push" }],
    ] as const)
      await memory.event({ kind: "tool-use", tool, input });
    const abouts = async (): Promise<string[]> =>
      ((await call("session.receipts", {})).answer as { about: string; kind: string }[])
        .filter(({ kind }) => kind === "tool-use")
        .map(({ about }) => about);
    // A receipt is written beside the answer.
    await expect.poll(abouts).toEqual(["echo x && git push", "git push origin main"]);
    writeFileSync(join(memory.userStore, "bad.md"), "---\nname: [\n---\nx\n");
    const { sections } = (await call("maintenance.health")).answer as { sections: { isWrong: boolean }[] };
    const order = sections.map(({ isWrong }) => isWrong);
    expect(order).toEqual(order.toSorted((a, b) => Number(b) - Number(a)));
  });

  it("leaves neither key nor ticket in a file", async () => {
    const { call, key, memory, newTicket } = await servedPage();
    const ticket = newTicket();
    await call("memories.show", "nothing");
    await call(`memories.show?x=${key}`, "nothing");
    const draft = { type: "reference", statement: "the board: https://a.example/b" };
    await memory.heed.memories.write(draft, { kind: "person" });
    const files = readdirSync(memory.folder, { recursive: true, withFileTypes: true }).filter((one) =>
      one.isFile(),
    );
    expect(files.length).toBeGreaterThan(3);
    for (const file of files) {
      const text = readFileSync(join(file.parentPath, file.name), "latin1");
      expect([file.name, text.includes(key), text.includes(ticket)]).toEqual([file.name, false, false]);
    }
  });

  it("changes nothing that was changed since it was shown", async () => {
    const { call, memory } = await servedPage();
    memory.remember({ type: "reference", name: "board", statement: "the board: https://a.example/b" });
    const { metadata } = (await call("memories.show", "board")).answer as ShownMemory;
    const { text } = (await call("memories.showFile", "board")).answer as ShownFile;
    const person = { kind: "person" } as const;
    await memory.heed.memories.update("board", { statement: "the board: https://a.example/c" }, person);
    const edited = { text: text.replace("example/b", "example/d"), ifHash: metadata.contentHash };
    for (const attempt of [
      call("memories.edit", "board", edited),
      call("memories.remove", "board", "gone", metadata.contentHash),
      call("memories.rename", "board", "other", metadata.contentHash),
      call("memories.remove", "board", "gone"),
    ])
      expect(await attempt).toMatchObject({ status: 422, error: { code: "changed-outside" } });
    expect((await memory.heed.memories.show("board")).metadata.statement).toContain("a.example/c");
  });

  it("lets the page call what it calls, and nothing else", () => {
    const page = join(import.meta.dirname, "../../../src/surfaces/web/page");
    const sources = readdirSync(page, { recursive: true, encoding: "utf8" }).filter((file) =>
      /\.tsx?$/.test(file),
    );
    const texts = sources.map((file) => readFileSync(join(page, file), "utf8")).join("\n");
    const called = [...texts.matchAll(/"(\w+\.\w+)"/g)].map(([, name = ""]) => name);
    const open = Object.entries(METHODS).flatMap(([name, { isForPage }]) => (isForPage ? name : []));
    expect([...new Set(called)].filter((name) => name in METHODS).sort()).toEqual(open.sort());
  });

  it("takes no body that is too long, or that is no list", async () => {
    const page = await servedPage();
    const post = (body: string): Promise<number> =>
      page.post("memories.summaries", body).then(
        ({ status }) => status,
        () => 400,
      );
    expect(await post("{}")).toBe(400);
    expect(await post("[")).toBe(400);
    const filled = (bytes: number): string => `${" ".repeat(bytes - 2)}[]`;
    expect(await post(filled(2 * 1024 * 1024))).toBe(200);
    expect(await post(filled(2 * 1024 * 1024 + 1))).toBe(400);
    expect(await post("[]")).toBe(200);
  });
});
