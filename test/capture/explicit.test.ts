import { describe, expect, test } from "vitest";
import type { ExplicitWords } from "../../src/capture/explicit/find-explicit.ts";
import { mayGiveReason } from "../../src/capture/explicit/reason-in.ts";
import { findExplicit } from "../../src/capture/explicit/find-explicit.ts";

/** What is kept, as `type: statement (reason)`. */
function kept(own: string): string[] {
  return findExplicit(own).map((found) =>
    found.kind === "keep"
      ? `${found.type}: ${found.statement}${found.reason === undefined ? "" : ` (${found.reason})`}`
      : `${found.kind}: ${found.kind === "forget" ? found.about : found.quote}`,
  );
}

describe("explicit words are kept as they were said", () => {
  test.each([
    [
      "Remember that the staging database is reset every Monday at 6am, so never keep test fixtures there",
      ["feedback: the staging database is reset every Monday at 6am, so never keep test fixtures there"],
    ],
    [
      "also remember that Jonas owns the warehouse schema, always ask him before any DDL",
      ["feedback: Jonas owns the warehouse schema, always ask him before any DDL"],
    ],
    [
      "remember that we never deploy on fridays, because nobody is there to roll back",
      [
        "feedback: we never deploy on fridays, because nobody is there to roll back (nobody is there to roll back)",
      ],
    ],
    ["Please remember that the warehouse runs on Snowflake.", ["project: the warehouse runs on Snowflake"]],
    ["remember that i'm new to postgres", ["user: i'm new to postgres"]],
    [
      "remember: the ticket board is https://linear.app/acme/board",
      ["reference: the ticket board is https://linear.app/acme/board"],
    ],
    [
      "Please use pnpm from now on, npm messes up our lockfile",
      ["feedback: Please use pnpm from now on, npm messes up our lockfile"],
    ],
    [
      "from now on:\n- use pnpm for everything\n- no default exports in here",
      ["feedback: use pnpm for everything", "feedback: no default exports in here"],
    ],
    // The reason is whole or absent: "of that" says nothing, and the next sentence is no reason by itself.
    [
      "always run the linter before you tell me you're done, CI rejected my last two PRs because of that",
      [
        "feedback: always run the linter before you tell me you're done, CI rejected my last two PRs because of that",
      ],
    ],
    [
      "stop using pandas in your snippets!! this repo is polars only. pandas pulled 400 MB into the image",
      ["feedback: stop using pandas in your snippets!! this repo is polars only."],
    ],
    [
      "no, don't use `any` there. we use a zod schema for every query param",
      ["feedback: don't use `any` there."],
    ],
    ["Remember we deploy only from main", ["project: we deploy only from main"]],
    [
      "update the changelog, remember to do this after each change",
      ["feedback: update the changelog, remember to do this after each change"],
    ],
    ["remember to tag the release on the wiki", ["feedback: tag the release on the wiki"]],
    [
      "don't forget to branch off main and not the current branch",
      ["feedback: branch off main and not the current branch"],
    ],
    ["never `git push --force` here", ["feedback: never `git push --force` here"]],
    ["**Never** touch the generated folder.", ["feedback: **Never** touch the generated folder."]],
    ["yes, commit it yourself, always", ["feedback: commit it yourself, always"]],
    ["we never use default exports", ["feedback: we never use default exports"]],
    ["make sure you never link it globally", ["feedback: make sure you never link it globally"]],
    ["don't add comments that repeat the code", ["feedback: don't add comments that repeat the code"]],
    ["do not push unless I say so", ["feedback: do not push unless I say so"]],
    ["Rule: no network calls in unit tests.", ["feedback: Rule: no network calls in unit tests."]],
    ["prefer composition over inheritance", ["feedback: prefer composition over inheritance"]],
    [
      "When you edit a customer remeber to edit the supplier",
      ["feedback: When you edit a customer remeber to edit the supplier"],
    ],
    ["btw remember i'm on a mac", ["user: i'm on a mac"]],
    ["save this to memory: the linter is oxlint", ["project: the linter is oxlint"]],
    ["We use tabs, never spaces. Make that a rule.", ["feedback: We use tabs, never spaces."]],
    [
      "The board is https://linear.app/acme. Remember this.",
      ["reference: The board is https://linear.app/acme."],
    ],
    [
      "they use the old helper (stop putting my comment back in) for other reasons",
      ["feedback: stop putting my comment back in"],
    ],
    [
      "Keep the spec updated as decisions are made.",
      ["feedback: Keep the spec updated as decisions are made."],
    ],
    [
      "Before taking any action, explain how you would solve it.",
      ["feedback: Before taking any action, explain how you would solve it."],
    ],
    [
      "whenever you touch the schema, run the migration check",
      ["feedback: whenever you touch the schema, run the migration check"],
    ],
    ["No SQL queries only AL code!", ["feedback: No SQL queries only AL code!"]],
    ["in this repo we never use default exports", ["feedback: in this repo we never use default exports"]],
    ["use polars, not pandas", ["feedback: use polars, not pandas"]],
    [
      "never force-push to main. because: it lost a day of Ana's work",
      ["feedback: never force-push to main. (it lost a day of Ana's work)"],
    ],
  ])("%j", (own, expected) => {
    expect(kept(own)).toEqual(expected);
  });

  test.each([
    ["from now on use pnpm, not npm - the lockfile is pnpm's", true],
    ["no, never edit generated files in src/gen by hand, they get overwritten", true],
    ["Please use pnpm from now on, npm messes up our lockfile", true],
    ["never deploy on Fridays. Nobody is there then.", true],
    ["From now on never deploy on Fridays", false],
    ["no, never deploy on Fridays!", false],
    ["use tabs, not spaces, in here", false],
  ])("%j may give its reason: %s", (own, may) => {
    expect(mayGiveReason(own)).toBe(may);
  });

  test("the quote is the whole turn where it is short, and the sentence where it is long", () => {
    const own = "stop using pandas here!! it pulled 400 MB into the image";
    expect(findExplicit(own)).toMatchObject([{ quote: own }]);
    const long = `${"So I looked at the build. ".repeat(15)}Always build with --frozen-lockfile here.`;
    expect(findExplicit(long)).toMatchObject([{ quote: "Always build with --frozen-lockfile here." }]);
  });

  test.each([
    ["forget that, we do deploy on fridays now", "forget-that"],
    ["no, forget it", "forget-that"],
    ["don't remember that please", "forget-that"],
    ["no, undo that", "forget-that"],
    ["No. Scratch that rule.", "forget-that"],
    ["take that back, we do deploy on fridays", "forget-that"],
    ["please delete that last rule", "forget-that"],
    ["forget what I just said", "forget-that"],
    ["Nein, vergiss das wieder.", "forget-that"],
    ["mach das rückgängig", "forget-that"],
    ["streich die Regel, wir deployen doch freitags", "forget-that"],
    ["non, oublie ça", "forget-that"],
    ["annule cette règle", "forget-that"],
    ["no, olvídalo", "forget-that"],
    ["borra esa regla", "forget-that"],
    ["forget that we never deploy on fridays", "forget"],
    ["scratch that rule about fridays", "forget"],
    ["actually forget the french thing", "forget"],
    ["drop the friday rule", "forget"],
    ["please forget what i said about the staging database", "forget"],
  ])("%j takes back: %s", (own, kind) => {
    expect(findExplicit(own).map((found: ExplicitWords) => found.kind)).toEqual([kind]);
  });
});

