import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Machine } from "./run-heed.ts";

const machine = new Machine();
const store = join(machine.home, "memory");
const MODEL = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "s1" };
const RULE = ["--reason", "a bypass shipped a broken migration", "--how", "fix what the hook says"];
beforeAll(async () => {
  machine.variables["HEED_DIR"] = store;
  await machine.start("git", ["init", "--quiet"], {});
  await machine.run("init");
  await machine.run(["write", "--type", "feedback", "never use --no-verify", "--name", "no-verify", ...RULE]);
  await machine.run(
    "write --type=reference --name=latency-board --tag=latency,oncall,grafana 'request latency dashboard: https://grafana.example.com/d/api-lat' --body='Panel 3 is p99 by region: https://grafana.example.com/d/api-lat'",
  );
});
afterAll(() => machine.remove());

describe("writing", () => {
  it("announces in one line, and answers with the card", async () => {
    const { exitCode, value } = await machine.json(
      "write --type=project --name=importer-freeze --expires=2031-03-05 'the invoice importer is frozen until 2031-03-05: auditors review it'",
    );
    expect(exitCode).toBe(0);
    expect(value).toMatchObject({
      outcome: "written",
      metadata: { name: "importer-freeze", type: "project", expires: "2031-03-05" },
      path: join(store, "project/importer-freeze.md"),
      warnings: [],
    });
    expect(Object.keys(value as object).sort()).toEqual([
      "announcement",
      "metadata",
      "outcome",
      "path",
      "warnings",
    ]);
  });

  it("takes a markdown memory from stdin and from a file; flags win", async () => {
    const text =
      "---\ndescription: staging runs in fra1\nmetadata: {type: reference, tags: [staging]}\n---\nhost stg.example.com\n";
    const file = join(machine.work, "memory.md");
    writeFileSync(file, text.replace("staging runs", "production runs"));
    const [piped, read] = [
      await machine.json("write -", { input: text }),
      await machine.json(["write", "--file", file, "--name", "prod"]),
    ];
    expect(piped.value).toMatchObject({
      outcome: "written",
      metadata: { name: "staging-runs-in-fra1", tags: ["staging"] },
    });
    expect(read.value).toMatchObject({
      outcome: "written",
      metadata: { name: "prod", statement: "production runs in fra1" },
    });
  });

  it("refuses with exit code 1, the gate and the remedy", async () => {
    const { exitCode, stdout, stderr } = await machine.run("write --type feedbak 'write tests first'");
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toContain(
      '✗ refused by the gate schema: there is no type "feedbak"\n  remedy:   use "feedback"',
    );
  });

  it("asks for the type with the choices", async () => {
    const { exitCode, stderr } = await machine.run("write something");
    expect(exitCode).toBe(2);
    expect(stderr).toContain("heed: --type is missing. It decides what happens to the memory");
  });

  it("tells of a broken text with its line and writes nothing", async () => {
    const { exitCode, stderr } = await machine.run("write -", { input: "---\nname: x\n" });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^standard input:1 error unclosed-front-matter: .+ → .+\n$/);
    expect((await machine.run("write -", { input: "" })).stderr).toBe(
      "standard input:1 error empty-file: it is empty → write the memory into it\n",
    );
  });

  it("changes by flags and by a text, shows the difference, and finds nothing to change the second time", async () => {
    const edit = "edit latency-board --tag latency,oncall,dashboards";
    const first = await machine.run(edit);
    expect(first.exitCode).toBe(0);
    expect(first.stdout).toContain("\n--- latency-board");
    expect(first.stdout).toContain("\n-  tags: [latency, oncall, grafana]\n");
    expect(first.stdout).toContain("\n+  tags: [latency, oncall, dashboards]\n");
    expect((await machine.json(edit)).value).toMatchObject({ outcome: "unchanged" });
    const file = join(store, "feedback/no-verify.md");
    const input = readFileSync(file, "utf8").replace("metadata:\n", "metadata:\n  mine: 1 # a note\n");
    const { value } = await machine.json("edit no-verify --file -", { input });
    expect(value).toMatchObject({ outcome: "amended" });
    expect(readFileSync(file, "utf8")).toContain("  mine: 1 # a note\n");
    expect((await machine.run("edit latency-board --name board")).exitCode).toBe(0);
    expect((await machine.run("edit board --name latency-board")).exitCode).toBe(0);
  });
});

