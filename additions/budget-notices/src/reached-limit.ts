import { type Micros, SPEND_WINDOWS, type SpendLimits, type SpendWindow, windowsIn } from '@darkroom-service/contract';
import { prepare, type Session } from '@darkroom-service/darkroom/kernel';
import type { LimitedKey } from './limited-keys.ts';

/** A spend limit of which a notable, unreported share is used. */
export interface ReachedLimit {
  readonly key: LimitedKey;
  /** End user of the key to whom the limit applies; null = the key's own limit. */
  readonly endUser: string | null;
  /** The id of the key, or the digest of the end user. */
  readonly subject: string;
  readonly window: SpendWindow;
  readonly period: string;
  readonly limit: Micros;
  readonly used: Micros;
  /** The highest share that is reached, in percent. */
  readonly share: number;
}

interface ToldArguments {
  subject: string;
  period: string;
  limit: number;
}

const selectTold = prepare<ToldArguments, { share: number | null }>('budget_told', (builder, argument) =>
  builder
    .selectFrom('budget_notices')
    .select(({ fn }) => fn.max<number | null>('share').as('share'))
    .where('subject', '=', argument('subject'))
    .where('period', '=', argument('period'))
    .where('spend_limit', '=', argument('limit')),
);

const SHARES = [100, 80, 50] as const;

/** Returns the name of the window that contains a time: `2026-11-20`, `2026-11` or `total`. */
export function periodOf(window: SpendWindow, time: number, zone: string): string {
  return window === 'total' ? window : windowsIn(zone, time).date.slice(0, window === 'day' ? 10 : 7);
}

/** Yields the limits of a subject of which an unreported share is reached. A share of nothing is not reported. */
export async function* reachedOf(
  read: Session,
  of: Pick<ReachedLimit, 'key' | 'endUser' | 'subject'>,
  {
    limits,
    zone,
    used: spent,
  }: {
    readonly limits: SpendLimits;
    /** Time zone of the limits' days and months. */
    readonly zone: string;
    readonly used: (window: SpendWindow) => Promise<Micros>;
  },
  now: number,
): AsyncGenerator<ReachedLimit> {
  for (const window of SPEND_WINDOWS) {
    const limit = limits[window];
    if (limit === null) continue;
    const used = await spent(window);
    const share = SHARES.find((percent) => used > 0 && used * 100 >= limit * percent);
    if (share === undefined) continue;
    const period = periodOf(window, now, zone);
    const told = await read.first(selectTold, { subject: of.subject, period, limit });
    if (share > (told?.share ?? 0)) yield { ...of, window, period, limit, used, share };
  }
}