/** The same classes in other languages. */
test.each([
  ["ab jetzt bitte immer pnpm verwenden", "feedback"],
  ["In Zukunft bitte keine Emojis in Commits", "feedback"],
  ["Committe nie ohne Tests", "feedback"],
  ["Schreib keine Kommentare mehr in den Code", "feedback"],
  ["Hör auf, Kommentare in den Code zu schreiben", "feedback"],
  ["Benutze zod statt yup", "feedback"],
  ["Merk dir, dass Jonas das Warehouse-Schema besitzt", "project"],
  ["désormais, utilise pnpm", "feedback"],
  ["Ne pousse jamais sur main", "feedback"],
  ["Lance toujours les tests avant de committer", "feedback"],
  ["Arrête d'ajouter des commentaires", "feedback"],
  ["Retiens que Jonas possède le schéma", "project"],
  ["A partir de ahora usa pnpm", "feedback"],
  ["nunca hagas push a main", "feedback"],
  ["usa siempre pnpm", "feedback"],
  ["deja de añadir comentarios", "feedback"],
  ["recuerda que Jonas es dueño del esquema", "project"],
])("%j is kept (%s)", (own, type) => {
  expect(findExplicit(own)).toMatchObject([{ kind: "keep", type }]);
});

test.each([
  ["Verwende immer pnpm, weil npm das Lockfile zerlegt", "npm das Lockfile zerlegt"],
  ["Utilise pnpm plutôt que npm, parce que npm casse le lockfile", "npm casse le lockfile"],
  ["usa pnpm en lugar de npm, porque npm rompe el lockfile", "npm rompe el lockfile"],
])("the reason of %j", (own, reason) => {
  expect(findExplicit(own)).toMatchObject([{ reason }]);
});

test.each([
  "db:migrate says connect ECONNREFUSED again on my laptop wtf",
  "the build says ENOSPC again on my machine wtf",
  "perfect, exactly like that. keep doing it that way",
  "do you remember what we did with the parser?",
  "Don't fix this yet.",
  "Do not make changes yet.",
  "Don't add the package-lock, go ahead again",
  "stop that",
  "undo that change in parse.ts",
  "delete that and try again",
  "drop that column",
  "lösche die Regel aus dem Linter",
  "borra esa línea",
  "never do that again",
  "never mind",
  "I never saw that error",
  "always show the button in the header",
  "we should always show it",
  "don't forget to run the tests",
  "Keep in mind that the intended functionality is to roll back a change.",
  "can you always show me the diff?",
  "add a retry to the client and use a timeout",
  "always fails on CI",
  "always the same error",
  "the process dies, every time",
  "use the second option instead of the first",
  "don't push changes yet",
  "in the future we may add more types",
  "never worked for me",
  "the swatch should always be on top",
  "remember to do this after each change",
  "remember the bug from yesterday?",
  "also remember the docs/refactor.md file btw",
  "I prefer the second one",
  "write this for me so that I can send it",
  "no problem, only one test fails",
  "every time you run it, it crashes",
  "after each click, the parser hangs",
  "Das funktioniert nie",
  "Immer wenn ich starte, crasht es",
  "Es kommt immer noch der Fehler",
  "Erstmal nie pushen",
  "Ça ne marche jamais",
  "C'est toujours cassé",
  "Marche toujours pas",
  "siempre falla en CI",
  "esto nunca funciona",
  "casi siempre pasa",
])("nothing is kept of %j", (own) => {
  expect(kept(own)).toEqual([]);
});
