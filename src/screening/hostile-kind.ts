/** What a text does that no memory has to. */
export type HostileKind = "instructions" | "role-tags" | "hidden-characters" | "encoded" | "exfiltration";

/** The words in which a kind is told to a person. */
export const HOSTILE_WORDS: Readonly<Record<HostileKind, string>> = {
  instructions: "it gives orders to a model against what it was told",
  "role-tags": "it imitates the tags or turns of heed or of a client",
  "hidden-characters": "it hides text in invisible or direction characters",
  encoded: "it holds encoded text that gives orders to a model",
  exfiltration: "it has data sent to somewhere else",
};
