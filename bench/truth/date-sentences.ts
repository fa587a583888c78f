/** The day on which the sentences of the table are written: a Monday. */
export const WRITTEN_ON = "2026-03-02";

/** A sentence of a project memory, and what is to become of it. */
export interface DateSentence {
  text: string;
  /** The sentence as it is to be kept; absent: as it was written. */
  becomes?: string;
  /** The write is to ask, and the first date that it offers is this one; "" where nobody can tell a date. */
  asks?: string;
}

/** Kept as they are. */
export const kept = (...texts: readonly string[]): DateSentence[] => texts.map((text) => ({ text }));
/** Kept with the day in place of the words. */
export const becomes = (text: string, becomes: string): DateSentence => ({ text, becomes });
/** Asked about, with this date first. */
export const asks = (text: string, asks: string): DateSentence => ({ text, asks });

/** What was looked at while the rules were made. */
export const DATE_SENTENCES: readonly DateSentence[] = [
  // Certainly one day.
  becomes("the demo for the bank is tomorrow", "the demo for the bank is on 2026-03-03"),
  becomes("Tomorrow the merge freeze begins", "On 2026-03-03 the merge freeze begins"),
  becomes("code freeze until tomorrow", "code freeze until 2026-03-03"),
  becomes("the audit starts the day after tomorrow", "the audit starts on 2026-03-04"),
  becomes(
    "yesterday the database was moved to Frankfurt",
    "on 2026-03-01 the database was moved to Frankfurt",
  ),
  becomes("the contract was signed the day before yesterday", "the contract was signed on 2026-02-28"),
  becomes("as of today the old gateway is off", "as of 2026-03-02 the old gateway is off"),
  becomes("der Freeze beginnt morgen", "der Freeze beginnt am 2026-03-03"),
  becomes("die Datenbank wurde gestern umgezogen", "die Datenbank wurde am 2026-03-01 umgezogen"),
  becomes("la démo pour la banque est demain", "la démo pour la banque est le 2026-03-03"),
  becomes("el corte de la rama es pasado mañana", "el corte de la rama es el 2026-03-04"),
  // A date is meant, and the writer gives it.
  asks("the merge freeze begins Thursday", "2026-03-05"),
  asks("the release goes out on friday", "2026-03-06"),
  asks("broken since Friday", "2026-02-27"),
  asks("the launch moved to next Thursday", "2026-03-12"),
  asks("shipped last Thursday", "2026-02-26"),
  asks("deadline is EOD", "2026-03-02"),
  asks("the budget is due by EOQ", "2026-03-31"),
  asks("code freeze until the end of the month", "2026-03-31"),
  asks("the audit is next week", "the week of 2026-03-09"),
  asks("the quota was halved last month", "2026-02"),
  asks("the vendor changed the API 3 weeks ago", "2026-02-09"),
  asks("the certificate has to be replaced in two weeks", "2026-03-16"),
  asks("the deadline is March 20th", "2026-03-20"),
  asks("agreed with legal on 12 February", "2026-02-12"),
  asks("the freeze lasts until April", "2026-04"),
  asks("the mobile release is planned for Q3", "Q3 2026"),
  asks("goes live next sprint", ""),
  asks("the old cluster was switched off today", "2026-03-02"),
  asks("die Abnahme ist am Freitag", "2026-03-06"),
  asks("der Umzug ist nächste Woche", "the week of 2026-03-09"),
  asks("la livraison est prévue pour vendredi", "2026-03-06"),
  asks("la migración empieza la próxima semana", "the week of 2026-03-09"),
  // Recurring days, names, titles, code, quotes: nobody's date.
  ...kept(
    "black friday discounts are capped at 30 percent",
    "the Black Friday load test ran at 3x",
    "the board meets on the first Monday of the quarter",
    "patch day is on the second Tuesday",
    "prices sync each Sunday; on Sunday imports are off",
    "Mr. Friday approves refunds",
    "Ms. May signs the invoices",
    "every Friday the caches are cleared",
    "Fridays are for maintenance",
    "support hours are Monday to Friday",
    "the job pings every Monday and Thursday at 9am",
    "no deploys on Friday afternoons, ever",
    "Tuesday Labs is our vendor for sensors",
    "the freeze begins on Thursday (2026-03-05)",
    "the contract was signed on May 5, 2026",
    "`tomorrow` is the name of the theme's CSS class",
    'the banner reads "Sale ends tomorrow"',
    "see https://example.org/news/tomorrow for the format",
    "each night the job imports yesterday's orders",
    "call next_week() for the range",
    "delete files older than 3 days",
    "the last three backups are kept",
    "the importer was written in two days",
    "use the next free port",
    "Samstags läuft kein Import",
    "der Bericht geht jeden Montag an den Vorstand",
    "hier liegt die Konfiguration der Waage",
    "am Morgen laufen die Exporte zuerst",
    "le lundi, les imports sont coupés",
    "los viernes no se despliega",
    "las copias se hacen por la mañana",
    "the rota is Erik on Monday, Mia on Tuesday",
  ),
];

