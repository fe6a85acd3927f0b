import { setScopeLimits } from '@darkroom-service/addition-common/limits/scope-limits';
import { type JsonObject, ServiceError } from '@darkroom-service/contract';
import { cancelForCustomer } from '../../additions/operator/src/deeds/cancel-for-customer.ts';
import { requestErasure } from '../../additions/privacy/src/data-requests.ts';
import { eraseSubject } from '../../additions/privacy/src/erase-subject.ts';
import type { OrderingKey } from '../../src/accounts/api-key.ts';
import { findKeyById } from '../../src/accounts/keyring.ts';
import { carryOn } from '../../src/additions/batches/batch-feeder.ts';
import { cancelBatch } from '../../src/additions/batches/cancel-batch.ts';
import { BatchDraft } from '../../src/additions/batches/draft-batch.ts';
import { placeBatch } from '../../src/additions/batches/place-batch.ts';
import { batchesOf } from '../../src/additions/batches/wake-batches.ts';
import { deleteLater, restoreTask } from '../../src/additions/deletions/delayed-deletions.ts';
import { eraseDueTasks } from '../../src/additions/deletions/erase-due-tasks.ts';
import { type Claim, claimWork, type WorkKind } from '../../src/database/work.ts';
import { deleteTask } from '../../src/erasure/delete-task.ts';
import { cancelTask } from '../../src/orders/cancel-task.ts';
import { createTask } from '../../src/orders/create-task.ts';
import { GATES } from '../../src/queue/gates.ts';
import type { TaskRow } from '../../src/record/task.ts';
import { readTask, type TaskRecord } from '../../src/record/task-record.ts';
import { wakeOrders } from '../../src/routing/wake-orders.ts';
import { changeLimitsOfKey } from '../../src/tasks/change-limits-of-key.ts';
import { LostClaim } from '../../src/tasks/move-task.ts';
import { refundTask } from '../../src/tasks/refund-task.ts';
import type { TaskServices } from '../../src/tasks/task-services.ts';
import { takeOverOwnerless, takeOverWithin } from '../../src/worker/ownership/take-over.ts';
import { claimTasks } from '../helpers/claim-tasks.ts';
import { kernelOf } from '../helpers/kernel.ts';
import type { ManualClock } from '../helpers/task-services.ts';
import { CHORES, type Command, type Wish } from './commands.ts';
import type { Process } from './fleet.ts';
import { workOn } from './work-on.ts';

const QUEUES = ['sketch:live', 'elsewhere:live'].map((name) => ({ name, capacity: 1_000 }));
const MOST = 100;
const LEASE_MS = 30_000;
/** More than anybody spends here. */
const MUCH = 100_000_000;
const MOST_TOGETHER = 6;
const FOLLOWING: Wish = { reference: null, parents: [0], endUser: null };
const DEAD = 'a process that ended';

/** A customer, with the key as a process remembers it that has not heard of a change. */
export interface Customer {
  readonly key: OrderingKey;
}

type Chore = (typeof CHORES)[number];

/** Does what a command says. */
export async function runCommand(
  process: Process,
  customers: readonly Customer[],
  clock: ManualClock,
  command: Command,
): Promise<void> {
  if (command.kind === 'wait') clock.advance(command.ms);
  else if (isChore(command)) await unlessRefused(doChore(process, command.kind));
  else if ('customer' in command) await unlessRefused(serve(process.services, customers[command.customer]!, command));
  else await unlessRefused(operate(process, command));
}

/** Refusals and lost claims are no faults: they write nothing. */
async function unlessRefused(done: Promise<unknown>): Promise<void> {
  try {
    await done;
  } catch (error) {
    if (error instanceof LostClaim) return;
    if (!(error instanceof ServiceError) || error.status >= 500) throw error;
  }
}

function isChore(command: Command): command is Extract<Command, { kind: Chore }> {
  return (CHORES as readonly string[]).includes(command.kind);
}

/** Does once what a process does again and again. @returns whether there was anything to do */
export async function doChore(process: Process, chore: Chore): Promise<boolean> {
  const { services, woken } = process;
  switch (chore) {
    case 'release':
      return await process.release();
    case 'fetch':
      return await perform(services, 'references', process.fetch);
    case 'erase':
      return await perform(services, 'erasure', (claim, signal) => eraseSubject(kernelOf(services), claim, signal));
    case 'delete_due':
      await eraseDueTasks(kernelOf(services), new AbortController().signal);
      return false;
    case 'feed': {
      const subjects = [...woken];
      woken.clear();
      for (const id of await batchesOf(services.database.read, subjects))
        if (await carryOn(kernelOf(services), id)) woken.add(id);
      return subjects.length > 0;
    }
    case 'claim': {
      const rows = await claim(process, process.name);
      for (const row of rows) process.claimed.set(row.id, readTask(row));
      return rows.length > 0;
    }
  }
}

