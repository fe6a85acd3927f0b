import type { SchemaPlan } from '@darkroom-service/store';
import { BRIDGE } from './migrations/bridge.ts';
import { INITIAL } from './migrations/initial.ts';

/** The schema version that this code requires. */
export const SCHEMA_VERSION = BRIDGE.at(-1)?.version ?? 0;

/** Returns how the schema is made. @param added what creates the tables of each addition */
export function planOf(added: readonly string[]): SchemaPlan {
  const advice = 'Start the checkout b9a24459 on it once, then this one.';
  return { initial: INITIAL, steps: BRIDGE, oldest: { version: 52, advice }, added };
}
