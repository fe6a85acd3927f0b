import { buffer } from 'node:stream/consumers';
import { cutText, isoTime, ServiceError } from '@darkroom-service/contract';
import {
  type Act,
  inputOf,
  type Kernel,
  type Schema,
  type Session,
  type StoredOutput,
  type Transaction,
} from '@darkroom-service/darkroom/kernel';
import { assertNotExpired, thumbnailKeyOf } from '@darkroom-service/darkroom/kernel-views';
import type { Selectable } from 'kysely';
import type { AdminModelExampleView } from './example-wire.ts';
import { pageExamples } from './list-examples.ts';

type Parts = Pick<Kernel, 'accounts' | 'outputs' | 'settings' | 'store'>;
type Order = Awaited<ReturnType<typeof findOrder>>;

const MOST_EXAMPLES = 12;

/**
 * Shows a finished live order as an example of its model, with a copy of its thumbnail. An order that is an example
 * already stays as it is.
 * @throws ServiceError `task_not_found`, `task_expired`, `not_final`, `not_found` (it has no output or no thumbnail),
 * `outputs_expired`, `invalid_request` if it is not the operator's own, or the model has as many as it may have
 */
export async function markExample(kernel: Parts, by: Act, taskId: string): Promise<AdminModelExampleView> {
  const { outputs, settings, store } = kernel;
  const found = async () => {
    const query = { modelId: null, taskId, limit: 1, after: null };
    return (await pageExamples(store.read, settings.publicUrl, query)).items[0];
  };
  const earlier = await found();
  if (earlier !== undefined) return earlier;
  const order = await findOrder(store.read, taskId);
  if (order.erased_at !== null || order.deleted_at !== null) throw outputs.expired('task_id');
  await assertShowable(store.read, order, by.now);
  const output = outputs.require(order, 'task_id');
  const picture = await readThumbnail(kernel, taskId, output);
  await store.write('mark_example', (trx) => insertExample(kernel, trx, by, { order, output, picture }));
  const example = await found();
  if (example === undefined) throw outputs.expired('task_id');
  return example;
}

/**
 * Removes the mark of an example.
 * @returns the time of the removal, as an ISO time
 * @throws ServiceError `not_found` if the order is no example
 */
export async function unmarkExample(
  { accounts, store }: Pick<Kernel, 'accounts' | 'store'>,
  by: Act,
  taskId: string,
): Promise<string> {
  await store.write('unmark_example', async (trx) => {
    const { builder } = trx;
    const row = await trx.first(
      builder.deleteFrom('model_examples').where('task_id', '=', taskId).returning('model_id'),
    );
    if (row === undefined)
      throw new ServiceError('not_found', `The order '${cutText(taskId, 64)}' is not an example.`, {
        param: 'task_id',
      });
    await accounts.record(trx, by, { act: 'example.remove', target: row.model_id, detail: { task_id: taskId } });
  });
  return isoTime(by.now);
}

async function findOrder(session: Session, taskId: string) {
  const row = await session.first(
    session.builder
      .selectFrom('tasks')
      .select(['id', 'account_id', 'type', 'model_id', 'action', 'mode', 'end_user', 'status', 'charged'])
      .select(['input_json', 'outputs_json', 'created_at', 'erased_at', 'deleted_at'])
      .where('id', '=', taskId),
  );
  if (row !== undefined) return row;
  await assertNotExpired(session, taskId, null);
  throw new ServiceError('task_not_found', `There is no order '${cutText(taskId, 64)}'.`, { param: 'task_id' });
}

/** Checks that the order's account is the operator's own: a holder of one of its admin keys runs the service. */
async function assertShowable(session: Session, order: Order, now: number): Promise<void> {
  const fault = (why: string) =>
    new ServiceError('invalid_request', `The order ${order.id} ${why}`, { param: 'task_id' });
  if (order.mode !== 'live')
    throw fault(`was placed with a test key, so ${order.model_id} did not make it. Only live orders can be examples.`);
  if (order.action !== null) throw fault(`is the action '${order.action}'. Show its parent as an example.`);
  if (order.end_user !== null)
    throw fault('was placed for an end user. Only orders without `end_user` can be examples.');
  const own = await session.first(
    session.builder
      .selectFrom('api_keys')
      .select('id')
      .where('account_id', '=', order.account_id)
      .where('mode', '=', 'admin')
      .where('revoked_at', 'is', null)
      .where(({ or, eb }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)])),
  );
  if (own === undefined)
    throw fault(
      `belongs to the account '${order.account_id}'. Only orders of an account with an admin key can be examples.`,
    );
}

/** @returns base64 */
async function readThumbnail(
  { outputs }: Pick<Kernel, 'outputs'>,
  taskId: string,
  output: StoredOutput,
): Promise<string> {
  const key = thumbnailKeyOf(output);
  if (key === null) throw new ServiceError('not_found', `The order ${taskId} has no thumbnail.`, { param: 'task_id' });
  const thumbnail = await outputs.thumbnail(key);
  if (thumbnail === null) throw outputs.expired('task_id');
  return (await buffer(thumbnail)).toString('base64');
}

async function insertExample(
  { accounts, outputs }: Pick<Kernel, 'accounts' | 'outputs'>,
  trx: Transaction,
  by: Act,
  { order, output, picture }: { readonly order: Order; readonly output: StoredOutput; readonly picture: string },
): Promise<void> {
  const { builder } = trx;
  const { id: taskId, model_id } = order;
  // Locked, so that an erasure finds the example.
  const kept = await trx.first(
    builder
      .selectFrom('tasks')
      .select('id')
      .where('id', '=', taskId)
      .where('erased_at', 'is', null)
      .where('deleted_at', 'is', null)
      .forUpdate(),
  );
  if (kept === undefined) throw outputs.expired('task_id');
  await trx.lock(`examples:${model_id}`);
  const shown = await trx.all(builder.selectFrom('model_examples').select('task_id').where('model_id', '=', model_id));
  if (shown.some((one) => one.task_id === taskId)) return;
  if (shown.length >= MOST_EXAMPLES)
    throw new ServiceError(
      'invalid_request',
      `${model_id} has ${MOST_EXAMPLES} examples, the maximum. Remove one first.`,
      { param: 'task_id' },
    );
  const { prompt } = inputOf(order);
  const row: Selectable<Schema['model_examples']> = {
    id: by.createId('exa'),
    model_id,
    task_id: taskId,
    account_id: order.account_id,
    type: order.type,
    prompt: typeof prompt === 'string' && prompt !== '' ? prompt : null,
    amount: order.charged ?? 0,
    width: output.width,
    height: output.height,
    picture,
    ordered_at: order.created_at,
  };
  await trx.run(builder.insertInto('model_examples').values(row));
  await accounts.record(trx, by, { act: 'example.add', target: model_id, detail: { task_id: taskId } });
}
