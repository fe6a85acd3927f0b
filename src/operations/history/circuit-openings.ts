import { figureName } from '../../base/keyed-engine.ts';
import type { Database, Session } from '../../database/database.ts';
import { engineOfCircuit, type Opened } from '../../routing/circuit.ts';

/** Records that a circuit opened. All processes learn of it, and one row remains. */
export async function recordOpening(
  database: Database,
  { engine: circuit, opened_at: openedAt, fault }: Pick<Opened, 'engine' | 'opened_at' | 'fault'>,
): Promise<void> {
  await database.write('circuit_opening', (trx) =>
    trx.run(
      trx.builder
        .insertInto('circuit_openings')
        .values({ circuit, opened_at: openedAt, fault })
        .onConflict((conflict) => conflict.columns(['circuit', 'opened_at']).doNothing()),
    ),
  );
}

export interface Opening {
  readonly engine: string;
  readonly at: number;
  /** Whether the upstream asked for a pause or had too much to do. */
  readonly isRateLimit: boolean;
}

export async function readOpenings(session: Session, from: number, to: number): Promise<Opening[]> {
  const rows = await session.all(
    session.builder
      .selectFrom('circuit_openings')
      .selectAll()
      .where('opened_at', '>=', from)
      .where('opened_at', '<', to),
  );
  return rows.map(({ circuit, opened_at: at, fault }) => ({
    engine: figureName(engineOfCircuit(circuit)),
    at,
    isRateLimit: fault === 'rate_limited' || fault === 'busy',
  }));
}
