import { type Kernel, type Owner, prepare, type Session, type Transaction } from '@darkroom-service/darkroom/kernel';
import type { NewlyPlaced } from '@darkroom-service/darkroom/kernel-orders';
import { type Selectable, sql } from 'kysely';
import type { OpenaiCallsTable } from './call-tables.ts';
import type { CallView } from './requested-call.ts';

/** A call of an OpenAI-compatible client, and the tasks that it ordered. */
export interface Call {
  readonly id: string;
  readonly taskIds: readonly string[];
  readonly view: CallView;
  /** Process that answers its client; null = none. */
  readonly process: string | null;
  /** First task of the call as this request has just placed it; absent if the request found the call. */
  readonly placed?: Pick<NewlyPlaced, 'row' | 'written'> | undefined;
}

/** A request that may repeat a call. */
export interface Repetition {
  readonly keyId: string;
  readonly digest: string;
  /** The process that would answer it. */
  readonly process: string;
  readonly now: number;
}

type CallRow = Selectable<OpenaiCallsTable>;

const insertCall = prepare<CallRow, unknown>('openai_call_insert', (builder, argument) =>
  builder.insertInto('openai_calls').values({
    id: argument('id'),
    api_key_id: argument('api_key_id'),
    digest: argument('digest'),
    task_ids_json: argument('task_ids_json'),
    view_json: argument('view_json'),
    attached: argument('attached'),
    process: argument('process'),
    left_at: argument('left_at'),
    delivered_at: argument('delivered_at'),
    created_at: argument('created_at'),
  }),
);

const selectCall = prepare<{ id: string; key: string }, CallRow>('openai_call_select', (builder, argument) =>
  builder
    .selectFrom('openai_calls')
    .selectAll()
    .where('id', '=', argument('id'))
    .where('api_key_id', '=', argument('key')),
);

/**
 * Time after its delivery in which a call may still be repeated: the answer may have been lost after it left this
 * service, and clients wait at most this long before they retry.
 */
const DELIVERY_DOUBTED_MS = 120_000;
/**
 * Highest retry count with a bit of its own: clients make two retries unless told otherwise; higher counts share the
 * last bit.
 */
const HIGHEST_COUNT = 40;
/** Maximum age of a call that may be repeated. A client gives up long before. */
export const REPEATED_WITHIN_MS = 6 * 3_600_000;

interface AttachArguments {
  key: string;
  digest: string;
  bit: number;
  deliveredAfter: number;
  createdAfter: number;
}

/**
 * Selects the call that a request repeats. Calls to which no later retry is attached come first. Among them, those
 * whose client is known to be gone come first, and those that may have been answered last. Of a thousand equal calls,
 * the index finds the few without an answer and the latest answered ones, so both are read apart.
 */
const selectRepeated = prepare<AttachArguments, { id: string }>('openai_call_repeated', (builder, argument) => {
  const equal = builder
    .selectFrom('openai_calls')
    .select(['id', 'attached', 'delivered_at', 'left_at', 'created_at'])
    .where('api_key_id', '=', argument('key'))
    .where('digest', '=', argument('digest'))
    .where('created_at', '>', argument('createdAfter'))
    .where(sql<boolean>`attached & ${argument('bit')} = 0`);
  const unanswered = equal.where('delivered_at', 'is', null);
  const doubted = equal.where('delivered_at', '>', argument('deliveredAfter'));
  return builder
    .selectFrom(unanswered.unionAll(doubted).as('repeatable'))
    .select('id')
    .orderBy(sql`case when attached < ${argument('bit')} then 0 else 1 end`)
    .orderBy(sql`case when delivered_at is not null then 2 when left_at is null then 1 else 0 end`)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1);
});

const updateAttached = prepare<{ id: string; bit: number; process: string }, unknown>(
  'openai_call_attach',
  (builder, argument) =>
    builder
      .updateTable('openai_calls')
      .set({
        attached: sql<number>`attached + ${argument('bit')}`,
        process: argument('process'),
        left_at: null,
        delivered_at: null,
      })
      .where('id', '=', argument('id')),
);

/** Finds calls without an answer: a client that returns for its answer would not find it. */
export async function findUnansweredCalls(session: Session, now: number): Promise<string | null> {
  const unanswered = await session.first(
    session.builder
      .selectFrom('openai_calls')
      .select('id')
      .where('delivered_at', 'is', null)
      .where('created_at', '>', now - REPEATED_WITHIN_MS)
      .limit(1),
  );
  return unanswered === undefined ? null : 'calls of the last 6 hours have not got their answer.';
}

/**
 * Attaches a client's retry to its call: the oldest equal one whose answer may have been lost and to which no retry
 * with this count is attached. So of two equal calls side by side, each retry gets its own.
 * @returns the id of the call; null if the retry must order again
 */
export async function attachRetry(
  trx: Transaction,
  retry: Repetition & { readonly count: number },
): Promise<string | null> {
  const { keyId, digest, process, count, now } = retry;
  await trx.lock(`openai_call:${keyId}:${digest}`);
  const found = await trx.first(selectRepeated, {
    key: keyId,
    digest,
    bit: bitOf(count),
    deliveredAfter: now - DELIVERY_DOUBTED_MS,
    createdAfter: now - REPEATED_WITHIN_MS,
  });
  if (found === undefined) return null;
  await trx.run(updateAttached, { id: found.id, bit: bitOf(count), process });
  return found.id;
}

/** Returns the bit of a retry count in `attached`. */
function bitOf(count: number): number {
  return 2 ** Math.min(count, HIGHEST_COUNT);
}

/** Stores a call in the transaction that places its orders. */
export function enterCall(
  trx: Transaction,
  call: Call,
  of: { readonly keyId: string; readonly digest: string | null; readonly retryCount: number; readonly now: number },
): void {
  trx.send(insertCall, {
    id: call.id,
    api_key_id: of.keyId,
    digest: of.digest,
    task_ids_json: JSON.stringify(call.taskIds),
    view_json: JSON.stringify(call.view),
    attached: bitOf(of.retryCount),
    // No equal request may claim a call with an Idempotency-Key.
    process: of.digest === null ? null : call.process,
    left_at: null,
    delivered_at: null,
    created_at: of.now,
  });
}

/** Returns a call of this caller; null if it has none with this id. */
export async function findCall(
  { store, tasks }: Pick<Kernel, 'store' | 'tasks'>,
  owner: Owner,
  id: string,
): Promise<Call | null> {
  const row = await store.read.first(selectCall, { id, key: owner.id });
  if (row === undefined) return null;
  const taskIds = taskIdsOf(row);
  // All tasks of a call have the same end user.
  if (owner.client !== undefined && (await tasks.anyRow(owner, taskIds[0] ?? '')) === undefined) return null;
  return { id: row.id, taskIds, view: viewOf(row), process: row.process };
}

function taskIdsOf(row: { readonly task_ids_json: string }): string[] {
  return JSON.parse(row.task_ids_json) as string[];
}

function viewOf(row: { readonly view_json: string }): CallView {
  return JSON.parse(row.view_json) as CallView;
}
