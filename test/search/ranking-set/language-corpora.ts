import type { RankingCorpus } from "./ranking-corpus.ts";

/** Another form of the word than the note has. */
export const inflections: RankingCorpus = {
  notes: {
    "invoice-numbering": "Invoices are numbered by year and branch.",
    "deploy-approval": "Two engineers approve deployments to production.",
    "user-deletion": "Deleting a user anonymises their orders.",
    "caching-policy": "Responses that were cached carry an age.",
    "child-processes": "Child processes are killed with their parent.",
    "analysis-report": "The analyses are written to the report as they finish.",
    "index-rebuild": "Rebuilding indices takes an hour.",
    "retry-policy": "Failed jobs are retried twice.",
    "query-limits": "Queries over a thousand rows are refused.",
    "matrix-tests": "The test matrices cover three databases.",
  },
  wanted: [
    ["number of an invoice", "invoice-numbering"],
    ["who approved this deployment", "deploy-approval"],
    ["delete users", "user-deletion"],
    ["cache a response", "caching-policy"],
    ["kill a child process", "child-processes"],
    ["rebuild the index", "index-rebuild"],
    ["retrying a failing job", "retry-policy"],
    ["refuse a query", "query-limits"],
    ["testing databases", "matrix-tests"],
    ["writing an analysis", "analysis-report"],
    ["who wrote the reports", "analysis-report"],
    ["children of a process", "child-processes"],
    ["rebuilt indexes", "index-rebuild"],
    ["the jobs that fail", "retry-policy"],
  ],
};

/** Scripts without spaces, others than the Latin one, and marks over letters. */
export const scripts: RankingCorpus = {
  notes: {
    "東京-オフィス": "東京オフィスの鍵は受付で受け取る。",
    "支払い-期限": "請求書の支払い期限は月末です。",
    "数据库-迁移": "数据库迁移必须在部署之前运行。",
    "缓存-策略": "缓存一小时后失效，发布商品时清除。",
    "배포-일정": "배포는 화요일에만 한다.",
    "сервер-логов": "Логи сервера хранятся девяносто дней.",
    αντίγραφα: "Τα αντίγραφα ασφαλείας γίνονται κάθε βράδυ.",
    veroeffentlichung: "Veröffentlicht wird dienstags, nie am Freitag.",
    steuersatz: "Der Steuersatz richtet sich nach dem Land des Empfängers.",
    lieferadresse: "Lieferadressen werden beim Versand eingefroren.",
    "café-menu": "The menu of the café is printed on naïve paper.",
  },
  wanted: [
    ["東京オフィスの鍵", "東京-オフィス"],
    ["請求書はいつまでに払う 支払い期限", "支払い-期限"],
    ["什么时候运行数据库迁移", "数据库-迁移"],
    ["缓存什么时候失效", "缓存-策略"],
    ["배포는 언제", "배포-일정"],
    ["логи сервера", "сервер-логов"],
    ["αντιγραφα ασφαλειας", "αντίγραφα"],
    ["cafe menu", "café-menu"],
    ["veroeffentlichen am Dienstag", "veroeffentlichung"],
    ["STEUERSATZ nach Land", "steuersatz"],
    ["Lieferadresse nach dem Versand ändern", "lieferadresse"],
    ["オフィス", "東京-オフィス"],
    ["鍵", "東京-オフィス"],
    ["迁移", "数据库-迁移"],
    ["화요일 배포", "배포-일정"],
    ["сервер", "сервер-логов"],
    ["ＣＡＦＥ", "café-menu"],
  ],
};
