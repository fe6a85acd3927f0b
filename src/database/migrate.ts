import type { SchemaPlan } from '@darkroom-service/store';
import { INITIAL } from './migrations/initial.ts';
import { STEPS } from './migrations/steps.ts';

/** The schema version that this code requires. */
export const SCHEMA_VERSION = STEPS.at(-1)?.version ?? 0;

/** Returns the plan of the schema. @param added statements that create the tables of each addition */
export function planOf(added: readonly string[]): SchemaPlan {
  const advice = 'Start the checkout 2044bb8b on it once, then this one.';
  return { initial: INITIAL, steps: STEPS, oldest: { version: 76, advice }, added };
}
