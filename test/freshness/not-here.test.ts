import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { type Heed, type ShownMemory, openHeed } from "../../src/heed.ts";
import { git as run, gitEnvironment } from "../machine/git-sandbox.ts";
import { temporaryFolder } from "../store/temporary-store.ts";

const PERSON = { kind: "person" } as const;
const FILES = {
  "api/a.ts": "export const A = 1;\n",
  "api/c.json": '{"key": 1}\n',
  "api/package.json": '{"scripts":{"lint":"x"},"dependencies":{"left-pad":"1"}}\n',
  "api/Makefile": "build:\n\tcc x.c\n",
};
const CLAIMS = (api: string): string[] => [
  `path:${api}/a.ts`,
  `path:${api}/a.ts::A=1`,
  `path:${api}/a.ts::A`,
  `path:${api}/a.ts::"A = 1"`,
  `config:${api}/c.json#key=1`,
  `script:${api}#lint`,
  `make:${api}#build`,
  `dep:${api}#left-pad`,
];

let env: Record<string, string>;
beforeEach(() => {
  env = gitEnvironment();
});
const git = (cwd: string, ...args: string[]): string =>
  run(cwd, env, "-c", "protocol.file.allow=always", ...args);

function commit(root: string, files: Readonly<Record<string, string | null>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    if (text === null) rmSync(join(root, path), { recursive: true });
    else writeFileSync(join(root, path), text);
  }
  git(root, "add", "-A");
  git(root, "commit", "-qm", "step");
}

/** A repository with a store and, unless it is to come from elsewhere, the folder that its memory is about. */
function origin(api: string, files: Readonly<Record<string, string>>): string {
  const root = temporaryFolder();
  git(root, "init", "-q", "-b", "main", ".");
  const memory = (body: string): string =>
    `---\nname: lim\ndescription: the limit A of the api is set in ${api}/a.ts\nmetadata:\n  type: project\n  claims: ${JSON.stringify(CLAIMS(api))}\n---\n${body}\n`;
  commit(root, { ".heed/config.yaml": "store: S1\n", "web/w.ts": "x\n", ...files });
  commit(root, { ".heed/project/lim.md": memory("See the api.") });
  commit(root, { ".heed/project/lim.md": memory("See the api, please.") });
  return root;
}

function clone(from: string, ...flags: string[]): string {
  const root = temporaryFolder();
  git(root, "clone", "-q", ...flags, `file://${from}`, ".");
  return root;
}

const sparse = (flags: string[], ...set: string[]): string => {
  const root = clone(origin("api", FILES), "--no-checkout", ...flags);
  git(root, "sparse-checkout", "set", ...set);
  git(root, "checkout", "-q", "main");
  return root;
};

function withSubmodule(inner: string): string {
  const root = origin(`${inner}/api`, {});
  git(root, "submodule", "-q", "add", `file://${origin("api", FILES)}`, inner);
  git(root, "commit", "-qm", "submodule");
  return root;
}

/** What the caller does with heed at a place, in a home of its own. */
async function at<T>(cwd: string, use: (heed: Heed) => Promise<T>): Promise<T> {
  const home = temporaryFolder();
  const places = Object.fromEntries(
    ["DIR", "STATE_DIR", "CACHE_DIR", "CONFIG_DIR"].map((name) => [`HEED_${name}`, join(home, name)]),
  );
  const heed = openHeed({ cwd, env: { ...env, ...places, HEED_RECHECK_MS: "60000" } });
  try {
    await heed.setup.init("user");
    return await use(heed);
  } finally {
    await heed.close();
  }
}