async function claim({ services }: Process, worker: string): Promise<TaskRow[]> {
  const rows = await claimTasks(services.database, { worker, queues: QUEUES, limit: MOST });
  const now = services.clock.now();
  for (const { id, gates, deadline_at } of rows)
    if ((gates & ~GATES.route) !== 0 && (gates !== GATES.reference || now < deadline_at))
      throw new Error(`${id} is claimed before its gates ${gates} are open`);
  return rows;
}

async function perform(
  services: TaskServices,
  kind: WorkKind,
  does: (claim: Claim, signal: AbortSignal) => Promise<void>,
): Promise<boolean> {
  const claims = await services.database.write('claim_work', (trx) =>
    claimWork(trx, { kind, limit: MOST, leaseMs: LEASE_MS, except: [] }),
  );
  await Promise.all(claims.map((one) => does(one, new AbortController().signal)));
  return claims.length > 0;
}

async function serve(
  services: TaskServices,
  { key: remembered }: Customer,
  command: Extract<Command, { customer: number }>,
): Promise<void> {
  const { database, clock, createId } = services;
  const by = { actor: 'test', now: clock.now(), createId };
  const known = await findKeyById(database.read, remembered.id);
  if (known === null || known.revoked) return;
  const key = known as OrderingKey;
  const rows = await tasksOf(services, key);
  const order = (wish: Wish) => bodyOf(wish, (index) => lastButFew(rows, index)?.id);
  switch (command.kind) {
    case 'order':
      return await create(services, command.isLate ? remembered : key, order(command.wish));
    case 'batch':
      return await orderBatch(services, key, command, order);
    case 'limit_end_user':
      return await setScopeLimits(database, by, key, command.endUser, { day: MUCH });
    case 'erase_end_user':
      return void (await requestErasure(kernelOf(services), by, {
        accountId: key.account.id,
        endUser: command.endUser,
      }));
    case 'limit_key':
      return void (await changeLimitsOfKey(services, by, key.id, { spendLimits: { [command.window]: MUCH } }));
    case 'slots':
      return void (await changeLimitsOfKey(services, by, key.id, { concurrency: command.concurrency }));
    case 'cancel_batch': {
      const batches = await database.read.all(
        database.read.builder.selectFrom('batches').select('id').where('api_key_id', '=', key.id).orderBy('id'),
      );
      const batch = lastButFew(batches, command.nth);
      return batch && void (await cancelBatch(kernelOf(services), key, batch.id));
    }
  }
  if ('isReversed' in command) {
    const open = rows.filter(FITTING.cancel).map(({ id }) => id);
    const inTurn = (command.isReversed ? open.toReversed() : open).slice(0, MOST_TOGETHER);
    const follow = (id: string) =>
      create(
        services,
        key,
        bodyOf(FOLLOWING, () => id),
      );
    const cancel = (id: string) => cancelTask(services, key, 'image', id);
    const deal: (id: string) => Promise<unknown> = command.kind === 'cancel_all' ? cancel : follow;
    return void (await Promise.all(inTurn.map((id) => unlessRefused(deal(id)))));
  }
  const fitting = rows.filter(FITTING[command.kind]);
  const id = lastButFew(fitting, command.nth)?.id;
  if (id === undefined) return;
  if (command.kind === 'cancel') await cancelTask(services, key, 'image', id);
  if (command.kind === 'cancel_for_customer') await cancelForCustomer(kernelOf(services), by, id);
  if (command.kind === 'delete') await deleteTask(services, key, 'image', id);
  if (command.kind === 'hide') await deleteLater(kernelOf(services), key, 'image', id, 20);
  if (command.kind === 'show') await restoreTask(kernelOf(services), key, 'image', id);
  if (command.kind === 'refund') await refundTask(services, by, id);
}

async function create(services: TaskServices, key: OrderingKey, body: JsonObject): Promise<void> {
  await createTask(services, key, { type: 'image', path: '/v1/images', idempotencyKey: null, simulate: null, body });
}

