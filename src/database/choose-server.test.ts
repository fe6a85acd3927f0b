import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { loadPostgres, parseHosts, serverOf } from '@darkroom-service/store';
import { openBreakableConnection } from '../../test/helpers/breakable-connection.ts';
import { openPostgres } from '../../test/helpers/open-postgres.ts';
import { askPostgres, createPostgresDatabase } from '../../test/helpers/postgres-server.ts';

/** Accepts connections and answers nothing. */
async function openSilentServer(t: TestContext): Promise<string> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket.on('error', () => {})));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const withServers = (url: string, ...others: string[]) =>
  url.replace(new URL(url).host, [...others, new URL(url).host].join(','));

test('of several servers the one that accepts writes is used, whatever the others do', async (t) => {
  const url = await createPostgresDatabase(t);
  const silent = await openSilentServer(t);
  const database = await openPostgres({ url: withServers(url, '127.0.0.1:1', silent) });
  t.after(() => database.close());
  await database.write('test', (trx) => trx.run(trx.builder.insertInto('secrets').values({ name: 'a', value: '' })));
  const rows = await database.read.all(database.read.builder.selectFrom('secrets').select('name'));
  assert.deepEqual(rows, [{ name: 'a' }]);
});

test('a server that shuts down right after it has opened a connection ends no process, and is asked again', async (t) => {
  const line = await openBreakableConnection(t, await createPostgresDatabase(t));
  const database = await openPostgres({ url: `${line.url}?target_session_attrs=read-write` });
  t.after(() => database.close());
  line.endNext('darkroom report');
  const { builder } = database.read;
  assert.deepEqual(await database.reports.all(builder.selectFrom('secrets').select('name')), []);
});

test('when no server accepts writes, the error says of each why not, and has no password', async (t) => {
  const url = await createPostgresDatabase(t);
  const { host, pathname } = new URL(url);
  await askPostgres(url, `alter database ${pathname.slice(1)} set default_transaction_read_only = on`);
  const list = withServers(url, '127.0.0.1:1').replace('postgres@', 'postgres:secret@');
  const { connect } = await loadPostgres();
  await assert.rejects(
    connect(list, 'read', 0),
    ({ message }: Error) =>
      message.startsWith('no server accepts writes') &&
      message.includes('connect ECONNREFUSED') &&
      message.includes(`${host}${pathname}: a standby or read-only`) &&
      !message.includes('secret'),
  );
});

test('an address may list up to eight servers and say which one is wanted', () => {
  const wishOf = (url: string) => parseHosts(url)?.target;
  assert.deepEqual(parseHosts('postgres://u:p@a:1,[::1]:2/d?target_session_attrs=primary'), {
    urls: ['a:1', '[::1]:2'].map((host) => `postgres://u:p@${host}/d?target_session_attrs=primary`),
    target: 'writes',
  });
  assert.equal(wishOf('postgres://a,b/d'), 'writes');
  assert.equal(wishOf('postgresql://a,b/d?target_session_attrs=prefer-standby'), 'standby');
  assert.equal(wishOf('postgres://a/d?target_session_attrs=read-write'), 'writes');
  for (const one of ['postgres://a/d', 'postgres://a/d?target_session_attrs=any', 'postgres:///d?host=/run/postgres'])
    assert.deepEqual(parseHosts(one), { urls: [one], target: null });
  const nine = Array.from({ length: 9 }, (_, index) => `a${index}`).join(',');
  for (const wrong of ['a,/d', 'a,,b/d', 'a:x,b/d', 'a,b/d?target_session_attrs=any', `${nine}/d`])
    assert.equal(parseHosts(`postgres://${wrong}`), null, wrong);
  assert.equal(serverOf('postgres://u:p@a:1,b:2/d?x=y'), 'a:1,b:2/d');
});