describe("what git has and has not checked out here is neither gone nor false", () => {
  test.each<[string, () => string, string?]>([
    ["by a cone", () => sparse([], "web", ".heed")],
    ["by patterns", () => sparse([], "--no-cone", "/*", "!/api/")],
    ["by a cone of a sparse index", () => sparse([], "--sparse-index", "web", ".heed")],
    ["in a partial clone", () => sparse(["--filter=blob:none"], "web", ".heed")],
    [
      "in a worktree with a cone of its own",
      () => {
        const tree = join(temporaryFolder(), "tree");
        const root = clone(origin("api", FILES));
        git(root, "worktree", "add", "-q", "--no-checkout", "-b", "other", tree);
        git(tree, "sparse-checkout", "set", "web", ".heed");
        git(tree, "checkout", "-q", "other");
        return tree;
      },
    ],
    ["in a submodule", () => clone(withSubmodule("vendor/lib")), "vendor/lib/api"],
    [
      "in a submodule of a submodule",
      () => {
        const root = clone(
          (() => {
            const outer = origin("mid/deep/api", {});
            git(outer, "submodule", "-q", "add", `file://${withSubmodule("deep")}`, "mid");
            git(outer, "commit", "-qm", "submodule");
            return outer;
          })(),
        );
        git(root, "submodule", "-q", "update", "--init", "mid");
        return root;
      },
      "mid/deep/api",
    ],
    [
      "on another branch than the default one",
      () => {
        const root = clone(origin("api", FILES));
        git(root, "switch", "-qc", "without");
        commit(root, { api: null });
        return root;
      },
    ],
    [
      "on a branch that was never merged",
      () => {
        const root = clone(origin("api", {}));
        git(root, "switch", "-qc", "with");
        commit(root, FILES);
        git(root, "switch", "-q", "main");
        return root;
      },
    ],
  ])("%s", async (_where, make, api = "api") => {
    const cwd = make();
    const about = CLAIMS(api);
    await at(cwd, async (heed) => {
      // What was found once is told the same again; on a busy machine git has no answer in time.
      const look = (): Promise<ShownMemory> => heed.memories.show("lim");
      const late = async (): Promise<boolean> => /did not end/.test(JSON.stringify((await look()).verdict));
      await expect.poll(late, { timeout: 60_000 }).toBe(false);
      const { verdict } = await look();
      expect(verdict?.standing).toBe("check");
      expect(verdict?.mark).not.toMatch(/missing/);
      expect(verdict?.claims.broken).toEqual([]);
      expect(verdict?.claims.unchecked.map(({ claim }) => claim)).toEqual(about);
      for (const { finding } of verdict?.claims.unchecked ?? [])
        expect(finding).toMatch(/not checked out here/);
      expect(JSON.stringify([verdict?.words, verdict?.recommendation])).not.toMatch(/gone|remove|missing/);
      const { sections } = await heed.maintenance.health();
      const findings = sections.flatMap((section) => section.findings ?? []);
      expect(findings.filter(({ subject }) => subject === "lim")).toEqual([]);
      for (const request of [{ base: "HEAD~1" }, { base: "HEAD~2" }, { isStaged: true }]) {
        const { findings } = await heed.maintenance.checkDiff(request, PERSON);
        // The step that takes them away makes the memory false.
        const isTaken = verdict?.words.includes("main has it") && !request.isStaged;
        expect(findings.map(({ claim }) => claim)).toEqual(isTaken ? about : []);
      }
      const draft = { type: "project", statement: "the limit of the api was agreed with Ann in May" };
      const written = await heed.memories.write({ ...draft, claims: about }, PERSON);
      expect(written).toMatchObject({
        warnings: about.map(() => expect.stringMatching(/not checked out here/) as string),
      });
      expect(await heed.maintenance.verify("lim", { note: "looked at it" }, PERSON)).toMatchObject({
        outcome: "refused",
        refusals: about.map(() => ({ gate: "verification" })),
      });
    });
  });
});

test("what a clone of one branch cannot know of is not offered for removal", async () => {
  const from = origin("api", {});
  git(from, "branch", "old");
  commit(from, FILES);
  await at(clone(from, "--single-branch", "--branch", "old"), async (heed) => {
    const { verdict } = await heed.memories.show("lim");
    expect(verdict?.words).toContain("is not here, and this clone has only a part of the history");
    expect(verdict?.standing).toBe("check");
    expect(JSON.stringify(await heed.maintenance.health())).not.toContain('"remove"');
  });
});

test("what is deleted in the work tree and not committed is said to be, and is not offered for removal", async () => {
  const cwd = clone(origin("api", FILES));
  for (const act of [() => rmSync(join(cwd, "api"), { recursive: true }), () => git(cwd, "add", "-A")]) {
    act();
    await at(cwd, async (heed) => {
      const { verdict } = await heed.memories.show("lim");
      expect(verdict).toMatchObject({ standing: "stale" });
      expect(verdict?.words).toContain("api/a.ts is deleted here, and that is not committed");
      const { sections } = await heed.maintenance.health();
      const [found] = sections.flatMap(({ findings }) => findings.filter(({ subject }) => subject === "lim"));
      expect(found?.remedies.map(({ command }) => command)).toEqual(["edit"]);
    });
  }
  git(cwd, "commit", "-qm", "gone");
  await at(cwd, async (heed) => {
    expect((await heed.memories.show("lim")).verdict?.words).toMatch(
      /^stale: everything it refers to is gone/,
    );
  });
});

test("a folder that is checked out later is looked at again", async () => {
  const cwd = sparse([], "web", ".heed");
  await at(cwd, async (heed) => {
    const standing = async (): Promise<string | undefined> =>
      (await heed.memories.show("lim")).verdict?.standing;
    expect(await standing()).toBe("check");
    git(cwd, "sparse-checkout", "set", "web", "api", ".heed");
    expect(await standing()).toBe("fresh");
    git(cwd, "rm", "-rq", "api");
    expect(await standing()).toBe("stale");
    // Deleted, and then put elsewhere before anything is committed.
    for (const [path, text] of Object.entries(FILES)) {
      mkdirSync(join(cwd, "moved"), { recursive: true });
      writeFileSync(join(cwd, path.replace("api", "moved")), text);
    }
    expect(await standing()).toBe("check");
    expect(readFileSync(join(cwd, "web/w.ts"), "utf8")).toBe("x\n");
  });
});

test.runIf(process.platform !== "win32")(
  "git is asked once, until the next commit, about what never was here",
  async () => {
    const cwd = clone(origin("api", {}));
    const bin = temporaryFolder();
    const asked = join(bin, "asked");
    writeFileSync(join(bin, "git"), `#!/bin/sh\necho "$*" >> "${asked}"\nPATH="\${PATH#*:}" exec git "$@"\n`);
    chmodSync(join(bin, "git"), 0o755);
    const look = async (): Promise<number> => {
      writeFileSync(asked, "");
      const heed = openHeed({ cwd, env: { ...env, PATH: `${bin}:${env["PATH"]}` } });
      await heed.memories.show("lim");
      await heed.close();
      return readFileSync(asked, "utf8").split("--reflog").length - 1;
    };
    expect(await look()).toBeGreaterThan(0);
    expect(await look()).toBe(0);
  },
);
