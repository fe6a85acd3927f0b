import { ServiceError } from '@darkroom-service/contract';
import { type Act, recordAct, recordChange } from '../accounts/audit.ts';
import type { Database, Session, Transaction } from '../database/database.ts';
import { engineOfQueue } from '../queue/queue-names.ts';
import { isCopy, REASONS, type ReleaseChoice, readInstallation, type Suspension, suspensionOf } from './suspension.ts';

/** Suspends the service: it sends no order and no webhook. Repeating it replaces the message. */
export async function suspendService(database: Database, by: Act, message: string | null): Promise<Suspension> {
  return await database.write('hold', async (trx) => {
    await by.binding?.within(trx, 'hold');
    const before = suspensionOf(await readInstallation(trx));
    const suspension: Suspension = { ...(before ?? { cause: 'operator', since: by.now }), message };
    await writeSuspension(trx, suspension);
    const change = {
      before: { held: before !== null, message: before?.message ?? null },
      after: { held: true, message },
    };
    await recordChange(trx, by, { act: 'service.hold', target: null, detail: { message }, ...change });
    return suspension;
  });
}

/**
 * Ends a suspension. A worker ends that of a copy, and first puts the open orders into reconciliation. Without a
 * suspension it changes nothing, so a repeated release leaves later orders alone.
 * @param choice null: as it was before
 * @returns the remaining suspension; null = none
 */
export async function releaseService(
  database: Database,
  by: Act,
  choice: ReleaseChoice | null,
  isSuspendedBySetting: boolean,
): Promise<Suspension | null> {
  return await database.write('release', async (trx) => {
    const suspension = suspensionOf(await readInstallation(trx));
    if (suspension === null && !isSuspendedBySetting) return null;
    if (choice === null && suspension !== null && isCopy(suspension))
      throw new ServiceError(
        'invalid_request',
        `${REASONS[suspension.cause]} Orders that were open then may have been sent since, so say how it goes on: as=successor if it takes the place of its original, as=copy if the original goes on too. Either puts these orders into reconciliation.`,
        { param: 'as' },
      );
    const after: Suspension | null =
      choice === null
        ? null
        : {
            message: suspension?.message ?? null,
            since: suspension?.since ?? by.now,
            // A release as a successor or as a copy states that the database is a copy.
            cause: suspension !== null && isCopy(suspension) ? suspension.cause : 'copied',
            release: choice,
          };
    await writeSuspension(trx, after);
    await recordAct(trx, by, { act: 'service.release', target: null, detail: { ...choice } });
    return after;
  });
}

/** Marks the database that a backup or a restore has made: its first start sends nothing. */
export async function markCopied(database: Database, now: number): Promise<void> {
  await database.write('hold', async (trx) => {
    // A database that no service of this version has started has no row yet; it gets one that is suspended.
    await trx.run(
      trx.builder
        .insertInto('installation')
        .values({
          row: 1,
          id: `ins_${now}`,
          owner: '',
          beat: 0,
          system_id: null,
          database_oid: null,
          held: null,
          prefix: null,
          sweep_stopped: null,
        })
        .onConflict((conflict) => conflict.column('row').doNothing()),
    );
    await writeSuspension(trx, { cause: 'copied', message: null, since: now });
  });
}

async function writeSuspension(trx: Transaction, suspension: Suspension | null): Promise<void> {
  const value = suspension === null ? null : JSON.stringify(suspension);
  await trx.run(trx.builder.updateTable('installation').set({ held: value }));
}

/** An order that was open when the database was copied. */
export interface OpenOrder {
  readonly task_id: string;
  readonly account_id: string;
  readonly model_id: string;
  readonly engine: string;
  readonly mode: 'live' | 'test';
  readonly step: string;
}

/** Lists the orders that were open when the database was copied, oldest first. */
export async function listOpenOrders(session: Session, since: number): Promise<OpenOrder[]> {
  const columns = ['id', 'account_id', 'model_id', 'queue', 'mode', 'step'] as const;
  const rows = await session.all(openOrdersOf(session, since).select(columns).orderBy('id'));
  return rows.map(({ id, queue, ...row }) => ({ task_id: id, engine: engineOfQueue(queue), ...row }));
}

/**
 * Selects the orders that were open when the database was copied. Those of a batch are dated like it, even if their
 * rows were written since.
 */
export function openOrdersOf({ builder }: Session, since: number) {
  return builder.selectFrom('tasks').where('step', '!=', 'final').where('created_at', '<=', since);
}