/** Written in the same hour and not looked at while the rules were made. */
export const HELD_OUT_DATE_SENTENCES: readonly DateSentence[] = [
  becomes("the tax filing is due tomorrow", "the tax filing is due on 2026-03-03"),
  becomes(
    "Yesterday Jonas cancelled the contract with UPS",
    "On 2026-03-01 Jonas cancelled the contract with UPS",
  ),
  becomes("no releases until the day after tomorrow", "no releases until 2026-03-04"),
  becomes("gestern wurde der Vertrag gekündigt", "am 2026-03-01 wurde der Vertrag gekündigt"),
  becomes("die Wartung läuft bis morgen", "die Wartung läuft bis 2026-03-03"),
  becomes("la revisión es mañana", "la revisión es el 2026-03-03"),
  asks("the pen test starts on Wednesday", "2026-03-04"),
  asks("the office in Lyon closes this Friday", "2026-03-06"),
  asks("Ines is away until next Monday", "2026-03-09"),
  asks("the rollout was stopped on Tuesday", "2026-02-24"),
  asks("the trial licence ends in 10 days", "2026-03-12"),
  asks("two months ago the team dropped Kafka", "2026-01"),
  asks("the carrier contract ends this year", "2026"),
  asks("hand in the report by close of business", "2026-03-02"),
  asks("the review is on April 14", "2026-04-14"),
  asks("Ana has led the team since November", "2025-11"),
  asks("der Server wurde letzten Dienstag ersetzt", "2026-02-24"),
  asks("in drei Wochen endet die Lizenz", "2026-03-23"),
  asks("el contrato termina el jueves", "2026-03-05"),
  asks("la facture doit partir la semaine prochaine", "the week of 2026-03-09"),
  ...kept(
    "cyber monday traffic is four times that of a normal day",
    "Good Friday is a bank holiday in the UK office",
    "the retro takes place on the last Thursday of the month",
    "standup is at ten on Mondays and Wednesdays",
    "Dr. April owns the lab integration",
    "the Sunday Times feed is parsed by feeds/times.ts",
    "a Tuesday release is rolled out in stages",
    "invoices are sent on the 3rd Wednesday of each month",
    "the column `yesterday` holds the closing price",
    "the button says 'Remind me tomorrow'",
    "the digest, sent daily, lists what was merged yesterday",
    "retention is 30 days for logs and 7 for traces",
    "the newest of the last five builds is promoted",
    "the certificate is valid until 2027-01-31",
    "freitags gibt es keine Releases",
    "hier werden die Etiketten gedruckt",
    "tous les lundis, la base est sauvegardée",
    "cada lunes se rotan las claves",
    "an order placed on Saturday always ships on Monday",
    "the March hare is the mascot of the load test",
  ),
];
