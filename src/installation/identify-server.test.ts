import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPostgres } from '../../test/helpers/open-postgres.ts';
import { askPostgres, createEmptyPostgresDatabase } from '../../test/helpers/postgres-server.ts';
import { identifyServer } from './identify-server.ts';

test('a server is told from its copies by the database alone where its own identifier may not be read', async (t) => {
  const url = await createEmptyPostgresDatabase(t);
  const open = async (address: string) => {
    const database = await openPostgres({ url: address, listen: false });
    t.after(() => database.close());
    return database;
  };
  const all = await identifyServer(await open(url));
  assert.match(all.systemId ?? '', /^\d+$/);
  const role = `plain_${new URL(url).pathname.slice(1)}`;
  await askPostgres(url, `create role ${role} login`);
  t.after(async () => {
    await askPostgres(url, `drop owned by ${role}`);
    await askPostgres(url, `drop role ${role}`);
  });
  await askPostgres(url, 'revoke execute on function pg_control_system() from public');
  for (const what of ['schema public', 'all tables in schema public'])
    await askPostgres(url, `grant all on ${what} to ${role}`);
  const plain = new URL(url);
  plain.username = role;
  assert.deepEqual(await identifyServer(await open(plain.href)), { systemId: null, databaseOid: all.databaseOid });
});
