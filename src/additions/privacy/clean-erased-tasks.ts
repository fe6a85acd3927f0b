import type { JsonObject } from '@darkroom-service/contract';
import { sql, type TaskRow, type TaskServices, type Transaction } from '../../kernel.ts';
import { expireKeys, selectOpenGroups } from '../../kernel-accounts.ts';
import { removeTaskFiles } from '../../kernel-orders.ts';
import { failureOf, ordersOfGroup, readGroups, reportDetailOf } from '../../kernel-views.ts';
import type { DataRequest } from './data-requests.ts';
import { removeRows } from './remove-rows.ts';
import { PAGE, type Range, rangesOf, selectTasks } from './subject-tasks.ts';

/** What stays of a report for the operator: nothing that an upstream or a customer wrote. */
const KEPT_OF_REPORTS = ['engine', 'answer', 'host', 'kept_at'];

/**
 * Removes what the erasure of a task leaves behind for its customer: names, messages of failures, URLs, notifications,
 * the log of requests, and files that a kill left. The place up to which it came is stored with each page.
 */
export async function cleanErasedTasks(
  services: Pick<TaskServices, 'database' | 'hooks' | 'storage'>,
  request: DataRequest,
  keys: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const { database, hooks } = services;
  const [doneKey = '', doneType = '', doneTask = ''] = request.cleaned_to.split(' ');
  for (const range of rangesOf(keys)) {
    const place = [range.keyId, range.type].join(' ');
    const done = [doneKey, doneType].join(' ');
    if (place < done) continue;
    for (let after = place === done ? doneTask : ''; ; ) {
      signal.throwIfAborted();
      const page = await database.read.all(
        selectTasks(database.read, request, range, 'all').select(['id', 'deleted_at']).where('id', '>', after),
      );
      const last = page.at(-1);
      if (last === undefined) break;
      // Files of tasks that age has erased are gone: listing them costs calls.
      for (const { id, deleted_at: at } of page)
        if ((at ?? 0) >= request.requested_at) await removeTaskFiles(services, id);
      const ids = page.map(({ id }) => id);
      await database.write('erasure_cleans', async (trx) => {
        await cleanTasks(trx, hooks, range, ids);
        await trx.run(
          trx.builder
            .updateTable('data_requests')
            .set({ cleaned_to: `${place} ${last.id}` })
            .where('id', '=', request.id),
        );
      });
      if (page.length < PAGE) break;
      after = last.id;
    }
  }
}

async function cleanTasks(
  trx: Transaction,
  hooks: TaskServices['hooks'],
  { keyId }: Range,
  ids: readonly string[],
): Promise<void> {
  const { builder } = trx;
  const tasks = await trx.all(
    builder
      .selectFrom('tasks')
      .select(['id', 'error_json', 'line'])
      .where('id', 'in', ids)
      .where('erased_at', 'is not', null)
      .orderBy('id')
      .forUpdate(),
  );
  const erased = tasks.map(({ id }) => id);
  if (erased.length === 0) return;
  await trx.run(builder.updateTable('tasks').set({ webhook_url: null }).where('id', 'in', erased));
  for (const task of tasks) {
    const failure = failureOf(task);
    if (failure === null) continue;
    const error_json = JSON.stringify({ ...failure, message: 'The message was erased.' });
    await trx.run(builder.updateTable('tasks').set({ error_json }).where('id', '=', task.id));
  }
  for (const { forgotten, personalTables = [] } of hooks) {
    await forgotten?.(trx, erased);
    for (const { table, keyColumn, taskColumn } of personalTables)
      if (keyColumn !== undefined && taskColumn !== undefined)
        await removeRows(trx, table, { [keyColumn]: [keyId], [taskColumn]: erased });
  }
  // Customers choose Idempotency-Keys.
  await expireKeys(trx, erased, true);
  await shortenReports(trx, erased);
  await cleanGroups(trx, { hooks }, tasks);
}

async function shortenReports(trx: Transaction, tasks: readonly string[]): Promise<void> {
  const rows = await trx.all(
    trx.builder.selectFrom('reconciliation').select(['id', 'detail_json']).where('task_id', 'in', tasks),
  );
  for (const { id, ...row } of rows) {
    const kept = Object.entries(reportDetailOf(row)).filter(([name]) => KEPT_OF_REPORTS.includes(name));
    const detail: JsonObject = Object.fromEntries(kept);
    await trx.run(
      trx.builder
        .updateTable('reconciliation')
        .set({ detail_json: JSON.stringify(detail) })
        .where('id', '=', id),
    );
  }
}

/** What belongs to a group as a whole, such as a batch, goes with its last order. */
async function cleanGroups(
  trx: Transaction,
  { hooks }: Pick<TaskServices, 'hooks'>,
  tasks: readonly Pick<TaskRow, 'id' | 'line'>[],
): Promise<void> {
  const groups = await readGroups({ hooks }, trx, tasks);
  const ids: string[] = [];
  for (const id of new Set([...groups.values()].map((group) => group.id)))
    if (!(await hasContent(trx, { hooks }, id))) ids.push(id);
  if (ids.length === 0) return;
  for (const { forgotten } of hooks) await forgotten?.(trx, ids);
  await expireKeys(trx, ids, true);
}

/** Tells whether a group has an order that is not erased, or is no row of `tasks` yet. */
async function hasContent(trx: Transaction, { hooks }: Pick<TaskServices, 'hooks'>, groupId: string): Promise<boolean> {
  const promised = selectOpenGroups(trx, hooks).select('id').where('id', '=', groupId).where('unplaced', '>', 0);
  const kept = trx.builder
    .selectFrom('tasks')
    .innerJoin(sql<{ task_id: string }>`(${ordersOfGroup({ hooks }, groupId)})`.as('grouped'), 'task_id', 'tasks.id')
    .select('tasks.id')
    .where('erased_at', 'is', null);
  return (await trx.first(promised.limit(1))) !== undefined || (await trx.first(kept.limit(1))) !== undefined;
}
