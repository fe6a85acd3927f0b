import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatheredInserts } from './gathered-inserts.ts';

const insertOf = (name: string, values: unknown[]) => ({
  name,
  text: `insert into "${name}" ("a", "b") values (cast($1 as bigint), $2)`,
  values,
});

test('rows of one table share statements of 16, 4 and 1 rows, and tables keep the order of their first rows', () => {
  const inserts = new GatheredInserts();
  for (let row = 0; row < 22; row++) {
    assert.equal(inserts.add(insertOf('first', [row, `a${row}`])), true);
    if (row < 2) assert.equal(inserts.add(insertOf('second', [row, `b${row}`])), true);
  }
  const statements = inserts.take();
  assert.deepEqual(
    statements.map(({ name, values }) => [name, values.length]),
    [
      ['first_16', 32],
      ['first_4', 8],
      ['first', 2],
      ['first', 2],
      ['second', 2],
      ['second', 2],
    ],
  );
  assert.match(statements[1]!.text, / values \(cast\(\$1 as bigint\), \$2\), .*, \(cast\(\$7 as bigint\), \$8\)$/);
  assert.deepEqual(statements[1]!.values, [16, 'a16', 17, 'a17', 18, 'a18', 19, 'a19']);
  assert.deepEqual(inserts.take(), []);
});

test('rows are due to be sent once there are 96 of them', () => {
  const inserts = new GatheredInserts();
  for (let row = 0; row < 96; row++) {
    assert.equal(inserts.isFull, false);
    inserts.add(insertOf(row % 2 === 0 ? 'first' : 'second', [row, 'a']));
  }
  assert.equal(inserts.isFull, true);
  assert.equal(inserts.take().length, 6);
  assert.equal(inserts.isFull, false);
});

test('what is no plain insert, or whose answer depends on the other rows, is not gathered', () => {
  const inserts = new GatheredInserts();
  const row = insertOf('first', [1, 'a']);
  for (const text of [
    'update "first" set "a" = $1 where "b" = $2',
    `${row.text} returning "a"`,
    `${row.text} on conflict ("b") do update set "a" = excluded."a"`,
    `${row.text} on conflict ("b") do update set "a" = $3`,
  ])
    assert.equal(inserts.add({ ...row, text }), false, text);
  assert.equal(inserts.add({ text: row.text, values: row.values }), false, 'without a name');
  assert.equal(inserts.add({ ...row, text: `${row.text} on conflict ("b") do nothing` }), true);
});
