/** What a run is told. `start` and `placebo` tell apart what is said, how, and at what length. */
export const ARMS = ["without", "with", "start", "placebo"] as const;
export type Arm = (typeof ARMS)[number];

/** Which arms of a task solved it; absent: the run gave no answer. */
export type TaskResults = Partial<Record<Arm, boolean>>;

/** Two arms over the tasks that both answered. */
interface Comparison {
  pair: string;
  /** Discordant pairs: solved by the first arm alone, by the second alone. */
  won: number;
  lost: number;
  /** Pairs with one result. */
  same: number;
  /** One-sided sign test of the larger of `won` and `lost`. */
  p: number;
}

/** What paired runs say of a memory, and why in one sentence. */
interface Verdict {
  verdict: "helps" | "harms" | "not enough evidence";
  why: string;
  comparisons: Comparison[];
}

/** The level of each one-sided test: 5:0, 7:1, 9:2, 10:3, 12:4 and 13:5 pass. */
const LEVEL = 0.05;

/** It helps when it beats both no memory and a placebo, and harms when no memory beats it. */
export function verdictOf(tasks: readonly TaskResults[]): Verdict {
  const none = compare(tasks, "with", "without");
  const placebo = compare(tasks, "with", "placebo");
  const others = (["start", "placebo"] as const).map((arm) => compare(tasks, arm, "without"));
  const comparisons = [none, placebo, ...others];
  const said = ({ pair, won, lost }: Comparison): string => `${pair} is ${won} : ${lost}`;
  if (none.p <= LEVEL && none.lost > none.won) return { verdict: "harms", why: said(none), comparisons };
  const [isBetter, isOwn] = [none, placebo].map(({ p, won, lost }) => p <= LEVEL && won > lost);
  if (isBetter && isOwn) return { verdict: "helps", why: `${said(none)}, ${said(placebo)}`, comparisons };
  const why = isBetter
    ? `it beats no memory, but not as long a text from elsewhere: ${said(placebo)}`
    : `${said(none)}; 5 : 0, 7 : 1, 9 : 2 or 10 : 3 is enough`;
  return { verdict: "not enough evidence", why, comparisons };
}

function compare(tasks: readonly TaskResults[], arm: Arm, other: Arm): Comparison {
  const pairs = tasks.filter((task) => task[arm] !== undefined && task[other] !== undefined);
  const won = pairs.filter((task) => task[arm] === true && task[other] === false).length;
  const lost = pairs.filter((task) => task[arm] === false && task[other] === true).length;
  const p = signTest(won + lost, Math.min(won, lost));
  return { pair: `${arm} : ${other}`, won, lost, same: pairs.length - won - lost, p };
}

/** The chance of at most `fewer` heads in `tosses` of a fair coin. */
export function signTest(tosses: number, fewer: number): number {
  let [ways, sum] = [1, 0];
  for (let heads = 0; heads <= fewer; heads++) {
    sum += ways;
    ways = (ways * (tosses - heads)) / (heads + 1);
  }
  return sum / 2 ** tosses;
}
