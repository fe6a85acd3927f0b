import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { SqliteConnection } from './node-sqlite.ts';

test('a statement that is run again after a column was added, renamed or dropped returns the columns of then', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-rows-'));
  const path = join(directory, 'rows.db');
  const connection = new SqliteConnection(path, { readOnly: false, now: () => 0 });
  t.after(async () => {
    connection.close();
    await rm(directory, { recursive: true });
  });
  const read = () => connection.all('select * from things', []);
  connection.exec("create table things (id integer, name text); insert into things values (1, 'lamp')");
  assert.deepEqual(read(), [{ id: 1, name: 'lamp' }]);
  connection.run('alter table things rename column name to title', []);
  assert.deepEqual(read(), [{ id: 1, title: 'lamp' }]);
  connection.run('alter table things drop column id', []);
  assert.deepEqual(connection.first('select * from things', []), { title: 'lamp' });

  const other = new DatabaseSync(path);
  other.exec('alter table things add column price integer');
  other.close();
  assert.deepEqual(read(), [{ title: 'lamp', price: null }]);
});
