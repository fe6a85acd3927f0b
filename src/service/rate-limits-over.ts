import { createRateLimits, type RateLimits } from '../accounts/rate-limits.ts';
import { createSharedRateLimits } from '../accounts/shared-rate-limits.ts';
import type { Parts } from './open-parts.ts';

/** With the embedded database one process counts alone; with PostgreSQL the limits are shared. */
export function rateLimitsOver({ clock, database }: Pick<Parts, 'clock' | 'database'>): RateLimits {
  const now = () => clock.now();
  const local = createRateLimits({ now });
  return database.kind === 'sqlite' ? local : createSharedRateLimits({ local, database, now });
}
