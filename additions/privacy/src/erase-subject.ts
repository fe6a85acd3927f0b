import { ServiceError } from '@darkroom-service/contract';
import type { Claim, Kernel, TaskRow } from '@darkroom-service/darkroom/kernel';
import { isFinal } from '@darkroom-service/darkroom/kernel-views';
import { endWork, releaseWork } from '@darkroom-service/store';
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
export async function eraseSubject(kernel: Kernel, claim: Claim, signal: AbortSignal): Promise<void> {
  const { store } = kernel;
  const request = await findRequest(store.read, claim.subject);
  if (request === null || request.completed_at !== null) {
    await store.write('erasure_ended', (trx) => endWork(trx, claim));
    return;
  }
  await recordErasure(kernel.files.storage, knownErasure(request));
  const keys = await keysOf(store.read, request.account_id);
  if (request.end_user === null) await closeAccount(kernel, request);
  const waiting = (await eraseTasks(kernel, request, keys, signal)) + (await countUnplaced(kernel, request, keys));
  await eraseUploads(kernel, request, keys, signal);
  // Other processes accept a revoked key for a moment longer, and a commit may be in progress.
  const isEarly =
    kernel.clock.now() < request.requested_at + (request.end_user === null ? KEYS_KNOWN_MS : COMMITTED_MS);
  if (waiting > 0 || isEarly) {
    await store.write('erasure_waits', async (trx) => {
      await trx.run(trx.builder.updateTable('data_requests').set({ waiting }).where('id', '=', request.id));
      await releaseWork(trx, claim, { inMs: LOOK_AGAIN_MS });
    });
    return;
  }
  await excludeSharedUploads(kernel, request, signal);
  if (request.uploads === 1) {
    for (const file of await undecidedUploads(store.read, request)) {
      signal.throwIfAborted();
      await eraseUpload(kernel, request, file);
    }
  }
  await cleanErasedTasks(kernel, request, keys, signal);
  if (request.end_user === null) await removeManyRows(kernel, keys, signal);
  await finishErasure(kernel, request, keys, claim);
}

/** Erases final tasks and cancels the others. @returns the number of tasks that have not ended */
async function eraseTasks(
  kernel: Kernel,
  request: DataRequest,
  keys: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  const { read } = kernel.store;
  let open = 0;
  for (const range of rangesOf(keys))
    for (let after = ''; ; ) {
      signal.throwIfAborted();
      const page = await read.all(
        selectTasks(read, request, range, 'with content')
          .select(['id', 'api_key_id', 'status', 'media_json'])
          .where('id', '>', after),
      );
      await recordUploads(kernel.store, request, page);
      for (const { status, ...task } of page) {
        const { id } = task;
        if (!isFinal(status) && !(await cancel(kernel, task))) {
          open++;
          continue;
        }
        await kernel.orders.erase(id, { deletedAt: kernel.clock.now() });
        await count(kernel, request, 'orders');
      }
      if (page.length < PAGE) break;
      after = page.at(-1)?.id ?? after;
    }
  return open;
}

/** @returns whether the task has ended */
async function cancel(kernel: Kernel, order: Pick<TaskRow, 'id' | 'api_key_id'>): Promise<boolean> {
  const { orders, store } = kernel;
  await store
    .write('erasure_cancels', (trx) => orders.cancelWithin(trx, order))
    .catch((error: unknown) => {
      // An engine that cannot stop continues, and the order is erased when it has ended.
      if (!(error instanceof ServiceError) || error.code !== 'not_cancelable') throw error;
    });
  const task = await store.read.first(
    store.read.builder.selectFrom('tasks').select('status').where('id', '=', order.id),
  );
  return task !== undefined && isFinal(task.status);
}

async function eraseUploads(
  kernel: Kernel,
  request: DataRequest,
  keys: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const { read } = kernel.store;
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
      for (const file of page) await eraseUpload(kernel, request, file);
      if (page.length < PAGE) break;
    }
}

/** Erases an upload. The file is removed first: a later attempt finds it by the row. */
async function eraseUpload(
  kernel: Kernel,
  request: DataRequest,
  { id, storage_key: key, api_key_id: keyId }: { id: string; storage_key: string; api_key_id: string },
): Promise<void> {
  const { clock, files, inputs, store } = kernel;
  const { storage } = files;
  await storage.remove(key);
  // A copy that shares the files of its original cannot remove them.
  const isGone = (await storage.stat(key)) === null;
  await store.write('erase_file', (trx) => inputs.erase(trx, { id, keyId, now: clock.now() }));
  if (isGone) await count(kernel, request, 'files');
}

/** Counts erased items for the operator; a kill between an erasure and its count loses one. */
async function count(kernel: Kernel, request: DataRequest, what: 'orders' | 'files'): Promise<void> {
  await kernel.store.write('erasure_counts', (trx) =>
    trx.run(
      trx.builder
        .updateTable('data_requests')
        .set((expression) => ({ [what]: expression(what, '+', 1) }))
        .where('id', '=', request.id),
    ),
  );
}
