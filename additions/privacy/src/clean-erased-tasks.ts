import type { Kernel, Transaction } from '@darkroom-service/darkroom/kernel';
import { cleanErased } from '@darkroom-service/darkroom/kernel-orders';
import type { DataRequest } from './data-requests.ts';
import { removeRows } from './remove-rows.ts';
import { PAGE, type Range, rangesOf, selectTasks } from './subject-tasks.ts';

/**
 * Removes what the erasure of a task leaves behind for its customer: names, messages of failures, URLs, notifications,
 * the log of requests, and files that a kill left. The position that it reached is stored with each page.
 */
export async function cleanErasedTasks(
  kernel: Pick<Kernel, 'files' | 'hooks' | 'store'>,
  request: DataRequest,
  keys: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const { files, store, hooks } = kernel;
  const parts = { database: store, hooks, storage: files.storage };
  const [doneKey = '', doneType = '', doneTask = ''] = request.cleaned_to.split(' ');
  for (const range of rangesOf(keys)) {
    const place = [range.keyId, range.type].join(' ');
    const done = [doneKey, doneType].join(' ');
    if (place < done) continue;
    for (let after = place === done ? doneTask : ''; ; ) {
      signal.throwIfAborted();
      const page = await store.read.all(
        selectTasks(store.read, request, range, 'all').select(['id', 'deleted_at']).where('id', '>', after),
      );
      const last = page.at(-1);
      if (last === undefined) break;
      await cleanErased(parts, page, {
        since: request.requested_at,
        async within(trx, erased) {
          await removeFromTables(trx, hooks, range, erased);
          await trx.run(
            trx.builder
              .updateTable('data_requests')
              .set({ cleaned_to: `${place} ${last.id}` })
              .where('id', '=', request.id),
          );
        },
      });
      if (page.length < PAGE) break;
      after = last.id;
    }
  }
}

async function removeFromTables(
  trx: Transaction,
  hooks: Kernel['hooks'],
  { keyId }: Range,
  erased: readonly string[],
): Promise<void> {
  for (const { table, keyColumn, taskColumn } of hooks.flatMap(({ personalTables = [] }) => personalTables))
    if (keyColumn !== undefined && taskColumn !== undefined)
      await removeRows(trx, table, { [keyColumn]: [keyId], [taskColumn]: erased });
}
