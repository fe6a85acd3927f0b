import { type Engine, idempotencyOf } from '@darkroom-service/engines';
import { sql } from 'kysely';
import type { Transaction } from '../database/database.ts';
import { prepareTaskCount } from '../database/prepared.ts';
import { IN_FLIGHT } from '../queue/in-flight.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { isShut } from './stored-valves.ts';
import { type Blame, isInForce } from './valve.ts';

/**
 * Orders that waited for an upstream begin slowly: one submission may be open, and one more for each that the upstream
 * accepted, over all processes. So an upstream that accepts orders and loses them gets one of them, not all that wait.
 * A row of `valves` of the kind `slow_begin` holds the number; the submissions are counted in `tasks`, so a process
 * that ends leaves nothing behind.
 */

type Slow = Pick<Engine, 'concurrency' | 'adapts' | 'idempotency' | 'repeatable'>;

/** Number of orders in a row that an upstream must accept to be trusted. */
const TRUSTED_AFTER = 32;
/** Time after which an open submission counts as hanging and no longer delays others. */
const COUNTS_FOR_MS = 2 * 60_000;

/** Tells whether the outcome of an interrupted submission of this route stays unknown. */
export function isUnrepeatable({ idempotency, repeatable }: Omit<Slow, 'concurrency'>, route: TaskRecord['route']) {
  return repeatable !== true && idempotencyOf(idempotency === undefined ? {} : { idempotency }, route) === 'none';
}

/**
 * Returns the number of orders that an engine must accept until it gets them at full speed again; 0 = it never begins
 * slowly.
 */
export function acceptedUntilTrusted(engine: Slow | undefined): number {
  if (engine === undefined || engine.repeatable === true) return 0;
  const { concurrency, adapts, idempotency = 'none' } = engine;
  if (typeof idempotency === 'string' && idempotency !== 'none') return 0;
  const most = Math.min(TRUSTED_AFTER, adapts?.ceiling ?? concurrency);
  return most > 1 ? most : 0;
}

/**
 * Tells whether a fault of one order is enough to shut the valve: the orders behind it would meet the fault too. An
 * upstream that is only busy has accepted nothing, and gets the order again at the time for which it asked.
 * @param maxOpen maximum number of open submissions; null = orders do not begin slowly
 */
export function endsSlowBegin({ call, fault }: Pick<Blame, 'call' | 'fault'>, maxOpen: number | null): boolean {
  if (maxOpen === null || call === 'check') return false;
  return fault !== 'busy' && fault !== 'rate_limited';
}

/** Lets orders begin slowly, unless they do so already. */
export async function insertSlowBegin(
  trx: Transaction,
  engine: string,
  { maxOpen, reason, now }: { readonly maxOpen: number; readonly reason: string; readonly now: number },
): Promise<void> {
  await trx.run(
    trx.builder
      .insertInto('valves')
      .values({ subject: engine, kind: 'slow_begin', since: now, message: reason, times: 1, at_once: maxOpen })
      .onConflict((conflict) => conflict.doNothing()),
  );
}

/** Reports an accepted order. @param trusted the number from which on the engine gets orders at full speed */
export async function countAccepted(trx: Transaction, engine: string, trusted: number): Promise<void> {
  const { builder } = trx;
  await trx.run(
    builder
      .updateTable('valves')
      .set({ at_once: sql<number>`at_once + 1` })
      .where('subject', '=', engine)
      .where('kind', '=', 'slow_begin'),
  );
  await trx.run(builder.deleteFrom('valves').where('subject', '=', engine).where('at_once', '>', trusted));
}

interface OpenSubmissions {
  queue: string;
  /** Id of this order, which is not counted: it may be a retry of an unconfirmed write. */
  id: string;
  since: number;
  most: number;
}

const countSubmitting = prepareTaskCount<OpenSubmissions>('slow_begin_open', (builder, argument) =>
  builder
    .selectFrom('tasks')
    .select('id')
    .where('queue', '=', argument('queue'))
    .where(IN_FLIGHT)
    .where('step', '=', sql.lit('submitting'))
    .where('id', '!=', argument('id'))
    .where('progressed_at', '>=', argument('since'))
    .limit(sql<number>`${argument('most')}`),
);

/** Tells whether one more order may be submitted. Call it before any write, in the unit that writes `submitting`. */
export async function mayBeginNow(
  trx: Transaction,
  { id, queue, route }: Pick<TaskRecord, 'id' | 'queue' | 'route'>,
  now: number,
): Promise<boolean> {
  await trx.lock(`slow_begin:${route.engine}`);
  const rows = await trx.all(trx.builder.selectFrom('valves').selectAll().where('subject', '=', route.engine));
  // A valve was shut meanwhile.
  if (rows.some((row) => isShut(row) && isInForce(row, now))) return false;
  const slow = rows.find(({ kind }) => kind === 'slow_begin');
  if (slow === undefined || slow.at_once === null) return true;
  const since = Math.max(slow.since, now - COUNTS_FOR_MS);
  const open = await trx.first(countSubmitting, { queue, id, since, most: slow.at_once });
  return (open?.count ?? 0) < slow.at_once;
}
