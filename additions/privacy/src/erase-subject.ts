import { ServiceError } from '@darkroom-service/contract';
import { type Claim, endWork, releaseWork, type TaskRow, type TaskServices } from '@darkroom-service/darkroom/kernel';
import { cancelWithin, eraseFileRow, eraseTask } from '@darkroom-service/darkroom/kernel-orders';
import { isFinal } from '@darkroom-service/darkroom/kernel-views';
import { cleanErasedTasks } from './clean-erased-tasks.ts';
import { type DataRequest, findRequest } from './data-requests.ts';
import { closeAccount, finishErasure, removeManyRows } from './finish-erasure.ts';
import { knownErasure, recordErasure } from './known-erasures.ts';
import { countUnplaced, keysOf, PAGE, rangesOf, selectTasks } from './subject-tasks.ts';
import { excludeSharedUploads, recordUploads, undecidedUploads } from './undecided-uploads.ts';

/** Pause before the orders that an engine has are checked again. */
const LOOK_AGAIN_MS = 2_000;
/** Time after which every process knows that a key is revoked. */
const KEYS_KNOWN_MS = 10_000;
/** Time after which an order that was placed before is committed. */
const COMMITTED_MS = 2_000;

/**
 * Erases the stored data of an account or an end user, in portions that are complete by themselves: after a kill it
 * continues. Orders that have not ended are canceled where that is possible, and waited for. Money stays: ledger,
 * charges, sums and limits that were used.
 * @param signal ends it between two portions
 */
export async function eraseSubject(services: TaskServices, claim: Claim, signal: AbortSignal): Promise<void> {
  const { database } = services;
  const request = await findRequest(database.read, claim.subject);
  if (request === null || request.completed_at !== null) {
    await database.write('erasure_ended', (trx) => endWork(trx, claim));
    return;
  }
  await recordErasure(services.storage, knownErasure(request));
  const keys = await keysOf(database.read, request.account_id);
  if (request.end_user === null) await closeAccount(services, request);
  const waiting = (await eraseTasks(services, request, keys, signal)) + (await countUnplaced(services, request, keys));
  await eraseUploads(services, request, keys, signal);
  // Other processes accept a revoked key for a moment longer, and a commit may be in progress.
  const isEarly =
    services.clock.now() < request.requested_at + (request.end_user === null ? KEYS_KNOWN_MS : COMMITTED_MS);
  if (waiting > 0 || isEarly) {
    await database.write('erasure_waits', async (trx) => {
      await trx.run(trx.builder.updateTable('data_requests').set({ waiting }).where('id', '=', request.id));
      await releaseWork(trx, claim, { inMs: LOOK_AGAIN_MS });
    });
    return;
  }
  await excludeSharedUploads(services, request, signal);
  if (request.uploads === 1) {
    for (const file of await undecidedUploads(database.read, request)) {
      signal.throwIfAborted();
      await eraseUpload(services, request, file);
    }
  }
  await cleanErasedTasks(services, request, keys, signal);
  if (request.end_user === null) await removeManyRows(services, keys, signal);
  await finishErasure(services, request, keys, claim);
}

/** Erases final tasks and cancels the others. @returns the number of tasks that have not ended */
async function eraseTasks(
  services: TaskServices,
  request: DataRequest,
  keys: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  const { read } = services.database;
  let open = 0;
  for (const range of rangesOf(keys))
    for (let after = ''; ; ) {
      signal.throwIfAborted();
      const page = await read.all(
        selectTasks(read, request, range, 'with content')
          .select(['id', 'api_key_id', 'status', 'media_json'])
          .where('id', '>', after),
      );
      await recordUploads(services.database, request, page);
      for (const { status, ...task } of page) {
        const { id } = task;
        if (!isFinal(status) && !(await cancel(services, task))) {
          open++;
          continue;
        }
        await eraseTask(services, id, { deletedAt: services.clock.now() });
        await count(services, request, 'orders');
      }
      if (page.length < PAGE) break;
      after = page.at(-1)?.id ?? after;
    }
  return open;
}

/** @returns whether the task has ended */
async function cancel(services: TaskServices, order: Pick<TaskRow, 'id' | 'api_key_id'>): Promise<boolean> {
  const { database } = services;
  await database
    .write('erasure_cancels', (trx) => cancelWithin(services, trx, order))
    .catch((error: unknown) => {
      // An engine that cannot stop continues, and the order is erased when it has ended.
      if (!(error instanceof ServiceError) || error.code !== 'not_cancelable') throw error;
    });
  const task = await database.read.first(
    database.read.builder.selectFrom('tasks').select('status').where('id', '=', order.id),
  );
  return task !== undefined && isFinal(task.status);
}

async function eraseUploads(
  services: TaskServices,
  request: DataRequest,
  keys: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const { read } = services.database;
  for (const keyId of keys)
    for (;;) {
      signal.throwIfAborted();
      let select = read.builder
        .selectFrom('files')
        .select(['id', 'storage_key', 'api_key_id'])
        .where('api_key_id', '=', keyId)
        .where('erased_at', 'is', null)
        .where('created_at', '<=', request.requested_at)
        .orderBy('id')
        .limit(PAGE);
      if (request.end_user !== null) select = select.where('end_user', '=', request.end_user);
      const page = await read.all(select);
      for (const file of page) await eraseUpload(services, request, file);
      if (page.length < PAGE) break;
    }
}

/** Erases an upload. The file is removed first: a later attempt finds it by the row. */
async function eraseUpload(
  services: TaskServices,
  request: DataRequest,
  { id, storage_key: key, api_key_id: keyId }: { id: string; storage_key: string; api_key_id: string },
): Promise<void> {
  const { database, storage, clock } = services;
  await storage.remove(key);
  // A copy that shares the files of its original cannot remove them.
  const isGone = (await storage.stat(key)) === null;
  await database.write('erase_file', (trx) => eraseFileRow(trx, { id, keyId, now: clock.now() }));
  if (isGone) await count(services, request, 'files');
}

/** Counts erased items for the operator; a kill between an erasure and its count loses one. */
async function count(services: TaskServices, request: DataRequest, what: 'orders' | 'files'): Promise<void> {
  await services.database.write('erasure_counts', (trx) =>
    trx.run(
      trx.builder
        .updateTable('data_requests')
        .set((expression) => ({ [what]: expression(what, '+', 1) }))
        .where('id', '=', request.id),
    ),
  );
}
