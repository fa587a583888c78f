import type { IncomingMessage } from "node:http";
import { expect, it } from "vitest";
import { admitRequest } from "../../../src/surfaces/web/server/start-server.ts";
import { servedPage } from "./served-page.ts";

// Linux answers on all of 127.0.0.0/8 where a server listens on every address.
it.runIf(process.platform === "linux")("listens on 127.0.0.1 alone", async () => {
  const { server } = await servedPage();
  await expect(fetch(`http://127.0.0.2:${server.port}/`)).rejects.toThrow("fetch failed");
});

it.each([
  ["127.0.0.1", true],
  ["::1", true],
  ["::ffff:127.0.0.1", true],
  ["192.168.1.5", false],
  ["::ffff:10.0.0.1", false],
  [undefined, false],
])("answers whoever comes from %s: %s", (remoteAddress, isAdmitted) => {
  const headers = { host: "127.0.0.1:8080" };
  const request = { headers, rawHeaders: ["Host", headers.host], socket: { remoteAddress }, url: "/" };
  const admitted = (): boolean => {
    try {
      return admitRequest(request as unknown as IncomingMessage, 8080).path === "/";
    } catch {
      return false;
    }
  };
  expect(admitted()).toBe(isAdmitted);
});
