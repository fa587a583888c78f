import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { gitUserNames } from "../../src/git/user-names.ts";
import { isAboutUser, namesInStatements } from "../../src/memory/about-user.ts";
import { TemporaryHeed } from "../app/temporary-heed.ts";

describe("who is spoken of", () => {
  const names = ["Mara Lind"];
  test.each([
    "the user prefers squash merges",
    "Mara prefers squash merges",
    "Mara is not good at CSS and hates frontend work",
    "Mara likes vim keybindings",
    "Mara Lind is the backend lead",
    "Mara's favourite editor is vim",
    "decided: Mara doesn't like long reviews",
    "Mara isn't comfortable with Kubernetes",
    "Mara has ten years of experience in Go",
    "Mara works from Oslo",
    "Mara never wants emoji in commits",
    "Mara really dislikes meetings",
  ])("the user: %s", (text) => {
    expect(isAboutUser(text, names)).toBe(true);
  });

  test.each([
    "Jonas prefers squash merges",
    "Jonas is the backend lead",
    "Mara Jade is the designer of the shop",
    "Maras is the name of the staging cluster",
    "Jonas decided that Mara signs the release",
    "mara.internal is the database host",
    "ask Mara for the key of the vault",
    "users prefer dark mode",
    "when the user likes a post, the counter goes up",
    "the mara-sync job works at night",
  ])("somebody or something else: %s", (text) => {
    expect(isAboutUser(text, names)).toBe(false);
  });

  test("memories about the user tell what they are called", () => {
    expect(
      namesInStatements([
        "Mara is the backend lead",
        "prefers tabs",
        "The user knows Go",
        "Works in Oslo",
        "Ann Lee likes vim",
      ]),
    ).toEqual(["Mara", "Ann Lee"]);
  });

  test("git tells it too, by its files", () => {
    const heed = new TemporaryHeed();
    const home = join(heed.folder, "somebody");
    mkdirSync(home);
    writeFileSync(
      join(home, ".gitconfig"),
      '[core]\n\teditor = vim\n[user]\n\temail = a@b\n\tname = "Mara Lind" ; me\n[x]\n',
    );
    expect(gitUserNames({ HOME: home }, undefined)).toEqual(["Mara Lind"]);
    expect(gitUserNames({ HOME: join(home, "none") }, undefined)).toEqual([]);
  });
});
