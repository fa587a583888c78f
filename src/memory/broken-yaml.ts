/** YAML that neither the library nor a repair can read. */
export class BrokenYaml extends Error {
  /** 0-based line of the YAML. */
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.name = "BrokenYaml";
    this.line = line;
  }
}