describe("reading", () => {
  it("lists one memory a line in a pipe", async () => {
    const { stdout } = await machine.run("list --type feedback");
    expect(stdout).toBe("feedback\tno-verify\tnever use --no-verify\n");
  });

  it("says in a pipe what is stale, in a column of its own", async () => {
    const file = join(machine.work, "queue.ts");
    writeFileSync(file, "export const LIMIT = 3;\n");
    await machine.run([
      "write",
      "--type=project",
      "--name=queue",
      "the quokka queue was capped by legal in `queue.ts`, ask them before raising it",
    ]);
    const search = async (): Promise<string[]> =>
      (await machine.run("search quokka")).stdout.trimEnd().split("\t");
    expect(await search()).toHaveLength(4);
    rmSync(file);
    expect((await search())[4]).toMatch(/^stale: .*queue\.ts/);
  });

  it.each(["list", "search x"])("%s knows a mistyped type", async (line) => {
    const { exitCode, stderr } = await machine.run([...line.split(" "), "--type", "feedbak"]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Unknown type "feedbak". Did you mean feedback?');
  });

  it.each([
    [["show", "latncy-board"], "latency-board"],
    [["remove", "no-verfy"], "no-verify"],
    [["edit", "no-verfy", "--name", "x"], "no-verify"],
    [["edit", "latencyboard", "--tag", "x"], "latency-board"],
  ])("%j says whom it may have meant, with exit code 3", async (args, meant) => {
    const { exitCode, stderr } = await machine.run(args);
    expect(exitCode).toBe(3);
    expect(stderr).toContain(meant);
  });

  it("never sends control characters of a stored text to the terminal", async () => {
    const evil =
      '---\nname: evil\ndescription: "a\\e]0;owned\\a\\e[2Jb"\nmetadata: {type: reference}\n---\nx\u001b[31my\u009b2Jz\u202e\n';
    mkdirSync(join(store, "reference"), { recursive: true });
    writeFileSync(join(store, "reference/evil.md"), evil);
    const answers = await Promise.all(
      [
        ["list"],
        ["show", "evil"],
        ["show", "evil", "--raw"],
        ["search", "evil"],
        ["show", "evil", "--json"],
      ].map((args) => machine.run(args, { env: { FORCE_COLOR: "0" } })),
    );
    for (const { exitCode, stdout } of answers) {
      expect(exitCode).toBe(0);
      expect(stdout).toContain("evil");
      // oxlint-disable-next-line no-control-regex -- finding them is the point
      expect(stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
    }
    await machine.run("remove evil --reason test");
  });
});

describe("the user's word", () => {
  it("is not a model's to give: it needs the user's words, and the refusal says why", async () => {
    await machine.run("write --type user 'the user is a Go expert' --name go-expert", { env: MODEL });
    const refused = await machine.run("inbox confirm go-expert", { env: MODEL });
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain("(CLAUDECODE is set), so it counts as a model's.");
    // You are spoken to, not about.
    for (const line of ["show go-expert", "inbox confirm nothing", "help environment", "help write"]) {
      const { stdout, stderr } = await machine.run(line);
      expect(`${stdout}${stderr}`).not.toMatch(/the user(?:'s| has| did| runs)/);
    }
    const piped = await machine.run("inbox");
    expect(piped.stdout.split("\t").slice(0, 3)).toEqual(["user", "go-expert", "the user is a Go expert"]);
  });
});

describe.each([
  ["west", "Etc/GMT+12"],
  ["east", "Pacific/Kiritimati"],
])("an end where it is the day of the far %s", (side, zone) => {
  const env = { TZ: zone };
  const day = (offset: number): string =>
    new Intl.DateTimeFormat("sv-SE", { timeZone: zone }).format(Date.now() + offset * 86_400_000);
  const write = (name: string, ...given: string[]): Promise<unknown> =>
    machine.spawn(["write", "--type=project", `--name=${name}-${side}`, `${name} in ${zone}`, ...given], {
      env,
    });

  it("is past when that day is over", async () => {
    await write("ends-today", "--expires", day(0));
    await write("ended", "--expires", day(-1));
    await write("claims-today", "--claim", `until:${day(0)}`);
    const { stdout } = await machine.spawn("check health", { env });
    expect(stdout).toContain(`ended-${side}  expired on ${day(-1)}`);
    expect(stdout).not.toContain(`ends-today-${side}`);
    expect((await machine.spawn(`show claims-today-${side}`, { env })).stdout).not.toContain("it held until");
    const shown = JSON.parse(
      (await machine.spawn(`show claims-today-${side} --json`, { env })).stdout,
    ) as unknown;
    expect(shown).toMatchObject({ verdict: { standing: "fresh" } });
  });
});
