import { spawn } from "node:child_process";
import { join } from "node:path";
import { initRepository, TemporaryHeed } from "../../home/temporary-heed.ts";

const SYSTEMS = ["billing", "checkout", "search", "payments", "ledger", "auth", "catalog", "shipping"];
const TOPICS = "retries¦timeouts¦the cache¦migrations¦rate limits¦the schema¦logging¦alerts".split("¦");
const RULES = [
  [
    "git-push-force",
    "never use git push --force",
    "somebody's work was lost",
    "use --force-with-lease on your own branches",
  ],
  [
    "zod-query-params",
    "validate every query parameter with a zod schema",
    "an unchecked limit took the database down",
    "in each new route",
  ],
] as const;
const DAY_MS = 86_400_000;

const GIT = ["AUTHOR", "COMMITTER"].flatMap((who) => [
  [`GIT_${who}_NAME`, "Mara"],
  [`GIT_${who}_EMAIL`, "mara@example.org"],
]);

/** A home with a repository and a store of many memories, and heed's own page over it. */
export class PageHome extends TemporaryHeed {
  #server: ReturnType<typeof spawn> | undefined;

  constructor() {
    super({
      PATH: process.env["PATH"] ?? "",
      HEED_RECHECK_MS: "20000",
      ...(Object.fromEntries(GIT) as Record<string, string>),
    });
    this.project = join(this.folder, "shop-api");
    initRepository(this.project);
    // The page has the machine's clock.
    this.now = new Date().toISOString();
    this.commit({
      "src/limits.ts": "export const RETRY_LIMIT = 3;\n",
      "src/pagination.ts": "export const MAX_LIMIT = 100;\nexport function page() {}\n",
    });
  }

  /** Puts a memory into the user store, as a hand edit would. */
  lay(type: string, name: string, statement: string, body: string, metadata: readonly string[] = []): void {
    this.remember({ type, name, statement, body, metadata });
  }

  /** Facts and dashboards, made up, the same each time. */
  fill(count: number): void {
    for (let i = 0; i < count; i++) {
      const [system = "", topic = ""] = [SYSTEMS[i % 8], TOPICS[(i >> 3) % 8]];
      const created = new Date(Date.now() - ((i * 13) % 300) * DAY_MS).toISOString();
      const metadata = [`created: ${created}`, `tags: [${system}]`];
      const board = `dashboard ${i} of ${topic} in ${system}: https://grafana.example.com/d/${system}-${i}`;
      if (i % 10 === 0) this.lay("reference", `board-${i}`, board, `${board}.`, metadata);
      else {
        const statement = `${topic} of ${system} number ${i} is owned by Mara`;
        this.lay("project", `fact-${i}`, statement, `${statement}.\n\n- asked in *planning*`, metadata);
      }
    }
  }

  /** What a few days of work leave: rules, broken claims, sessions that were told something, things that wait. */
  async live(): Promise<void> {
    const person = { kind: "person" } as const;
    const { heed } = this;
    await heed.setup.init("user");
    for (const [name, statement, why, how] of RULES)
      await heed.memories.write({ type: "feedback", name, statement, reason: why, how }, person);
    const limit = {
      type: "project",
      name: "page-limit",
      statement: "the largest page is MAX_LIMIT in src/pagination.ts",
      body: "The largest page is `MAX_LIMIT = 100` in `src/pagination.ts`.",
      claims: ["path:src/pagination.ts"],
    };
    await heed.memories.write(limit, person);
    this.git("mv", "src/pagination.ts", "src/paging.ts");
    this.commit({}, "rename");
    for (const [session, prompts] of [
      ["s-7f3a", ["where is dashboard 10 of timeouts in search?", "who owns timeouts of checkout?"]],
      ["s-91bc", ["look at dashboard 30 of migrations in auth", "what is the largest page?"]],
    ] as const) {
      await this.start(session);
      for (const prompt of prompts) await this.prompt(prompt, session);
    }
    await this.event({ kind: "stop", session: "s-91bc", lastMessage: "The limit is in [heed:page-limit]." });
    for (const statement of [
      "The user prefers short answers without preamble",
      "The user knows PostgreSQL well and is new to Rust",
      "The user reviews pull requests in the morning",
    ])
      await heed.memories.write(
        { type: "user", statement },
        { kind: "model", client: "test", session: "s-91bc" },
      );
  }

  serve(): Promise<string> {
    const root = process.env["HEED_SOURCES"] ?? join(import.meta.dirname, "../../..");
    const child = spawn(
      process.execPath,
      ["--require", join(root, "scripts/at-a-terminal.cjs"), join(root, "plugin/dist/heed.cjs"), "ui"],
      { cwd: this.project, env: this.env, stdio: ["ignore", "pipe", "pipe"] },
    );
    this.#server = child;
    return new Promise((resolve, reject) => {
      let injected = "";
      const see = (data: Buffer): void => {
        injected += data.toString("utf8");
        const address = /http:\/\/127\.0\.0\.1:\d+\/#ticket=[\w-]+/.exec(injected)?.[0];
        if (address !== undefined) resolve(address);
      };
      child.stdout.on("data", see);
      child.stderr.on("data", see);
      child.on("exit", (code) => reject(new Error(`heed ui ended with ${code}: ${injected}`)));
    });
  }

  async stop(): Promise<void> {
    const server = this.#server;
    if (!server || (server.exitCode ?? server.signalCode) !== null) return;
    const ended = new Promise((resolve) => server.once("exit", resolve));
    server.kill();
    await ended;
  }

  override async remove(): Promise<void> {
    await this.stop();
    await super.remove();
  }
}
