import type { RelevanceSet } from "./relevance-case.ts";

/** Who the user is: is relevant to a prompt that touches the subject. */
export const userSet: RelevanceSet = {
  store: [
    { type: "user", name: "go-veteran", description: "ten years of Go, new to TypeScript and React" },
    {
      type: "user",
      name: "no-statistics-background",
      description: "has no background in statistics: terms such as p-value need a sentence of explanation",
    },
    {
      type: "user",
      name: "terse-emails",
      description: "writes short emails: no greeting, no exclamation marks, signed with the first name",
    },
    {
      type: "user",
      name: "german-native-speaker",
      description: "native speaker of German; English texts for others should be proofread for false friends",
    },
    {
      type: "user",
      name: "prefers-sqlite",
      description: "prefers SQLite over a database server for anything that one person runs",
    },
    {
      type: "user",
      name: "likes-small-dependencies",
      description: "likes libraries with few dependencies, and rather writes fifty lines than adds one",
    },
    {
      type: "user",
      name: "colour-blind",
      description: "is red-green colour-blind: charts need shapes or labels, not colour alone",
    },
    {
      type: "user",
      name: "works-in-berlin",
      description: "works in Berlin (Europe/Berlin), Monday to Thursday",
    },
    {
      type: "user",
      name: "vim-keybindings",
      description: "uses vim keybindings everywhere, on a split ergonomic keyboard",
    },
    {
      type: "project",
      name: "invoice-importer-freeze",
      description: "the invoice importer is frozen while the auditors review it",
    },
    {
      type: "reference",
      name: "latency-board",
      description: "request latency dashboard: https://grafana.example.com/d/api-lat",
    },
    { type: "feedback", name: "no-force-push", description: "never force-push to a shared branch" },
  ],
  cases: [
    { prompt: "explain how React hooks keep their state", injected: ["go-veteran"] },
    { prompt: "explain what a conditional type is in TypeScript", injected: ["go-veteran"] },
    { prompt: "walk me through the event loop", injected: ["go-veteran"] },
    {
      prompt: "explain to me what the p-value of this A/B test says",
      injected: ["no-statistics-background"],
    },
    {
      prompt: "help me understand the statistics in this report, the p-value for example",
      injected: ["no-statistics-background"],
    },
    { prompt: "draft an email to the vendor about the outage", injected: ["terse-emails"] },
    { prompt: "write a reply to the customer who asks for a refund", injected: ["terse-emails"] },
    {
      prompt: "can you write an email to the team that the release slips by a week",
      injected: ["terse-emails"],
    },
    { prompt: "write a blog post about how we halved the build time", injected: ["german-native-speaker"] },
    { prompt: "proofread the English in my talk abstract", injected: ["german-native-speaker"] },
    {
      prompt: "which database should I use for the reading list app? only I will run it",
      injected: ["prefers-sqlite"],
    },
    { prompt: "recommend a database for the home inventory", injected: ["prefers-sqlite"] },
    {
      prompt: "should the bookmark server keep its data in Postgres or in SQLite",
      injected: ["prefers-sqlite"],
    },
    {
      prompt: "which one should I pick, commander or a hand-written parser? I care about dependencies",
      injected: ["likes-small-dependencies"],
    },
    {
      prompt: "recommend a library for retries with few dependencies",
      injected: ["likes-small-dependencies"],
    },
    { prompt: "plot the error rates as a chart with a colour for each service", injected: ["colour-blind"] },
    { prompt: "add a chart of failed and passed runs in red and green", injected: ["colour-blind"] },
    { prompt: "my editor plugin should work with vim keybindings", injected: ["vim-keybindings"] },
    { prompt: "schedule the report for nine in the morning Europe/Berlin", injected: ["works-in-berlin"] },
    { prompt: "rewrite this config loader in my usual style", injected: ["likes-small-dependencies"] },
    { prompt: "fix the failing test in src/sum.ts" },
    { prompt: "rename the variable x to total" },
    { prompt: "commit this and open a pull request" },
    { prompt: "ok go on" },
    { prompt: "the login button does nothing on Safari, find out why" },
    { prompt: "add a retry with backoff to the HTTP client" },
    { prompt: "update the changelog for 1.4.0" },
    { prompt: "why is the docker image so large" },
    { prompt: "split main.go into one file a command" },
    { prompt: "run the benchmarks again and compare with yesterday" },
    { prompt: "write a commit message for these changes" },
    { prompt: "TypeError: Cannot read properties of undefined (reading 'map') at render (src/list.tsx:41)" },
    { prompt: "delete the unused feature flags" },
    { prompt: "add pagination to the orders endpoint" },
    { prompt: "yes please, and bump the version" },
    { prompt: "merge main into this branch and resolve the conflicts" },
  ],
};
