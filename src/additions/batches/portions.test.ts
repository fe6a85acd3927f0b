import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { anyCharacter } from '@darkroom-service/testing/samples';
import fc from 'fast-check';
import { scopeDigest } from '../../accounts/scope.ts';
import type { TaskRow } from '../../record/task.ts';
import { NEW_TASK, TASK_COLUMNS } from '../../record/task-columns.ts';
import type { AwaitedTasks } from '../../tasks/parent-gate.ts';
import { createPortions, PORTION, readPortion, storedRows } from './portions.ts';

const text = fc.string({ unit: anyCharacter, maxLength: 20 });
/** Few values for each column, so that neighbouring rows share some and differ in others. */
const value = fc.constantFrom<unknown>(null, 0, 7, 'sketch', '{"a":1}', '❄');
const anyRow = fc
  .record({
    columns: fc.dictionary(fc.constantFrom(...TASK_COLUMNS), value, { maxKeys: 3 }),
    input: text,
    /** Some portions become so long that a thread compresses them. */
    repeats: fc.oneof({ weight: 40, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.constant(45_000) }),
    price: fc.nat(1_000),
    end_user: fc.constantFrom(null, 'ann', 'ben'),
    name: fc.constantFrom(null, 'hero'),
    awaited: fc.constantFrom<AwaitedTasks>({ parents: [], used: [] }, { parents: ['img_1'], used: ['img_1', 'img_2'] }),
  })
  .map(({ columns, input, repeats, price, end_user, name, awaited }) => {
    const usual = Object.fromEntries(TASK_COLUMNS.map((column) => [column, 'usual']));
    const all: Record<string, unknown> = { ...usual, ...columns };
    const scope = end_user === null ? null : scopeDigest(String(all.api_key_id), end_user);
    const row = { ...all, input_json: `${input}${'❄'.repeat(repeats)}`, price, end_user, scope, ...NEW_TASK };
    return { row: row as unknown as TaskRow, name, awaited };
  });

test('the orders of a batch are read from its portions as they were stored, with what they wait for', async () => {
  const rows = fc.array(anyRow, { maxLength: 2 * PORTION + 10, size: 'max' });
  await fc.assert(
    fc.asyncProperty(rows, async (orders) => {
      const portions = createPortions();
      for (const { row, name, awaited } of orders) portions.add(row, name, awaited);
      const stored = await portions.finish();
      let read = 0;
      for (const portion of stored) {
        assert.equal(portion.first, read);
        const own = orders.slice(read, read + PORTION);
        const sums = new Map<string, number>();
        for (const { row } of own)
          if (row.end_user !== null) sums.set(row.end_user, (sums.get(row.end_user) ?? 0) + row.price);
        assert.deepEqual(portion.endUsers, sums);
        const expected = own.map(({ row, name, awaited }) => ({
          row,
          name,
          awaited: awaited.parents.length > 0 ? awaited : null,
        }));
        // Without a comparison of megabytes in the message.
        assert.ok(isDeepStrictEqual(await readPortion(storedRows(portion)), expected), `portion from ${read} on`);
        read += own.length;
      }
      assert.equal(read, orders.length);
      assert.equal(
        portions.keptBytes,
        stored.reduce((sum, { deflated }) => sum + deflated.length, 0),
      );
    }),
    // Smaller examples of megabytes would take minutes to find.
    { numRuns: 40, endOnFailure: true },
  );
});
