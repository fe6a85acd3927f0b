import type { TestContext } from 'node:test';
import { FailedLives } from './failed-lives.ts';
import { live, type Stage } from './life.ts';
import { planOf } from './plan.ts';

/** As many as `npm run lives` gives each seed. */
const ORDERS = 50;

/**
 * Lives a seed.
 * @returns how many orders lived
 * @throws FailedLives with what a judge found; `npm run lives -- --seed <seed> --lives 50` tells its shortest story
 */
export async function keepsPromises(t: TestContext, stage: Stage, seed: number): Promise<number> {
  try {
    return (await live(stage, planOf(seed, ORDERS))).accepted;
  } catch (error) {
    if (error instanceof FailedLives) t.diagnostic(error.story.join('\n'));
    throw error;
  }
}
