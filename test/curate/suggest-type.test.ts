import { describe, expect, it, test } from "vitest";
import { contradictedType, namesPerson, suggestType } from "../../src/curate/suggest-type.ts";
import { hasPointer } from "../../src/memory/codec/type-needs.ts";
import { canonicalTag } from "../../src/curate/tag-root.ts";

describe("where a text belongs", () => {
  it.each([
    ["oncall dashboard: https://grafana.example.com/d/1", "reference"],
    ["the runbooks live in the Confluence space OPS", "reference"],
    ["never push on Fridays", "feedback"],
    ["use pnpm, npm breaks the lockfile", "feedback"],
    ["commit messages must be in English", "feedback"],
    ["toujours lancer les tests avant de pousser", "feedback"],
    ["the user prefers vim over VS Code", "user"],
    ["Jonas owns the warehouse schema", "project"],
    ["the release of 4.1 is on 2027-01-10", "project"],
  ])("%s: %s", (description, type) => {
    expect(suggestType({ description, body: "" }).type).toBe(type);
  });

  it.each([
    ["the release of 4.1 is on 2027-01-10", false],
    ["RETRY_LIMIT is 3 in src/limits.ts", false],
    ["the staging database is reset every Monday", false],
    ["new to Postgres, ten years of Java", true],
    ["prefers short answers", true],
    ["the user is colour-blind", true],
  ])("%s names a person: %s", (description, isPerson) => {
    expect(namesPerson({ description, body: "" })).toBe(isPerson);
  });
});

describe("what a person points with", () => {
  it.each([
    "Sentry project parcel-api-prod holds the production errors",
    "credentials are in 1Password vault 'Carriers', item DHL-SBX",
    "the Confluence page Parcel Events describes the events",
    "the customer team's slack channel #team-customers",
    "tariffs: Google sheet “Tariffs 2026”, tab UPS",
    "die Notfallnummern stehen auf der Seite Bereitschaft",
    "les accès sont dans le dossier Transporteurs",
  ])("%s", (text) => expect(hasPointer(text)).toBe(true));

  it.each([
    "it is somewhere",
    "ask around in the office",
    "the errors are collected",
    "there is a page about it",
  ])("is not: %s", (text) => expect(hasPointer(text)).toBe(false));
});

it.each([
  ["Deployments", "deployment"],
  ["unit-tests", "unit-test"],
  ["policies", "policy"],
  ["kubernetes", "kubernetes"],
  ["postgres", "postgres"],
  ["redis", "redis"],
  ["status", "status"],
  ["pandas", "pandas"],
  ["jenkins", "jenkins"],
  ["aws", "aws"],
  ["metrics", "metrics"],
  ["databases", "databases"],
])("the tag %s is first written as %s", (tag, canonical) => {
  expect(canonicalTag(tag)).toBe(canonical);
});

describe("a type that contradicts the text", () => {
  test.each([
    ["project", "never push to main on a Friday", "feedback"],
    ["project", "from now on use pnpm here", "feedback"],
    ["project", "niemals direkt auf main pushen", "feedback"],
    ["project", "ne jamais modifier le fichier de licence", "feedback"],
    ["project", "nunca usar floats para dinero", "feedback"],
    ["user", "always run the linter first", "feedback"],
    ["reference", "never trust the staging clock", "feedback"],
    ["project", "the error board: https://grafana.example.com/d/1", "reference"],
    ["feedback", "runbooks live at https://wiki.example.com/rb", "reference"],
    ["project", "the user prefers terse reviews", "user"],
    ["reference", "the user works at Acme", "user"],
  ])("%s: %s: %s", (type, description, expected) => {
    expect(contradictedType(type, { description, body: description })?.type).toBe(expected);
  });

  test.each([
    ["project", "the gateway never retries a POST"],
    ["project", "Always-on VPN is needed for the lab"],
    ["project", "the exporter must run before the report"],
    ["project", "Stop hooks run after each turn"],
    ["project", "Jonas prefers squash merges"],
    [
      "project",
      "the error board moved to https://grafana.example.com/d/1 after the outage of the old one. Ask Ines",
    ],
    ["feedback", "never push to main"],
    ["feedback", "use https://registry.example.com for npm packages"],
    ["feedback", "the user wants terse reviews"],
    ["reference", "never use the old board, it is at https://old.example.com"],
    ["solution", "never mind the warning, npm ci works"],
    ["user", "prefers tabs"],
  ])("%s fits: %s", (type, description) => {
    expect(contradictedType(type, { description, body: description })).toBeUndefined();
  });
});
