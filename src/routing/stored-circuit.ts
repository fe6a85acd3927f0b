import type { Database, Session } from '../database/database.ts';
import type { Opened, StoredCircuit } from './circuit.ts';

/** How long a process may take for the test order of a half-open circuit. */
export const TRIAL_MS = 2 * 60_000;

/** A row of `circuits`, with the number of submissions that may be open at once while orders begin slowly. */
export type CircuitRow = StoredCircuit & { readonly at_once: number | null };

export async function listStored(session: Session): Promise<CircuitRow[]> {
  return await session.all(
    session.builder
      .selectFrom('circuits')
      .select(['engine', 'kind', 'fault', 'call', 'message', 'openings', 'opened_at', 'retry_at', 'at_once'])
      .orderBy('engine'),
  );
}

/** Removes a circuit that is open. */
export function removeOpened({ builder }: Session, circuit: string) {
  return builder.deleteFrom('circuits').where('engine', '=', circuit).where('kind', '!=', 'slow_begin');
}

/** Reserves the test order of a half-open circuit among all processes. @returns whether it was free */
export async function takeTrial(database: Database, opened: Opened, now: number): Promise<boolean> {
  return await database.write('take_trial', async (trx) => {
    const taken = await trx.run(
      trx.builder
        .updateTable('circuits')
        .set({ trial_until: now + TRIAL_MS })
        .where('engine', '=', opened.engine)
        .where('retry_at', '=', opened.retry_at)
        .where((expression) =>
          expression.or([expression('trial_until', 'is', null), expression('trial_until', '<=', now)]),
        ),
    );
    return taken > 0;
  });
}
