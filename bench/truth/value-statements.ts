/** A statement about a value of `src/limits.ts`, and whether it says what must be (a norm) or what is (a fact). */
export interface ValueStatement {
  text: string;
  /** What the file says when it is written. */
  name: string;
  value: string;
  isNorm: boolean;
}

/** Says what must be. */
export const norm = (text: string, name: string, value: string): ValueStatement => ({
  text,
  name,
  value,
  isNorm: true,
});

/** Says what only is. */
export const fact = (text: string, name: string, value: string): ValueStatement => ({
  ...norm(text, name, value),
  isNorm: false,
});

/** Each names its value and `src/limits.ts`, as people write it: with or without a code span. */
export const VALUE_STATEMENTS: readonly ValueStatement[] = [
  norm(
    "RETRY_LIMIT must stay 3: the bank blocks us at four (`RETRY_LIMIT = 3` in `src/limits.ts`)",
    "RETRY_LIMIT",
    "3",
  ),
  norm("`MAX_WEIGHT_KG = 80` in `src/limits.ts` is a contract limit of DHL", "MAX_WEIGHT_KG", "80"),
  norm(
    "never raise POOL_SIZE above 20, the database allows no more (`POOL_SIZE = 20` in `src/limits.ts`)",
    "POOL_SIZE",
    "20",
  ),
  norm(
    "Ann froze API_VERSION at 4 until the audit is over (`API_VERSION = 4`, `src/limits.ts`)",
    "API_VERSION",
    "4",
  ),
  norm(
    "the carrier accepts at most 35 parcels a call: `BATCH_SIZE = 35` in `src/limits.ts`",
    "BATCH_SIZE",
    "35",
  ),
  norm("legal requires that ROUNDING_DIGITS is 2 (`src/limits.ts`)", "ROUNDING_DIGITS", "2"),
  norm(
    "the session has to end after 900 seconds by law: `SESSION_SECONDS = 900` in `src/limits.ts`",
    "SESSION_SECONDS",
    "900",
  ),
  norm("we promised the customers a TIMEOUT_MS of 800 in `src/limits.ts`", "TIMEOUT_MS", "800"),
  norm(
    "RETRY_LIMIT muss 3 bleiben, sonst sperrt uns die Bank (`RETRY_LIMIT = 3` in `src/limits.ts`)",
    "RETRY_LIMIT",
    "3",
  ),
  norm(
    "höchstens 35 Pakete je Aufruf, so der Vertrag: `BATCH_SIZE = 35` in `src/limits.ts`",
    "BATCH_SIZE",
    "35",
  ),
  norm("POOL_SIZE darf 20 nicht überschreiten (`POOL_SIZE = 20`, `src/limits.ts`)", "POOL_SIZE", "20"),
  norm("SESSION_SECONDS = 900 ist vorgeschrieben, siehe `src/limits.ts`", "SESSION_SECONDS", "900"),
  norm(
    "RETRY_LIMIT doit rester à 3, la banque bloque au quatrième (`RETRY_LIMIT = 3` dans `src/limits.ts`)",
    "RETRY_LIMIT",
    "3",
  ),
  norm("au plus 35 colis par appel : `BATCH_SIZE = 35` dans `src/limits.ts`", "BATCH_SIZE", "35"),
  norm("il faut que ROUNDING_DIGITS soit 2 (`ROUNDING_DIGITS = 2`, `src/limits.ts`)", "ROUNDING_DIGITS", "2"),
  norm("ne jamais dépasser `POOL_SIZE = 20` dans `src/limits.ts`", "POOL_SIZE", "20"),
  norm(
    "RETRY_LIMIT debe quedarse en 3, el banco bloquea al cuarto (`RETRY_LIMIT = 3` en `src/limits.ts`)",
    "RETRY_LIMIT",
    "3",
  ),
  norm("como máximo 35 paquetes por llamada: `BATCH_SIZE = 35` en `src/limits.ts`", "BATCH_SIZE", "35"),
  norm("el contrato fija como límite `MAX_WEIGHT_KG = 80` en `src/limits.ts`", "MAX_WEIGHT_KG", "80"),
  norm("nunca subir `POOL_SIZE = 20` en `src/limits.ts`", "POOL_SIZE", "20"),
  fact("the importer reads with `BATCH_SIZE = 35` from `src/limits.ts`", "BATCH_SIZE", "35"),
  fact("RETRY_LIMIT is 3 in `src/limits.ts`, picked by Jonas in a hurry", "RETRY_LIMIT", "3"),
  fact("timeouts come from `TIMEOUT_MS = 800` in `src/limits.ts`", "TIMEOUT_MS", "800"),
  fact("the zone factor is 1.1, see `src/limits.ts`", "ZONE_FACTOR", "1.1"),
  fact("the pool size of 20 was measured on the old host (`src/limits.ts`)", "POOL_SIZE", "20"),
  fact("der Import liest mit `BATCH_SIZE = 35` aus `src/limits.ts`", "BATCH_SIZE", "35"),
  fact("le client attend 800 ms : `TIMEOUT_MS = 800` dans `src/limits.ts`", "TIMEOUT_MS", "800"),
  fact("el cliente espera 800 ms: `TIMEOUT_MS = 800` en `src/limits.ts`", "TIMEOUT_MS", "800"),
];
