import { FailedLives } from './failed-lives.ts';
import { type LivesOptions, live, type Stage } from './life.ts';
import { FAULTS, type Plan } from './plan.ts';

/** With fewer orders a seed tells another story: so many are tried. */
const SEEDS = 5;

/** Returns what a judge found without what differs from story to story. */
const kindOf = ({ message }: FailedLives): string => message.replace(/[a-z]{3}_\w+|\d+/g, '#').slice(0, 80);

/**
 * Makes a failing plan smaller as long as a judge finds the same in it.
 * @param options those that it failed with
 * @returns the last one that failed
 */
export async function shrink(stage: Stage, failed: FailedLives, options: LivesOptions = {}): Promise<FailedLives> {
  let smallest = failed;
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (const change of smallerThan(smallest.plan)) {
      const again = await failureOf(stage, { ...smallest.plan, ...change }, options);
      if (again === null || kindOf(again) !== kindOf(failed)) continue;
      smallest = again;
      isSmaller = true;
      break;
    }
  }
  return smallest;
}

function* smallerThan(plan: Plan): Generator<Partial<Plan>> {
  for (const orders of [Math.floor(plan.orders / 2), plan.orders - 1])
    for (let seed = plan.seed; orders > 0 && seed < plan.seed + SEEDS; seed++) yield { orders, seed };
  if (plan.processes > 2) yield { processes: plan.processes - 1 };
  for (const name of [...FAULTS, 'batch', 'deeds', 'cancels', 'deletions', 'concurrency', 'endUsers'] as const)
    if (plan[name] > 0) yield { [name]: 0 };
  for (const name of ['creditLimit', 'spendLimit', 'endUserLimit', 'untilNewMonthMs'] as const)
    if (plan[name] !== null) yield { [name]: null };
}

/** Lives a plan. @returns what a judge found in it; null = nothing */
export async function failureOf(stage: Stage, plan: Plan, options: LivesOptions = {}): Promise<FailedLives | null> {
  try {
    await live(stage, plan, options);
    return null;
  } catch (error) {
    if (error instanceof FailedLives) return error;
    throw error;
  }
}
