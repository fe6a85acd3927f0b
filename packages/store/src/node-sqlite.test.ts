import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { SqliteConnection } from './node-sqlite.ts';

test('a statement that is run again after columns were added, renamed, dropped or moved names its values by them', async (t) => {
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
  assert.deepEqual(read(), [{ title: 'lamp', price: null }]);

  other.exec(`begin; create table ordered (price integer, title text); insert into ordered select price, title from things;
    drop table things; alter table ordered rename to things; commit`);
  other.close();
  assert.deepEqual(read(), [{ title: 'lamp', price: null }]);
});
