import { describe, expect, test } from "vitest";
import { areLookAlikes, differenceOf, termsOfStatement, familiesOf } from "../../src/search/difference.ts";

const compare = (a: string, b: string): ReturnType<typeof differenceOf> =>
  differenceOf(termsOfStatement(a), termsOfStatement(b));

describe("look-alikes: the same topic of two things, whatever the words", () => {
  test.each([
    [
      "runbook of the auth service: https://wiki.acme.example/rb/auth",
      "runbook of the billing service: https://wiki.acme.example/rb/billing",
    ],
    [
      "runbook of the auth service: https://wiki.acme.example/rb/auth",
      "billing's runbook lives at https://wiki.acme.example/rb/billing",
    ],
    ["team calendar of payments", "team calendar of search"],
    ["Grafana board for orders: https://g.example/d/1", "Grafana board for carriers: https://g.example/d/2"],
    ["Postgres listens on port 5433 here", "Redis listens on port 6380 here"],
    ["DHL tariff table: sheet 4", "UPS tariff table: sheet 9"],
    ["Ana reviews changes of the schema", "Tom reviews changes of the importer"],
    ["Notfallplan für den Server Köln", "Notfallplan für den Server Bonn"],
  ])("%s | %s", (a, b) => {
    expect(areLookAlikes(compare(a, b))).toBe(true);
    expect(areLookAlikes(compare(b, a))).toBe(true);
  });
});

describe("no look-alikes", () => {
  test.each([
    [
      "carrier wiki: https://wiki.acme.example/carriers",
      "runbook of the auth service: https://wiki.acme.example/rb/auth",
    ],
    [
      "https://grafana.example.com/d/1 is the carrier board",
      "https://z.example.com/1 is the billing console",
    ],
    ["Alpha board: https://wiki.acme.example/alpha", "Beta notes: https://wiki.acme.example/beta"],
    ["surcharges are billed monthly, Jonas decided", "the staging database is reset every Monday"],
    ["the same statement twice", "the same statement twice"],
    ["runbook of the auth service", "runbook of the auth service in the wiki"],
    ["", ""],
  ])("%s | %s", (a, b) => expect(areLookAlikes(compare(a, b))).toBe(false));
});

test("what sets two apart is said in their own words", () => {
  const { shared, ofFirst, ofSecond } = compare(
    "RETRY_LIMIT of the Bank gateway is 3",
    "RETRY_LIMIT of the carrier gateways is 12",
  );
  expect([...shared.values()]).toEqual(["retry", "limit", "gateway"]);
  expect([...ofFirst.values()].sort()).toEqual(["3", "bank"]);
  expect([...ofSecond.values()].sort()).toEqual(["12", "carrier"]);
});

test("no chain of likenesses joins what is unlike to a family", () => {
  const families = familiesOf(
    [
      "red apple pie recipe of anna",
      "red apple pie recipe of berta",
      "red apple pie recipe of clara",
      "green bean soup recipe of clara",
    ],
    String,
  );
  expect(families.map(({ members }) => members.length)).toEqual([3]);
});
