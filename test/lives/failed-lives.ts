import type { Plan } from './plan.ts';

/** The fault that a judge found, with the story that led to it. */
export class FailedLives extends Error {
  readonly plan: Plan;
  readonly story: readonly string[];

  constructor(plan: Plan, story: readonly string[], cause: unknown) {
    super(`seed ${plan.seed}: ${cause instanceof Error ? cause.message.split('\n')[0] : String(cause)}`, { cause });
    this.plan = plan;
    this.story = story;
  }
}