/** Those that came last are wanted most, so that several want the same. */
function lastButFew<T>(all: readonly T[], few: number): T | undefined {
  return all.at(-1 - (few % Math.max(1, all.length)));
}

/** What an order is like, as it was read a moment ago, of which a customer or an operator wants this. */
const FITTING = {
  cancel: ({ step }) => step !== 'final',
  cancel_for_customer: ({ step }) => step !== 'final',
  delete: ({ step, erased_at: erasedAt }) => step === 'final' && erasedAt === null,
  hide: ({ step, erased_at: erasedAt }) => step === 'final' && erasedAt === null,
  show: ({ deleted_at: deletedAt }) => deletedAt !== null,
  refund: ({ charged }) => (charged ?? 0) > 0,
} as const satisfies Record<string, (row: TaskRow) => boolean>;

function bodyOf({ reference, parents, endUser }: Wish, taskAt: (index: number) => string | undefined): JsonObject {
  const used = [...new Set(parents.map(taskAt))].flatMap((id) => (id === undefined ? [] : [`task:${id}`]));
  const image_urls = [...(reference === null ? [] : [`https://example.com/${reference}.png`]), ...used];
  return {
    model_id: 'sketch',
    prompt: 'a fox',
    wait_for_parent: true,
    ...(endUser === null ? {} : { end_user: endUser }),
    ...(image_urls.length === 0 ? {} : { image_urls }),
  };
}

/** The first parent of each of its orders is the one before it, if it has any. */
async function orderBatch(
  services: TaskServices,
  key: OrderingKey,
  { wishes, maxParallel }: Extract<Command, { kind: 'batch' }>,
  order: (wish: Wish) => JsonObject,
): Promise<void> {
  const drafting = new BatchDraft(kernelOf(services), key, { withFingerprint: false });
  for (const [place, wish] of wishes.entries()) {
    const isNext = place > 0 && wish.parents.length > 0;
    const body = order(isNext ? { ...wish, parents: wish.parents.slice(1) } : wish);
    const sources = [...((body.image_urls ?? []) as string[]), ...(isNext ? [`order:o${place - 1}`] : [])];
    const used = sources.length === 0 ? {} : { image_urls: sources };
    await drafting.add(`orders[${place}]`, { name: `o${place}`, operation: 'images', body: { ...body, ...used } });
  }
  const fields = { maxPrice: null, maxParallel, webhookUrl: null, deliverTo: null, metadata: {} };
  await placeBatch(kernelOf(services), key, { draft: await drafting.finish(), fields, claim: null });
}

async function operate(
  process: Process,
  command: Exclude<Command, { customer: number } | { kind: Chore | 'wait' }>,
): Promise<void> {
  const { services, claimed } = process;
  const { database } = services;
  switch (command.kind) {
    case 'work': {
      const task = lastButFew([...claimed.values()], command.nth);
      if (task === undefined) return;
      return await work(process, task, command);
    }
    case 'wake_orders':
      return await database.write('wake_orders', (trx) => wakeOrders(trx, 'sketch'));
    case 'take_over':
      return void (await takeOverOwnerless(database));
    case 'die':
      return void (await claim(process, DEAD));
    case 'silence': {
      // It goes on, and what it writes from then on affects no row.
      const silent = { id: `process ${command.nth % 3}`, beats: 1 };
      const scope = { withoutTrace: { queues: QUEUES.map(({ name }) => name) } };
      return void (await database.write('take_over', (trx) => takeOverWithin(trx, silent, scope)));
    }
  }
}

/** Works on an order that this process has claimed, unless another has taken it over. */
export async function work(process: Process, task: TaskRecord, how: Parameters<typeof workOn>[2]): Promise<void> {
  const { services, claimed } = process;
  // One at a time works on it.
  claimed.delete(task.id);
  const kept = await workOn(services, task, how).catch((error: unknown) => {
    if (error instanceof LostClaim) return null;
    throw error;
  });
  if (kept !== null) claimed.set(kept.id, kept);
}

export async function tasksOf(
  { database: { read } }: Pick<TaskServices, 'database'>,
  key: Pick<OrderingKey, 'id'>,
): Promise<TaskRow[]> {
  return await read.all(
    read.builder.selectFrom('tasks').selectAll().where('api_key_id', '=', key.id).orderBy('created_at').orderBy('id'),
  );
}
