import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '@darkroom-service/contract';
import { rounds } from '@darkroom-service/testing';
import fc from 'fast-check';
import { forEachDatabase } from '../../../test/helpers/databases.ts';
import { placeAndEnd } from '../../../test/helpers/ended-order.ts';
import { kernelOf } from '../../../test/helpers/kernel.ts';
import { insertKey, openTestServices } from '../../../test/helpers/task-services.ts';
import { balanceOf } from '../../accounts/ledger.ts';
import { deleteTask } from '../../erasure/delete-task.ts';
import type { StoredOutput } from '../../record/task.ts';
import { choresOf } from '../../service/open-additions.ts';
import type { TaskServices } from '../../tasks/task-services.ts';
import { findTask } from '../../views/find-tasks.ts';
import { listTasks } from '../../views/list-tasks.ts';
import { Housekeeping } from '../../worker/housekeeping.ts';
import { deleteLater, restoreTask } from './delayed-deletions.ts';
import { DELETIONS } from './deletions.ts';
import { eraseDueTasks } from './erase-due-tasks.ts';

const OUTPUT = {
  key: 'tasks/none/output.png',
  contentType: 'image/png',
  bytes: 8,
  width: 8,
  height: 8,
  sha256: '00',
  fps: null,
  thumbnailKey: null,
  tiles: null,
  seed: null,
  revisedPrompt: null,
  isOversized: true,
} as unknown as StoredOutput;
const SKEW_MS = 60_000;
const LIST = {
  limit: 20,
  offset: 0,
  status: [],
  after: null,
  modelId: null,
  endUser: null,
  parentTaskId: null,
  batchId: null,
  source: null,
  createdAfter: null,
  createdBefore: null,
};

const delay = fc.integer({ min: 1, max: 120 });
const deed = fc.oneof(
  fc.record({ does: fc.constant('delete later' as const), seconds: delay }),
  fc.record({ does: fc.constant('restore' as const) }),
  fc.record({ does: fc.constant('chores' as const) }),
  fc.record({ does: fc.constant('delete' as const) }),
);
type Act = { readonly does: 'delete' | 'restore' | 'chores' } | { readonly does: 'delete later'; seconds: number };
const step = fc.oneof(
  { weight: 3, arbitrary: fc.array(deed, { minLength: 1, maxLength: 1 }) },
  // At the same time, by two processes.
  { weight: 2, arbitrary: fc.array(deed, { minLength: 2, maxLength: 3 }) },
  { weight: 3, arbitrary: delay },
);

forEachDatabase((kind) => {
  test('however deletions, delays, restorations and chores meet, a task is shown with its output, hidden until its time, or erased, and its charge stays', async (t) => {
    const { services, clock, openAnother } = await openTestServices(t, kind);
    // Clocks of machines differ.
    const other = { ...(await openAnother()), clock: { now: () => clock.now() + SKEW_MS } };
    const key = await insertKey(services);
    const { read } = services.database;
    let price = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14, size: 'max' }), async (steps) => {
        const before = await balanceOf(read, key.account.id, key.mode);
        const id = await placeAndEnd(services, key, [OUTPUT]);
        price = before - (await balanceOf(read, key.account.id, key.mode));
        const paid = before - price;
        /** When it is erased, if nothing else happens; null = it is shown. */
        let until: number | null = null;
        let erased = false;

        const act = async (one: Act, on: typeof services): Promise<'done' | 'no task'> => {
          try {
            // A chore that has read the task while it was due.
            if (one.does === 'chores' && on !== services)
              await eraseDueTasks(kernelOf(on), new AbortController().signal);
            else if (one.does === 'chores') await startStopped(on);
            else if (one.does === 'restore') await restoreTask(kernelOf(on), key, 'image', id);
            else if (one.does === 'delete later') await deleteLater(kernelOf(on), key, 'image', id, one.seconds);
            else await deleteTask(on, key, 'image', id);
            return 'done';
          } catch (error) {
            assert.ok(error instanceof ServiceError && error.code === 'task_not_found', String(error));
            return 'no task';
          }
        };
        const stored = async () => {
          const row = await read.first(read.builder.selectFrom('tasks').selectAll().where('id', '=', id));
          const wait = await read.first(
            read.builder.selectFrom('delayed_deletions').select('delete_at').where('task_id', '=', id),
          );
          assert.ok(row !== undefined);
          return { row, deleteAt: wait?.delete_at ?? null };
        };

        for (const one of steps) {
          if (typeof one === 'number') {
            clock.advance(one * 1_000);
            continue;
          }
          const now = clock.now();
          const results = await Promise.all(
            one.map((each, place) => act(each as Act, place % 2 === 0 ? services : other)),
          );
          const [only] = one;
          if (one.length === 1 && only !== undefined) {
            const isOver = until !== null && until <= now;
            const expected: string = erased || (only.does === 'restore' && isOver) ? 'no task' : 'done';
            assert.equal(only.does === 'chores' ? 'done' : expected, results[0], only.does);
            if (only.does === 'delete') erased = true;
            if (only.does === 'delete later' && !erased) until ??= now + only.seconds * 1_000;
            if (only.does === 'restore' && !isOver) until = null;
            if (only.does === 'chores' && isOver) erased = true;
          }
          const { row, deleteAt } = await stored();
          if (one.length > 1) {
            // Any order of them is right, if what is left is whole.
            erased ||= row.erased_at !== null;
            until = deleteAt;
            const restored = one.some(({ does }, place) => does === 'restore' && results[place] === 'done');
            if (restored && one.every(({ does }) => does === 'restore' || does === 'chores'))
              assert.deepEqual([erased, until], [false, null], 'what was answered holds');
          }
          assert.equal(row.erased_at !== null, erased);
          assert.equal(row.outputs_json === '[]', erased, 'files go with the erasure, and only then');
          if (!erased) assert.equal(deleteAt, until);
          assert.equal(row.deleted_at !== null, erased || until !== null);
          const isShown: boolean = !erased && until === null;
          const listed = await listTasks(services, key, 'image', LIST);
          assert.equal(
            listed.items.some((task) => task.task_id === id),
            isShown,
          );
          if (isShown) assert.equal((await findTask(services, key, 'image', id)).outputs.length, 1);
          else await assert.rejects(findTask(services, key, 'image', id), { code: 'task_not_found' });
          assert.equal(await balanceOf(read, key.account.id, key.mode), paid);
        }
        clock.advance(200_000);
        await startStopped(services);
        const { row, deleteAt } = await stored();
        assert.deepEqual(
          [row.erased_at !== null, deleteAt],
          [erased || until !== null, null],
          'nothing waits for ever',
        );
        await deleteTask(services, key, 'image', id).catch(() => {});
      }),
      {
        numRuns: rounds(kind === 'sqlite' ? 60 : 30),
        examples: [[[[{ does: 'delete later', seconds: 30 }], [{ does: 'restore' }, { does: 'chores' }]]]],
      },
    );
    assert.ok(price > 0);
  });
});

async function startStopped(services: TaskServices): Promise<void> {
  const housekeeping = new Housekeeping(services, { chores: choresOf([DELETIONS], kernelOf(services)) });
  await housekeeping.runOnce();
  await housekeeping.stop();
}
