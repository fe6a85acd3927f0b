import { isoTime, type UpstreamBalanceView } from '@darkroom-service/contract';
import type { Session } from '@darkroom-service/darkroom/kernel';

/** Reads the balances of the operator's accounts at upstreams, by engine. */
export async function readBalances(session: Session): Promise<ReadonlyMap<string, UpstreamBalanceView>> {
  const rows = await session.all(
    session.builder
      .selectFrom('instances')
      .select(['engine', 'amount', 'unit', 'told_at', 'asked_at', 'error'])
      .where('asked_at', 'is not', null)
      .orderBy('engine')
      .$narrowType<{ asked_at: number }>(),
  );
  return new Map(
    rows.map(({ engine, amount, unit, told_at, asked_at, error }) => [
      engine,
      { amount, unit, told_at: isoTime(told_at), asked_at: isoTime(asked_at), error },
    ]),
  );
}
