import { randomBytes, randomUUID } from 'node:crypto';
import { createIdFactory } from '@darkroom-service/contract';
import type { Database, Transaction } from '../src/database/database.ts';
import { prepare } from '../src/database/prepared.ts';
import { insertTask } from '../src/orders/draft-task.ts';
import { bindClaim } from '../src/orders/idempotency.ts';
import type { TaskRow } from '../src/record/task.ts';

export interface FillOptions {
  readonly database: Database;
  /** A finished task that really was made; every other one is like it but for id, key and times. */
  readonly pattern: TaskRow;
  readonly count: number;
  /** The keys that own the tasks, in turn. */
  readonly keyIds: readonly string[];
}

const GROUP = 2_000;
const PERIOD_MS = 20 * 24 * 60 * 60 * 1000;
/** Of a hundred tasks: the others succeeded. */
const FAILED = 6;
const CANCELED = 2;

interface EntryArguments {
  account: string;
  key: string;
  task: string;
  kind: 'hold' | 'release' | 'charge';
  amount: number;
  now: number;
}

const insertEntry = prepare<EntryArguments, unknown>('bench_ledger', (builder, argument) =>
  builder.insertInto('ledger').values({
    account_id: argument('account'),
    api_key_id: argument('key'),
    mode: 'test',
    task_id: argument('task'),
    kind: argument('kind'),
    amount: argument('amount'),
    created_at: argument('now'),
    note: null,
  }),
);

/**
 * Enters finished tasks of the last twenty days with their ledger entries and Idempotency-Keys, as if they had been
 * ordered.
 */
export async function fillTasks({ database, pattern, count, keyIds }: FillOptions): Promise<void> {
  const end = Date.now() - 60_000;
  let time = end - PERIOD_MS;
  const createId = createIdFactory(() => time);
  for (let done = 0; done < count; done += GROUP) {
    await database.write('bench_fill', async (trx) => {
      for (let place = done; place < Math.min(count, done + GROUP); place++) {
        time = end - Math.floor(PERIOD_MS * (1 - place / count));
        const keyId = keyIds[place % keyIds.length]!;
        await enter(trx, finishedAs(pattern, statusAt(place)), createId('img'), keyId, time);
      }
    });
  }
}

function statusAt(place: number): 'succeeded' | 'failed' | 'canceled' {
  const share = Math.floor(place / 23) % 100;
  if (share >= 100 - CANCELED) return 'canceled';
  return share >= 100 - CANCELED - FAILED ? 'failed' : 'succeeded';
}

function finishedAs(pattern: TaskRow, status: 'succeeded' | 'failed' | 'canceled'): TaskRow {
  if (status === 'succeeded') return pattern;
  const failure = JSON.stringify({ code: 'upstream_error', message: 'The upstream answered 500.' });
  const error_json = status === 'failed' ? failure : null;
  return { ...pattern, status, outputs_json: '[]', keep_json: null, charged: 0, error_json };
}

async function enter(trx: Transaction, pattern: TaskRow, id: string, keyId: string, time: number): Promise<void> {
  const later = (ms: number | null) => (ms === null ? null : time + ms - pattern.created_at);
  const row: TaskRow = {
    ...pattern,
    id,
    api_key_id: keyId,
    created_at: time,
    started_at: later(pattern.started_at),
    progressed_at: later(pattern.progressed_at),
    completed_at: later(pattern.completed_at),
    deadline_at: time + pattern.deadline_at - pattern.created_at,
    expires_at: time + pattern.expires_at - pattern.created_at,
  };
  await insertTask(trx, row);
  const entry = { account: row.account_id, key: keyId, task: id, now: time };
  await trx.run(insertEntry, { ...entry, kind: 'hold', amount: -row.price });
  await trx.run(insertEntry, { ...entry, kind: 'release', amount: row.price });
  if (row.status === 'succeeded') await trx.run(insertEntry, { ...entry, kind: 'charge', amount: -row.price });
  await bindClaim(trx, { scope: keyId, key: randomUUID(), fingerprint: randomBytes(32).toString('hex') }, id);
}
