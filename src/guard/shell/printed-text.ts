/** What a command prints that only repeats its words or its input. */
export function printedBy(
  program: string,
  args: readonly string[],
  { input, cwd }: { input: string | undefined; cwd: string | undefined },
): string | undefined {
  if (program === "pwd") return cwd;
  if (program === ":" || program === "true") return "";
  if (program === "cat" && args.length === 0) return input;
  if (program === "cat" && args.every((one) => one === "/dev/null")) return "";
  if (program === "echo" && !/^-\w*e/.test(args[0] ?? "")) {
    const isBare = /^-n$/.test(args[0] ?? "");
    return args.slice(isBare ? 1 : 0).join(" ") + (isBare ? "" : "\n");
  }
  const [format = "", ...values] = args;
  if (program !== "printf" || /%[^sn]|\\[^n]/.test(format) || (format.match(/%/g)?.length ?? 0) > 1)
    return undefined;
  const lines = format.replaceAll("\\n", "\n");
  return lines.includes("%s") ? values.map((value) => lines.replace("%s", () => value)).join("") : lines;
}
