import type { Selectable } from 'kysely';
import type { Database, Session, Transaction } from '../database/database.ts';
import { prepare } from '../database/prepared.ts';
import type { ValvesTable } from '../database/upstream-tables.ts';
import { engineOf, gravest, isOutage, lasts, modelOf, type Shut } from './valve.ts';

/** Time that a process may take for the order that tests an upstream. */
export const TRIAL_MS = 2 * 60_000;

/** A row of `valves`. */
export type ValveRow = Selectable<ValvesTable>;

const selectValves = prepare<object, ValveRow>('valves_list', (builder) =>
  builder.selectFrom('valves').selectAll().orderBy('subject').orderBy('kind'),
);

/** Reads all valves that are shut, and the states of slow beginnings. */
export async function listValves(session: Session): Promise<ValveRow[]> {
  return await session.all(selectValves, {});
}

/** Tells whether a row is a valve that blocks orders until its cause is gone, and not an operator's switch. */
export function isShut<Row extends ValveRow>(row: Row): row is Row & Shut {
  return row.kind !== 'switched_off' && row.kind !== 'slow_begin';
}

/** Returns the shut valve of each engine and each upstream model that is not free. */
export function shutSubjects(rows: readonly ValveRow[], now: number): Shut[] {
  return [...Map.groupBy(rows.filter(isShut), ({ subject }) => subject).values()].flatMap(
    (shut) => gravest(shut, now) ?? [],
  );
}

/** An engine or an upstream model that gets no orders because it fails. */
export interface UpstreamOutage extends Pick<Shut, 'subject' | 'kind' | 'fault' | 'message' | 'since'> {
  readonly engine: string;
  /** Whether it lasts until the operator does something. */
  readonly lasts: boolean;
}

/**
 * Lists the outages, with the gravest cause of each. Pauses and rate limits are normal operation, but those of one
 * model last until its daily quota begins anew.
 */
export async function listOutages(session: Session, now: number): Promise<UpstreamOutage[]> {
  return shutSubjects(await listValves(session), now)
    .filter((shut) => isOutage(shut) || modelOf(shut.subject) !== null)
    .map((shut) => ({ ...shut, engine: engineOf(shut.subject), lasts: lasts(shut) }));
}

/**
 * Shuts a valve.
 * @param before the last read time of the next trial: of several processes that report the same fault, one succeeds
 * @param gone kinds of the subject's rows that end with it
 * @returns whether it changed
 */
export async function writeShut(
  trx: Transaction,
  valve: Shut,
  { before, gone }: { readonly before: number; readonly gone: readonly ValveRow['kind'][] },
): Promise<boolean> {
  const { subject, kind, ...changes } = valve;
  const written = await trx.run(
    trx.builder
      .insertInto('valves')
      .values(valve)
      .onConflict((conflict) =>
        conflict
          .columns(['subject', 'kind'])
          .doUpdateSet({ ...changes, trial_until: null })
          .where('valves.retry_at', '=', before),
      ),
  );
  if (written > 0 && gone.length > 0)
    await trx.run(trx.builder.deleteFrom('valves').where('subject', '=', subject).where('kind', 'in', gone));
  return written > 0;
}

/** Reserves the order that tests an upstream among all processes. @returns whether the test was free */
export async function takeTrial(database: Database, { subject, kind }: Shut, now: number): Promise<boolean> {
  return await database.write('take_trial', async (trx) => {
    const taken = await trx.run(
      trx.builder
        .updateTable('valves')
        .set({ trial_until: now + TRIAL_MS })
        .where('subject', '=', subject)
        .where('kind', '=', kind)
        .where('retry_at', '<=', now)
        .where((expression) =>
          expression.or([expression('trial_until', 'is', null), expression('trial_until', '<=', now)]),
        ),
    );
    return taken > 0;
  });
}
