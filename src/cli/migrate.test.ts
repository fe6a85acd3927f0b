import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { askPostgres, createEmptyPostgresDatabase } from '../../test/helpers/postgres-server.ts';
import { installation } from '../../test/helpers/run-darkroom.ts';

test('migrate moves an installation into PostgreSQL, and says so again when it is repeated', async (t) => {
  const { data, run, json } = await installation(t);
  const to = await createEmptyPostgresDatabase(t);
  const { key_id } = await json('keys', 'create', '--mode', 'test');
  const words = ['migrate', '--from', `sqlite:${join(data, 'darkroom.db')}`, '--to', to];
  const moved = await json(...words);
  assert.equal(moved.already_there, false);
  assert.deepEqual(await askPostgres(to, 'select id from api_keys'), [{ id: key_id }]);
  const again = await run(...words);
  assert.equal(again.code, 0);
  assert.match(again.stdout, /were copied before and are equal on both sides/);
  await json('keys', 'create', '--mode', 'live');
  const late = await run(...words);
  assert.equal(late.code, 1);
  assert.match(late.stderr, /since then one side has been written to/);
});

test('migrate refuses what it cannot move before it makes anything', async (t) => {
  const { directory, run } = await installation(t);
  const missing = join(directory, 'nothing.db');
  const none = await run('migrate', '--from', `sqlite:${missing}`, '--to', 'postgres://localhost/x');
  assert.deepEqual([none.code, existsSync(missing)], [1, false]);
  assert.match(none.stderr, /There is no database at/);
  const same = await run('migrate', '--from', 'sqlite:a.db', '--to', 'sqlite:./a.db');
  assert.equal(same.code, 2);
  const unknown = await run('migrate', '--from', 'mysql://a/b', '--to', 'sqlite:./a.db');
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, /--from: expected sqlite:<path> or postgres:/);
});
