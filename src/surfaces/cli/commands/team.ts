import type { TeamChange, TeamReport } from "../../../heed.ts";
import { type CommandSpec, usageError } from "../arguments/command.ts";
import { type Text, bold, cyan, dim, doneLine, yellow } from "../output/text.ts";

const team: CommandSpec = {
  arguments: [
    { name: "ACTION", isOptional: true, words: ["admit", "dismiss", "migrate", "leave"] },
    { name: "WHOM", isOptional: true },
    { name: "AUDIENCE", isOptional: true },
  ],
  options: {
    url: { value: "URL", help: "of several servers, this one" },
    reader: { help: "with admit: may read and not write" },
  },
  details: [
    "Without ACTION: the servers that heed init --team joined, what is copied from each, and from when it is.",
    "",
    "heed team admit PERSON AUDIENCE     lets a database role see an audience, and makes it where there is none",
    "heed team dismiss PERSON AUDIENCE   takes it from them",
    "heed team migrate VERSION           brings the schema to a version, up or down; 0 removes it with all memories",
    "heed team leave                     forgets the server; the copies on this machine go",
    "",
    "An audience is team:NAME, repository:NAME (as github.com/acme/api) or person:NAME. See docs/guides/team-server.md.",
  ],
  examples: ["heed team", "heed team admit bob team:everyone"],
  json: '{"teams": [{"url", "person", "audiences", "trouble"}]}; ACTION {"done"}',
  async run({ args, out, open, actor }) {
    const [action, whom = "", audience = ""] = args.positionals;
    if (action === undefined) {
      const teams = await open().setup.teams();
      out.answer({ teams }, () => (teams.length === 0 ? [NONE] : teams.flatMap(teamLines)));
      return;
    }
    const done = await open().setup.changeTeam(changeOf(action, { whom, audience }, args), actor);
    out.answer({ done }, () => [doneLine(done)]);
  },
};

const NONE: Text = [
  "No team's server is joined. Join one: ",
  cyan("heed init --team postgres://PERSON@HOST/DATABASE"),
];

function changeOf(
  action: string,
  { whom, audience }: { whom: string; audience: string },
  args: { has(name: string): boolean; text(name: string): string | undefined },
): TeamChange {
  const url = args.text("url");
  const at = url === undefined ? {} : { url };
  if (action === "leave") return { kind: "leave", ...at };
  if (action === "migrate") {
    const version = Number(whom);
    if (whom === "" || !Number.isInteger(version) || version < 0)
      throw usageError(
        "heed team migrate takes the number of a version; 0 removes everything.",
        "WHOM",
        whom,
      );
    return { kind: "migrate", version, ...at };
  }
  if (action !== "admit" && action !== "dismiss")
    throw usageError("heed team takes admit, dismiss, migrate or leave.", "ACTION", action);
  if (whom === "" || audience === "")
    throw usageError(
      `heed team ${action} takes a person's database role and an audience.`,
      "AUDIENCE",
      audience,
    );
  const about = { person: whom, audience, ...at };
  return action === "admit"
    ? { kind: "admit", ...about, isReader: args.has("reader") }
    : { kind: "dismiss", ...about };
}

/** What is told of a server that is joined. */
export function teamLines({ url, person, audiences, trouble }: TeamReport): Text[] {
  return [
    [bold(url), person === undefined ? "" : dim(`  as ${person}`)],
    ...audiences.map(({ name, canWrite, asOf, isPartial }): Text => [
      `  ${name}${canWrite ? "" : " (read only)"}`,
      dim(
        `  as of ${asOf?.slice(0, 16) ?? "never"}Z${isPartial ? ", rules and what was used here copied" : ""}`,
      ),
    ]),
    ...(audiences.length === 0
      ? [
          `  You are in no audience yet: an administrator runs heed team admit ${person ?? "NAME"} team:everyone`,
        ]
      : []),
    ...trouble.map((line): Text => [yellow("  ! "), line]),
  ];
}

/** The commands of this file. */
export const commands: Readonly<Record<string, CommandSpec>> = { team };
