import { expect, it } from "vitest";
import { evaluateGuards } from "../../src/guard/evaluate-guards.ts";
import { failedExamples } from "../../src/guard/examples.ts";
import { parseGuards } from "../../src/guard/parse-guards.ts";
import { guardSet } from "./guard-set.ts";

const DATA = { destroys: "data/**" };

it.each<[object, string[]]>([
  [
    {
      ...DATA,
      stops: ["rm -rf data", { tool: "mcp__fs__delete_file", path: "data/a" }],
      allows: ["ls data"],
    },
    [],
  ],
  [{ tool: "read_file", paths: "keys/**", stops: [{ tool: "read_file", path: "keys/a" }] }, []],
  [{ ...DATA, stops: ["ls data"] }, ['"ls data" under stops is not stopped']],
  [{ ...DATA, stops: ["rm -rf $X"] }, ['"rm -rf $X" under stops is not stopped']],
  [{ ...DATA, allows: ["rm -rf data", "rm -rf $X"] }, ['"rm -rf data" under allows is stopped']],
  [{ ...DATA, stops: [7] }, ["7 under stops is no call that can be tried"]],
  [{ rewrites: 1 }, []],
  [{ command: "git commit", branches: "main", allows: [{ command: "git commit", branch: "dev" }] }, []],
  [{ paths: "migrations/**", files: "existing", stops: ["rm migrations/1"] }, []],
  [
    {
      before: "git commit",
      needs: "npm test",
      stops: ["git commit"],
      allows: ["npm test && git commit"],
    },
    [],
  ],
  [{ when: "turn-end", needs: "npm test", stops: ["ls"] }, ['"ls" under stops is no call that can be tried']],
  [{ destroys: "$TMPDIR/x/**", stops: ["rm -rf /tmp/x"], allows: ["rm -rf /tmp/y"] }, []],
  [{ destroys: "${workspace}/data/**", stops: ["rm -rf data"] }, []],
  [{ destroys: "$HOME/.ssh/**", stops: ["rm -rf ~/.ssh", "rm -rf $HOME/.ssh"] }, []],
])("%j: %j", (guard, expected) => {
  expect(
    failedExamples(parseGuards(guard).guards).map(({ message }) => message.replace(/^guard 1: /, "")),
  ).toEqual(expected);
});

it("an exception may say $TMPDIR where the shell has one, and -- may be asked for", () => {
  const ask = (guard: object, command: string, variables?: Record<string, string>): string => {
    const call = { tool: "Bash", input: { command }, cwd: "/repo", roots: ["/repo"], home: "/home/u" };
    return evaluateGuards({ ...call, temp: "/var/tmp", ...(variables && { variables }) }, guardSet(guard))
      .action;
  };
  const rm = { command: "rm", flags: ["-rf"], unless: { paths: ["$TMPDIR/**"] } };
  expect(ask(rm, "rm -rf $TMPDIR/x", { TMPDIR: "/var/tmp" })).toBe("allow");
  expect(ask(rm, "rm -rf $TMPDIR/x /etc", { TMPDIR: "/var/tmp" })).toBe("deny");
  expect(ask(rm, "rm -rf $TMPDIR/x")).not.toBe("warn");
  const checkout = { command: "git checkout", flags: ["--"] };
  expect(ask(checkout, "git checkout -- src/a.ts")).toBe("deny");
  expect(ask(checkout, "git checkout main")).toBe("allow");
});
