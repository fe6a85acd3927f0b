import { createRateLimits, type RateLimits } from '../accounts/rate-limits.ts';
import { createSharedRateLimits } from '../accounts/shared-rate-limits.ts';
import type { Parts } from './open-parts.ts';

/** Creates rate limits: of this process alone on the embedded database, shared by all processes on PostgreSQL. */
export function rateLimitsOver({ clock, database }: Pick<Parts, 'clock' | 'database'>): RateLimits {
  const now = () => clock.now();
  const local = createRateLimits({ now });
  return database.kind === 'sqlite' ? local : createSharedRateLimits({ local, database, now });
}
