import { type RawBuilder, sql } from 'kysely';
import { type Act, recordAct } from '../../accounts/audit.ts';
import type { Database, Session } from '../../database/database.ts';
import { outputsOf } from '../../record/task-json.ts';
import { neededBy, type TaskHooks } from '../../tasks/task-hooks.ts';

/** Effects of a shorter retention on stored orders and uploads. */
export interface RetentionChange {
  /** Ended orders whose prompts, inputs and outputs are erased within a minute. */
  readonly orders: number;
  /** Number of accounts of these orders. */
  readonly accounts: number;
  /** The outputs and inputs of these orders, and the uploads. */
  readonly bytes: number;
  /** Number of uploads that are erased with them. */
  readonly uploads: number;
  /** Number of orders that are erased later, but earlier than before. */
  readonly shortened: number;
  /** Number of orders that keep their time because a delivery, a webhook or another order still needs them. */
  readonly kept: number;
}

const CHUNK = 1_000;

/** Returns the new expiry: counted from the end of an order, or from the last moment at which it can end. */
function newExpiry(ms: number): RawBuilder<number> {
  return sql<number>`(case when step = 'final' then coalesce(completed_at, created_at) else deadline_at end + ${ms})`;
}

/** Whether something still needs the outputs of an order. */
const isNeeded = ({ hooks }: RetentionRequest) => sql<number>`(case when ${neededBy(hooks)} then 1 else 0 end)`;

/** An upload may be the input of any open order of its key. */
const HAS_OPEN_ORDERS = sql<number>`(case when exists (select 1 from tasks
  where tasks.api_key_id = files.api_key_id and tasks.step <> 'final') then 1 else 0 end)`;

/** Tells what `applyRetention` would change. @param ms counted from the end of an order */
export async function previewRetention(session: Session, request: RetentionRequest): Promise<RetentionChange> {
  const { now, ms } = request;
  const accounts = new Set<string>();
  let [orders, bytes, shortened, kept] = [0, 0, 0, 0];
  for await (const rows of tasksToShorten(session, request))
    for (const row of rows) {
      if (row.is_needed === 1) kept++;
      else if (row.step !== 'final' || row.expiry > now) shortened++;
      else {
        orders++;
        accounts.add(row.account_id);
        bytes += outputsOf(row).reduce((sum, output) => sum + output.bytes, row.input_bytes ?? 0);
      }
    }
  const uploads = await session.first(
    session.builder
      .selectFrom('files')
      .select(({ fn }) => [fn.countAll<number>().as('count'), fn.sum<number | null>('bytes').as('bytes')])
      .where('erased_at', 'is', null)
      .where('created_at', '<=', now - ms)
      .where('expires_at', '>', sql<number>`created_at + ${ms}`)
      .where(HAS_OPEN_ORDERS, '=', 0),
  );
  return {
    orders,
    accounts: accounts.size,
    shortened,
    kept,
    bytes: bytes + Number(uploads?.bytes ?? 0),
    uploads: Number(uploads?.count ?? 0),
  };
}

interface RetentionRequest {
  readonly now: number;
  readonly ms: number;
  /** The hooks of all additions. */
  readonly hooks: readonly TaskHooks[];
}

/**
 * Shortens the time of stored orders and uploads, some at a time; the service's clean-up then erases those whose time
 * is over. Orders and uploads that a delivery, a webhook or another order still needs keep their time. Nothing is
 * prolonged.
 */
export async function applyRetention(
  database: Pick<Database, 'read' | 'write'>,
  by: Act,
  request: RetentionRequest,
  expected: RetentionChange,
): Promise<void> {
  const { ms } = request;
  await database.write('retention', (trx) =>
    recordAct(trx, by, { act: 'retention.apply', target: null, detail: { days: ms / DAY_MS, ...expected } }),
  );
  for await (const rows of tasksToShorten(database.read, request)) {
    const ids = rows.filter((row) => row.is_needed === 0).map(({ id }) => id);
    if (ids.length === 0) continue;
    await database.write('retention', (trx) =>
      trx.run(
        trx.builder
          .updateTable('tasks')
          .set((expression) => ({ expires_at: newExpiry(ms), revision: expression('revision', '+', 1) }))
          .where('id', 'in', ids)
          .where('erased_at', 'is', null)
          .where('expires_at', '>', newExpiry(ms))
          .where(isNeeded(request), '=', 0),
      ),
    );
  }
  await database.write('retention', (trx) =>
    trx.run(
      trx.builder
        .updateTable('files')
        .set({ expires_at: sql<number>`created_at + ${ms}` })
        .where('erased_at', 'is', null)
        .where('expires_at', '>', sql<number>`created_at + ${ms}`)
        .where(HAS_OPEN_ORDERS, '=', 0),
    ),
  );
}

export const DAY_MS = 24 * 60 * 60_000;

async function* tasksToShorten(session: Session, request: RetentionRequest) {
  const { ms } = request;
  let after = '';
  for (;;) {
    const rows = await session.all(
      session.builder
        .selectFrom('tasks')
        .select(['id', 'account_id', 'step', 'outputs_json', 'input_bytes'])
        .select([newExpiry(ms).as('expiry'), isNeeded(request).as('is_needed')])
        .where('erased_at', 'is', null)
        .where('id', '>', after)
        .where('expires_at', '>', newExpiry(ms))
        .orderBy('id')
        .limit(CHUNK),
    );
    if (rows.length > 0) yield rows;
    if (rows.length < CHUNK) return;
    after = rows.at(-1)?.id ?? after;
  }
}
