import type { RankingCorpus } from "./ranking-corpus.ts";

/** Notes in plain English about a team and its customers. */
export const prose: RankingCorpus = {
  notes: {
    "friday-releases": "We stopped releasing on Fridays after the weekend outage of the booking system.",
    "hotel-contract": "The contract with the hotel chain forbids to store passport scans longer than a day.",
    "support-hours": "Support answers from eight to eight; at night only outages are looked at.",
    "colour-choice": "The orange of the old brand failed the contrast test, so buttons are dark blue.",
    "interview-notes": "Travellers told us that they compare prices on the phone and book on the laptop.",
    "refund-policy": "Refunds above two hundred euros are approved by a person in finance.",
    "translation-vendor": "Texts go to the translation agency on Mondays and come back on Thursdays.",
    "loyalty-points": "Points expire after two years; customers are warned a month before.",
    "guest-checkout": "Guests may book without an account, since accounts cost us a fifth of the bookings.",
    "partner-airlines": "Two airlines send their seats once a day, the others answer at once.",
  },
  wanted: [
    ["may we ship on a Friday", "friday-releases"],
    ["how long can we keep scans of passports", "hotel-contract"],
    ["who approves a refund", "refund-policy"],
    ["why are the buttons blue", "colour-choice"],
    ["when do translations come back", "translation-vendor"],
    ["warn customers whose points expire", "loyalty-points"],
    ["do customers need an account to book", "guest-checkout"],
    ["which airlines are slow to send seats", "partner-airlines"],
    ["is anybody there at night", "support-hours"],
    ["on which device do travellers book", "interview-notes"],
    ["shipping before the weekend", "friday-releases"],
    ["money back", "refund-policy"],
    ["does the accessibility of our palette hold", "colour-choice"],
  ],
};

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

/** German: umlauts, inflection, compounds. */
export const german: RankingCorpus = {
  notes: {
    rechnungsnummern: "Rechnungsnummern sind fortlaufend und dürfen keine Lücken haben.",
    datenschutz: "Kundendaten bleiben auf Servern in Frankfurt, so will es der Vertrag.",
    veroeffentlichung: "Veröffentlicht wird dienstags, nie am Freitag.",
    zahlungsanbieter: "Der Zahlungsanbieter verlangt eine Antwort innerhalb von zehn Sekunden.",
    urlaubsvertretung: "Im August vertritt Jonas die Kollegen vom Vertrieb.",
    testumgebung: "Die Testumgebung wird jede Nacht neu aufgesetzt.",
    lieferadresse: "Lieferadressen werden beim Versand eingefroren.",
    steuersatz: "Der Steuersatz richtet sich nach dem Land des Empfängers.",
  },
  wanted: [
    ["Dürfen Rechnungsnummern Lücken haben?", "rechnungsnummern"],
    ["Wo liegen die Kundendaten?", "datenschutz"],
    ["An welchem Tag wird veröffentlicht", "veroeffentlichung"],
    ["Antwort an den Zahlungsanbieter", "zahlungsanbieter"],
    ["Wer vertritt den Vertrieb im August", "urlaubsvertretung"],
    ["Testumgebung neu aufsetzen", "testumgebung"],
    ["Lieferadresse nach dem Versand ändern", "lieferadresse"],
    ["STEUERSATZ nach Land", "steuersatz"],
    ["Lieferadressen", "lieferadresse"],
    ["Nummern der Rechnungen", "rechnungsnummern"],
    ["Daten unserer Kunden", "datenschutz"],
    ["Anbieter für Zahlungen", "zahlungsanbieter"],
    ["Umgebung für Tests", "testumgebung"],
    ["Satz der Steuer", "steuersatz"],
    ["veroeffentlichen am Dienstag", "veroeffentlichung"],
  ],
};

/** Scripts without spaces, and others than the Latin one. */
export const scripts: RankingCorpus = {
  notes: {
    "東京-オフィス": "東京オフィスの鍵は受付で受け取る。",
    "支払い-期限": "請求書の支払い期限は月末です。",
    "数据库-迁移": "数据库迁移必须在部署之前运行。",
    "缓存-策略": "缓存一小时后失效，发布商品时清除。",
    "배포-일정": "배포는 화요일에만 한다.",
    "сервер-логов": "Логи сервера хранятся девяносто дней.",
    αντίγραφα: "Τα αντίγραφα ασφαλείας γίνονται κάθε βράδυ.",
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
    ["オフィス", "東京-オフィス"],
    ["鍵", "東京-オフィス"],
    ["迁移", "数据库-迁移"],
    ["화요일 배포", "배포-일정"],
    ["сервер", "сервер-логов"],
    ["ＣＡＦＥ", "café-menu"],
  ],
};
