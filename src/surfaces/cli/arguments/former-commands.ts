/** A command line as it was written before commands were merged, as it is written now; any other as it is. */
export function currentWords(name: string, rest: readonly string[]): [name: string, ...rest: string[]] {
  const has = (flag: string): boolean => rest.includes(flag);
  const without = (...flags: readonly string[]): string[] => rest.filter((word) => !flags.includes(word));
  const confirmed = rest.map((word) => (word === "--apply" ? "--yes" : word));
  const setting = ["--writer", "--learn"].find(has);
  const isBare = rest[0]?.startsWith("-") ?? true;
  switch (name) {
    case "status":
      return ["doctor", "--quick", ...rest];
    case "mode":
      return ["config", setting?.slice(2) ?? "mode", ...without(setting ?? "")];
    case "map":
      return isBare ? ["why", "--map", ...without("--why")] : ["config", "map", ...rest];
    case "rules":
      return isBare ? ["list", "--rules", ...rest] : ["guard", "list", ...rest];
    case "log":
      return isBare ? ["undo", "--list", ...rest] : ["show", ...rest, ...(has("--diff") ? [] : ["--log"])];
    case "verify":
      if (has("--extract-claims")) return ["check", ...confirmed];
      return ["check", has("--repair") ? "--fix" : "--confirm", ...without("--repair")];
    case "tidy":
      return ["check", "--fix", ...confirmed];
    case "trust":
      return ["inbox", "trust", ...rest];
    case "rename": {
      const isName = (word: string, at: number): boolean => !word.startsWith("-") && rest[at - 1] !== "--cwd";
      const to = rest.findLastIndex(isName);
      return ["edit", ...rest.slice(0, to), "--name", ...rest.slice(to)];
    }
    default:
      return [name, ...rest];
  }
}
