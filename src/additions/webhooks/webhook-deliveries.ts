import { cutText, type DeliveryView, ServiceError, timeIdPrefix } from '@darkroom-service/contract';
import { endWork, enterWork, releaseWork, restartWork } from '@darkroom-service/store';
import { type Act, type Claim, type Kernel, prepare, type Session, sql, type Transaction } from '../../kernel.ts';
import { type DeliveryFilter, type DeliveryRow, viewAll } from './list-deliveries.ts';

interface NewDelivery {
  id: string;
  account: string;
  key: string;
  /** Id of the task or the batch. */
  subject: string;
  type: DeliveryRow['type'];
  url: string;
  now: number;
  /** Content of the event, as JSON; null = the task or the batch at the time of each attempt. */
  data: string | null;
}

const MODE = sql`case when api_keys.mode = 'test' then 'test' else 'live' end`;
const insertDelivery = prepare<NewDelivery, unknown>('webhook_insert', (builder, argument) =>
  builder.insertInto('webhook_deliveries').values({
    id: argument('id'),
    account_id: argument('account'),
    api_key_id: argument('key'),
    task_id: argument('subject'),
    type: argument('type'),
    url: argument('url'),
    status: 'pending',
    created_at: argument('now'),
    delivered_at: null,
    data_json: argument('data'),
    mode: sql<'live' | 'test'>`coalesce((select ${MODE} from api_keys where id = ${argument('key')}), 'live')`,
  }),
);

/** Records the delivery of an event, in the transaction of the event. */
export function enterDelivery(trx: Pick<Transaction, 'send'>, delivery: NewDelivery): void {
  trx.send(insertDelivery, delivery);
  enterWork(trx, { kind: 'webhook', subject: delivery.id, owner: delivery.account, now: delivery.now });
}

/** A delivery with the data that sending it needs. */
export interface Sending extends DeliveryRow {
  /** Headers of the receiver, sealed, if it is that of the default URL; null = none. */
  readonly sealed: string | null;
}

const selectDelivery = prepare<{ id: string }, Sending>('webhook_sending', (builder, argument) =>
  builder
    .selectFrom('webhook_deliveries as delivery')
    .leftJoin('webhook_headers', (join) =>
      join
        .onRef('webhook_headers.account_id', '=', 'delivery.account_id')
        .onRef('webhook_headers.mode', '=', 'delivery.mode')
        .onRef('webhook_headers.url', '=', 'delivery.url'),
    )
    .selectAll('delivery')
    .select('sealed')
    .where('delivery.id', '=', argument('id')),
);

/** Reads a delivery with the data that sending it needs. */
export async function readDelivery(session: Session, id: string): Promise<Sending | undefined> {
  return await session.first(selectDelivery, { id });
}

/** The outcome of an attempt. `nextInMs` null: no further attempt follows. */
interface AttemptOutcome {
  readonly attemptId: string;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly responseStatus: number | null;
  readonly error: string | null;
  readonly nextInMs: number | null;
}

/** Records an attempt and its consequence: delivered, another attempt later, or failed. Not if the claim was lost. */
export async function finishAttempt(trx: Transaction, claim: Claim, outcome: AttemptOutcome): Promise<void> {
  const { nextInMs } = outcome;
  const isOurs =
    nextInMs === null
      ? await endWork(trx, claim)
      : await releaseWork(trx, claim, { inMs: nextInMs, attempts: claim.attempts + 1 });
  if (!isOurs) return;
  const delivered = outcome.error === null;
  if (nextInMs === null)
    await trx.run(
      trx.builder
        .updateTable('webhook_deliveries')
        .set({
          status: delivered ? 'delivered' : 'failed',
          delivered_at: delivered ? outcome.startedAt + outcome.durationMs : null,
        })
        .where('id', '=', claim.subject),
    );
  await trx.run(
    trx.builder.insertInto('webhook_attempts').values({
      id: outcome.attemptId,
      delivery_id: claim.subject,
      started_at: outcome.startedAt,
      duration_ms: outcome.durationMs,
      response_status: outcome.responseStatus,
      error: outcome.error,
    }),
  );
}

/**
 * Sends a delivery again, whatever its status: the retry schedule starts over.
 * @throws ServiceError `not_found`
 */
export async function redeliver(
  { accounts, store }: Pick<Kernel, 'accounts' | 'store'>,
  filter: Pick<DeliveryFilter, 'keyId' | 'accountId' | 'mode'>,
  deliveryId: string,
  by: Act,
): Promise<DeliveryView> {
  await store.write('webhook_redeliver', async (trx) => {
    await by.binding?.within(trx, deliveryId);
    let query = trx.builder
      .selectFrom('webhook_deliveries')
      .select(['account_id as owner', 'task_id'])
      .where('id', '=', deliveryId);
    if (filter.accountId !== null) query = query.where('account_id', '=', filter.accountId);
    if (filter.keyId !== null) query = query.where('api_key_id', '=', filter.keyId);
    else if (filter.mode !== null) query = query.where('mode', '=', filter.mode);
    const found = await trx.first(query);
    if (found === undefined) throw unknownDelivery(deliveryId);
    // In the same sequence as an attempt changes them.
    restartWork(trx, { kind: 'webhook', subject: deliveryId, owner: found.owner, now: await store.now(trx) });
    await trx.run(
      trx.builder.updateTable('webhook_deliveries').set({ status: 'pending' }).where('id', '=', deliveryId),
    );
    const detail = { task_id: found.task_id };
    await accounts.record(trx, by, { act: 'webhook.redeliver', target: deliveryId, detail });
  });
  return await findDelivery(store.read, deliveryId);
}

/**
 * Marks as failed the pending deliveries from before a time, or about a task or a batch from before it.
 * @returns the number of deliveries
 */
export async function dropPending(trx: Transaction, since: number): Promise<number> {
  const { builder } = trx;
  const older = builder
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('id', 'in', builder.selectFrom('work').select('subject').where('kind', '=', 'webhook'))
    .where((delivery) =>
      delivery.or([
        delivery('created_at', '<=', since),
        delivery.and([
          delivery('task_id', '>=', timeIdPrefix('bat', 0)),
          delivery('task_id', '<', timeIdPrefix('bat', since + 1)),
        ]),
        delivery.exists(
          delivery
            .selectFrom('tasks')
            .select('tasks.id')
            .whereRef('tasks.id', '=', 'webhook_deliveries.task_id')
            .where('tasks.created_at', '<=', since),
        ),
      ]),
    );
  await trx.run(builder.updateTable('webhook_deliveries').set({ status: 'failed' }).where('id', 'in', older));
  return await trx.run(builder.deleteFrom('work').where('kind', '=', 'webhook').where('subject', 'in', older));
}

/** Returns the current state of a delivery. @throws ServiceError `not_found` */
export async function findDelivery(session: Session, deliveryId: string): Promise<DeliveryView> {
  const rows = await session.all(
    session.builder.selectFrom('webhook_deliveries').selectAll().where('id', '=', deliveryId),
  );
  const [view] = await viewAll(session, rows);
  if (view === undefined) throw unknownDelivery(deliveryId);
  return view;
}

function unknownDelivery(deliveryId: string): ServiceError {
  return new ServiceError('not_found', `There is no webhook delivery '${cutText(deliveryId, 64)}'.`);
}
