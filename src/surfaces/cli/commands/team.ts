import type { TeamChange, TeamReport } from "../../../heed.ts";
import type { CommandSpec } from "../arguments/command.ts";
import { type Text, bold, cyan, dim, doneLine, yellow } from "../output/output.ts";

const team: CommandSpec = {
  arguments: [
    { name: "ACTION", isOptional: true, words: ["admit", "dismiss", "leave"] },
    { name: "WHOM", isOptional: true },
    { name: "AUDIENCE", isOptional: true },
  ],
  options: {
    url: { value: "URL", help: "which server, if you joined several" },
    reader: { help: "with admit: may only read" },
  },
  details: [
    "Without ACTION: the servers that heed init --team joined, what is copied from each, and from when it is.",
    "",
    "heed team admit PERSON AUDIENCE     lets a database role see an audience, and creates the audience if needed",
    "heed team dismiss PERSON AUDIENCE   revokes that",
    "heed team leave                     forgets the server; the copies on this machine go",
    "",
    "An audience is team:NAME, repository:NAME (as github.com/acme/api) or person:NAME. See docs/teams.md.",
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
    const kind = action as TeamChange["kind"];
    const change = { kind, person: whom, audience, url: args.text("url"), isReader: args.has("reader") };
    const done = await open().setup.changeTeam(change, actor);
    out.answer({ done }, () => [doneLine(done)]);
  },
};

const NONE: Text = [
  "No team's server is joined. Join one: ",
  cyan("heed init --team postgres://PERSON@HOST/DATABASE"),
];

/** What is told of a server that is joined. */
export function teamLines({ url, person, audiences, trouble }: TeamReport): Text[] {
  return [
    [bold(url), person === undefined ? "" : dim(`  as ${person}`)],
    ...audiences.map(({ name, canWrite, asOf }): Text => [
      `  ${name}${canWrite ? "" : " (read only)"}`,
      dim(`  as of ${asOf?.slice(0, 16) ?? "never"}Z`),
    ]),
    ...(audiences.length === 0
      ? [
          `  You are in no audience yet: an administrator runs heed team admit ${person ?? "NAME"} team:everyone`,
        ]
      : []),
    ...trouble.map((line): Text => [yellow("  ! "), line]),
  ];
}

export const commands: Readonly<Record<string, CommandSpec>> = { team };
