import { facts, type RelevanceSet } from "./relevance-case.ts";

/** Who the user is: is relevant to a prompt that touches the subject. */
export const userSet: RelevanceSet = {
  store: [
    ...facts("user", {
      "go-veteran": "ten years of Go, new to TypeScript and React",
      "no-statistics-background":
        "has no background in statistics: terms such as p-value need a sentence of explanation",
      "terse-emails": "writes short emails: no greeting, no exclamation marks, signed with the first name",
      "german-native-speaker":
        "native speaker of German; English texts for others should be proofread for false friends",
      "prefers-sqlite": "prefers SQLite over a database server for anything that one person runs",
      "likes-small-dependencies":
        "likes libraries with few dependencies, and rather writes fifty lines than adds one",
      "colour-blind": "is red-green colour-blind: charts need shapes or labels, not colour alone",
      "works-in-berlin": "works in Berlin (Europe/Berlin), Monday to Thursday",
      "vim-keybindings": "uses vim keybindings everywhere, on a split ergonomic keyboard",
    }),
    ...facts("project", {
      "invoice-importer-freeze": "the invoice importer is frozen while the auditors review it",
    }),
    ...facts("reference", {
      "latency-board": "request latency dashboard: https://grafana.example.com/d/api-lat",
    }),
    ...facts("feedback", { "no-force-push": "never force-push to a shared branch" }),
  ],
  wanted: [
    ["explain how React hooks keep their state", "go-veteran"],
    ["explain what a conditional type is in TypeScript", "go-veteran"],
    ["walk me through the event loop", "go-veteran"],
    ["explain to me what the p-value of this A/B test says", "no-statistics-background"],
    ["help me understand the statistics in this report, the p-value for example", "no-statistics-background"],
    ["draft an email to the vendor about the outage", "terse-emails"],
    ["write a reply to the customer who asks for a refund", "terse-emails"],
    ["can you write an email to the team that the release slips by a week", "terse-emails"],
    ["write a blog post about how we halved the build time", "german-native-speaker"],
    ["proofread the English in my talk abstract", "german-native-speaker"],
    ["which database should I use for the reading list app? only I will run it", "prefers-sqlite"],
    ["recommend a database for the home inventory", "prefers-sqlite"],
    ["should the bookmark server keep its data in Postgres or in SQLite", "prefers-sqlite"],
    [
      "which one should I pick, commander or a hand-written parser? I care about dependencies",
      "likes-small-dependencies",
    ],
    ["recommend a library for retries with few dependencies", "likes-small-dependencies"],
    ["plot the error rates as a chart with a colour for each service", "colour-blind"],
    ["add a chart of failed and passed runs in red and green", "colour-blind"],
    ["my editor plugin should work with vim keybindings", "vim-keybindings"],
    ["schedule the report for nine in the morning Europe/Berlin", "works-in-berlin"],
    ["rewrite this config loader in my usual style", "likes-small-dependencies"],
  ],
  silent: [
    "fix the failing test in src/sum.ts",
    "rename the variable x to total",
    "commit this and open a pull request",
    "ok go on",
    "the login button does nothing on Safari, find out why",
    "add a retry with backoff to the HTTP client",
    "update the changelog for 1.4.0",
    "why is the docker image so large",
    "split main.go into one file a command",
    "run the benchmarks again and compare with yesterday",
    "write a commit message for these changes",
    "TypeError: Cannot read properties of undefined (reading 'map') at render (src/list.tsx:41)",
    "delete the unused feature flags",
    "add pagination to the orders endpoint",
    "yes please, and bump the version",
    "merge main into this branch and resolve the conflicts",
  ],
};
