import type { Client, FilePlan, Target } from "./entry/client.ts";

/**
 * What heed puts into a client's files: its own parts, and in the user's files the client's rules about heed's folders.
 * Undefined: the client has nothing per project.
 */
export async function plannedFiles(client: Client, target: Target): Promise<FilePlan[] | undefined> {
  const plans = await client.plan(target);
  if (plans === undefined || target.scope === "project") return plans;
  const rules = new Map(client.permissions?.(target).map((one) => [one.file, one.rules]));
  const own = plans.map((plan) => {
    const beside = rules.get(plan.file);
    rules.delete(plan.file);
    return beside === undefined ? plan : { ...plan, rules: beside };
  });
  return [...own, ...[...rules].map(([file, beside]) => ({ file, pieces: [], rules: beside }))];
}
