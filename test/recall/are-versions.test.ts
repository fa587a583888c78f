import { describe, expect, it } from "vitest";
import { areVersions } from "../../src/recall/are-versions.ts";

describe("versions of one fact", () => {
  it.each([
    [
      "another value",
      "the mail gateway runs on the host osprey-7",
      "the mail gateway runs on the host kestrel-2",
    ],
    [
      "another value, and no word of a change",
      "find the mail gateway at the host osprey-7",
      "the mail gateway runs on the host kestrel-2",
    ],
    [
      "another value in other words",
      "moved the mail gateway over to osprey-7; the former host is switched off",
      "the mail gateway runs on the host kestrel-2",
    ],
    [
      "another owner",
      "Tomas Okafor took over the mail gateway and is who to ask for reviews",
      "the mail gateway is owned by Marta Lindqvist, who reviews its changes",
    ],
    [
      "the old value is named",
      "import components of the design system from the package @acme/primitives; ui-kit is deprecated",
      "the design system lives in the package @acme/ui-kit",
    ],
  ])("%s", (_name, later, earlier) => {
    expect(areVersions(later, earlier)).toBe(true);
  });

  it.each([
    [
      "another thing",
      "the tenant API now allows 500 requests a minute",
      "the partner API allows 100 requests a minute",
    ],
    ["another side", "the staging queue moved to jobs-b", "the production queue is jobs-a"],
    ["another part", "the mail gateway now has an admin port, 9443", "the mail gateway listens on port 8443"],
    [
      "another head",
      "hotfixes of the mail gateway now go to the branch hotfix-live",
      "releases of the mail gateway are cut from the branch release-next",
    ],
    [
      "another aspect",
      "retries of the mail gateway were raised to 5",
      "the mail gateway has a timeout of 800 ms",
    ],
    [
      "one value",
      "the mail gateway moved to the upper rack of hall four, still on host kestrel-2",
      "the mail gateway runs on the host kestrel-2 as root",
    ],
    ["too little", "Phase-3 model", "Phase-4 model"],
    ["nothing", "", ""],
  ])("are not: %s", (_name, later, earlier) => {
    expect(areVersions(later, earlier)).toBe(false);
  });
});
