/** YAML that neither the library nor a repair can read. */
export class BrokenYaml extends Error {
  /** 0-based line of the YAML. */
  readonly line: number;

  /** Where and why, in words: `line 3: …`. */
  get words(): string {
    return `line ${this.line + 1}: ${this.message.split("\n")[0]}`;
  }

  constructor(line: number, message: string) {
    super(message);
    this.name = "BrokenYaml";
    this.line = line;
  }
}
