import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachDatabase } from '../../test/helpers/databases.ts';
import { placeAndEnd } from '../../test/helpers/ended-order.ts';
import { insertKey, openTestServices } from '../../test/helpers/task-services.ts';
import { failureOf } from '../record/task-json.ts';
import { reportToOperator } from '../tasks/report-to-operator.ts';
import type { TaskHooks } from '../tasks/task-hooks.ts';
import { eraseTask } from './erase-task.ts';

const GONE = { deletedAt: 1 };

/** The columns with what a customer has sent or what an engine has answered. */
const OF_CUSTOMER = ['metadata_json', 'input_json', 'request_json', 'media_json', 'outputs_json', 'keep_json'] as const;
const OF_UPSTREAM = ['operation_json', 'deliver_json', 'end_user', 'webhook_url'] as const;

forEachDatabase((kind) => {
  test('an erased task keeps nothing of what its customer sent, and nothing by which its upstream finds it', async (t) => {
    const { services, database } = await openTestServices(t, kind);
    const { read } = database;
    for (const deletedAt of [null, 1]) {
      const id = await placeAndEnd(services, await insertKey(services));
      const told = Object.fromEntries([...OF_CUSTOMER, ...OF_UPSTREAM].map((column) => [column, '["lighthouse"]']));
      // Read as a list of outputs.
      const failure = { code: 'upstream_error', message: 'no lighthouse', retry: 'never' };
      const changes = {
        ...told,
        outputs_json: '[{"key":"lighthouse"}]',
        error_json: JSON.stringify(failure),
      };
      const detail = { engine: 'sketch', job: 'job-1', message: 'no lighthouse', address: 'https://lighthouse' };
      await database.write('report', (trx) =>
        reportToOperator(services, trx, { taskId: id, kind: 'outcome_unknown', detail }),
      );
      await database.write('tell', (trx) =>
        trx.run(trx.builder.updateTable('tasks').set(changes).where('id', '=', id)),
      );
      await eraseTask(services, id, { deletedAt });
      const row = await read.first(read.builder.selectFrom('tasks').selectAll().where('id', '=', id));
      assert.doesNotMatch(JSON.stringify(row), /lighthouse/);
      assert.equal(row?.status, 'succeeded');
      assert.equal(failureOf(row)?.code, 'upstream_error');
      const report = await read.first(
        read.builder.selectFrom('reconciliation').select('detail_json').where('task_id', '=', id),
      );
      assert.deepEqual(report, { detail_json: '{"engine":"sketch","job":"job-1"}' }, 'to be compared with the bill');
    }
  });

  test('a hook that refuses keeps the task, and undoes what the hooks before it wrote', async (t) => {
    const { services, database } = await openTestServices(t, kind);
    const id = await placeAndEnd(services, await insertKey(services));
    const hooks: TaskHooks[] = [
      { erased: noteIn('before') },
      { erased: () => Promise.reject(new Error('not now')) },
      { erased: noteIn('after') },
    ];
    await assert.rejects(eraseTask({ ...services, hooks }, id, GONE), /not now/);
    const { read } = database;
    const row = await read.first(read.builder.selectFrom('tasks').select('erased_at').where('id', '=', id));
    const notes = await read.all(read.builder.selectFrom('secrets').select('name').where('value', '=', id));
    assert.deepEqual([row?.erased_at, notes], [null, []]);
  });

  test('hooks run in their order, and again when a task that is erased is deleted', async (t) => {
    const { services } = await openTestServices(t, kind);
    const id = await placeAndEnd(services, await insertKey(services));
    const seen: string[] = [];
    const hooks: TaskHooks[] = [
      ...services.hooks,
      { erased: async (_trx, task) => seen.push(`first ${task.id}`) },
      { erased: async (_trx, task) => seen.push(`second ${task.id}`) },
    ];
    await eraseTask({ ...services, hooks }, id, { deletedAt: null });
    await eraseTask({ ...services, hooks }, id, GONE);
    assert.deepEqual(seen, [`first ${id}`, `second ${id}`, `first ${id}`, `second ${id}`]);
  });
});

function noteIn(name: string): NonNullable<TaskHooks['erased']> {
  return (trx, { id }) => trx.run(trx.builder.insertInto('secrets').values({ name, value: id }));
}
