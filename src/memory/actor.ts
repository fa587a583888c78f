/**
 * Who acts. A person's word (a terminal, a hand edit) confirms what it says; a model's does not.
 * A command line run inside an agent's shell tool counts as `model`.
 */
export interface Actor {
  kind: "person" | "model" | "hook" | "import";
  /** Name of the client, for example `claude-code`. */
  client?: string;
  session?: string;
}
