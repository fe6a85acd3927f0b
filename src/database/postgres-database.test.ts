import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { loadPostgres, type Migration } from '@darkroom-service/store';
import { until as untilAccepted } from '@darkroom-service/testing';
import { openBreakableConnection } from '../../test/helpers/breakable-connection.ts';
import { openPostgres } from '../../test/helpers/open-postgres.ts';
import {
  askPostgres,
  createEmptyPostgresDatabase,
  createPostgresDatabase,
} from '../../test/helpers/postgres-server.ts';
import type { Database, Transaction } from './database.ts';
import { planOf, SCHEMA_VERSION } from './migrate.ts';
import { prepare } from './prepared.ts';

const { connect, endConnection, openPostgresNotices } = await loadPostgres();

const insert = (trx: Transaction, name: string) =>
  trx.run(trx.builder.insertInto('secrets').values({ name, value: '' }));
const insertSent = prepare<{ name: string }, unknown>('test_sent', (builder, argument) =>
  builder.insertInto('secrets').values({ name: argument('name'), value: '' }),
);
const readNames = prepare<object, { name: string }>('test_names', (builder) =>
  builder.selectFrom('secrets').selectAll().orderBy('name'),
);
const names = async (database: Database) => (await database.read.all(readNames, {})).map((row) => row.name);

async function open(
  t: TestContext,
  url: string,
  options: Omit<Parameters<typeof openPostgres>[0], 'url'> = {},
): Promise<Database> {
  const database = await openPostgres({ url, ...options });
  t.after(() => database.close());
  return database;
}

test('twenty processes that start at once on an empty database make one schema', async (t) => {
  const url = await createEmptyPostgresDatabase(t);
  const databases = await Promise.all(Array.from({ length: 20 }, () => openPostgres({ url, listen: false })));
  const rows = await askPostgres(url, 'select version from schema_migrations');
  for (const database of databases) await database.close();
  assert.deepEqual(rows, [{ version: SCHEMA_VERSION }]);
});

test('migrations wait for a server that goes away meanwhile', async (t) => {
  const line = await openBreakableConnection(t, await createEmptyPostgresDatabase(t));
  line.loseNextCommit();
  const database = await open(t, line.url);
  await database.write('a', (trx) => insert(trx, 'a'));
  assert.deepEqual(await names(database), ['a']);
});

test('a failing migration leaves the old schema intact', async (t) => {
  const url = await createEmptyPostgresDatabase(t);
  const broken: Migration = {
    version: SCHEMA_VERSION + 1,
    name: 'broken',
    statements: () => ['create table half (id text)', 'create table half (id text)'],
  };
  await open(t, url);
  const plan = planOf([]);
  await assert.rejects(open(t, url, { plan: { ...plan, steps: [...plan.steps, broken] } }), /"half" already exists/);
  const [row] = await askPostgres(
    url,
    `select to_regclass('half') as half, (select max(version) from schema_migrations) as version`,
  );
  assert.deepEqual(row, { half: null, version: SCHEMA_VERSION });
});

test('a connection that was lost while idle is opened again', async (t) => {
  const url = await createPostgresDatabase(t);
  const database = await open(t, url);
  await database.write('a', (trx) => insert(trx, 'a'));
  await names(database);
  await askPostgres(url, END_OTHERS);
  await database.write('b', (trx) => insert(trx, 'b'));
  assert.deepEqual(await names(database), ['a', 'b']);
});

test('a group that was not committed when the connection was lost runs again, once', async (t) => {
  const url = await createPostgresDatabase(t);
  const database = await open(t, url);
  let runs = 0;
  const written = await Promise.all(
    ['a', 'b', 'c'].map((name) =>
      database.write(name, async (trx) => {
        await insert(trx, name);
        if (name === 'b' && runs++ === 0) await askPostgres(url, END_OTHERS);
        return await insert(trx, `${name}${name}`);
      }),
    ),
  );
  assert.deepEqual(written, [1, 1, 1]);
  assert.deepEqual(await names(database), ['a', 'aa', 'b', 'bb', 'c', 'cc']);
  assert.equal(runs, 2);
});

test('a commit without confirmation is reported as unknown and does not run again', async (t) => {
  const line = await openBreakableConnection(t, await createPostgresDatabase(t));
  const database = await open(t, line.url);
  await database.write('first', (trx) => insert(trx, 'first'));
  const runs: string[] = [];
  let confirmed = 0;
  const write = (name: string) =>
    database.write(name, async (trx) => {
      runs.push(name);
      trx.afterCommit(() => confirmed++);
      await insert(trx, `${name} ${runs.length}`);
    });
  line.loseNextCommit();
  const results = await Promise.allSettled([write('a'), write('b')]);
  for (const result of results) {
    assert.equal(result.status, 'rejected');
    assert.equal(result.reason.code, 'service_unavailable');
    assert.match(result.reason.message, /unknown whether the request took effect/);
  }
  assert.deepEqual(runs, ['a', 'b']);
  assert.equal(confirmed, 0);
  await database.write('last', (trx) => insert(trx, 'last'));
  assert.deepEqual(await names(database), ['a 1', 'b 2', 'first', 'last']);
});

test('a commit that is answered with an error is unknown, unless the error proves that it was rolled back', async (t) => {
  const line = await openBreakableConnection(t, await createPostgresDatabase(t));
  const database = await open(t, line.url);
  const answerOf = async (code: string) => {
    line.refuseNextCommit(code);
    const answer = await database.write(code, (trx) => insert(trx, code)).catch((error: Error) => error);
    assert.ok(answer instanceof Error);
    return answer.message;
  };
  // Internal error of a coordinator, a cancelled wait, a statement completion that nobody knows.
  for (const code of ['XX000', '57014', '40003'])
    assert.match(await answerOf(code), /unknown whether the request took/);
  // Constraints, transaction states, lack of resources.
  for (const code of ['23514', '25000', '53200']) assert.doesNotMatch(await answerOf(code), /unknown/);
});

test('nothing is written of a transaction that the server did not begin, and its units run again', async (t) => {
  const line = await openBreakableConnection(t, await createPostgresDatabase(t));
  const database = await open(t, line.url);
  await database.write('a', (trx) => insert(trx, 'a'));
  line.garbleNextBegin();
  const write = (name: string) =>
    database.write(name, async (trx) => {
      await trx.all(readNames, {});
      await insert(trx, name);
      if (name === 'c') throw new Error('it is rolled back');
    });
  const [b, c] = await Promise.allSettled([write('b'), write('c')]);
  assert.deepEqual([b.status, c.status], ['fulfilled', 'rejected']);
  assert.deepEqual(await names(database), ['a', 'b']);
});

test('the first query of a transaction is sent with its begin', async (t) => {
  const line = await openBreakableConnection(t, await createPostgresDatabase(t));
  const database = await open(t, line.url);
  const write = () => database.write('a', (trx) => trx.all(readNames, {}));
  await write();
  const before = line.turns;
  await write();
  // With it, and with the commit.
  assert.equal(line.turns - before, 2);
});

test('the last writes of a transaction are sent with its commit', async (t) => {
  const line = await openBreakableConnection(t, await createPostgresDatabase(t));
  const database = await open(t, line.url);
  const write = (name: string) =>
    database.write(name, async (trx) => {
      await trx.all(readNames, {});
      trx.send(insertSent, { name });
      trx.beforeCommit('last', (session) => session.send(insertSent, { name: `${name} last` }));
    });
  await write('a');
  const before = line.turns;
  await write('b');
  assert.equal(line.turns - before, 2);
  assert.deepEqual(await names(database), ['a', 'a last', 'b', 'b last']);
});

test('a write waits for a server that is started again, and is refused when that takes too long', async (t) => {
  const line = await openBreakableConnection(t, await createPostgresDatabase(t));
  const patient = await open(t, line.url, { patienceMs: 60_000 });
  await patient.write('a', (trx) => insert(trx, 'a'));
  line.cut();
  const waiting = patient.write('b', (trx) => insert(trx, 'b'));
  await until(() => line.refusals > 0);
  line.mend();
  assert.equal(await waiting, 1);
  const faults: string[] = [];
  const database = await open(t, line.url, { patienceMs: 400, onFault: (_, what) => faults.push(what) });
  line.cut();
  const startedAt = performance.now();
  const refused = await Promise.allSettled(
    Array.from({ length: 300 }, (_, index) => database.write('c', (trx) => insert(trx, `c${index}`))),
  );
  assert.ok(performance.now() - startedAt < 20_000, 'they were refused together');
  for (const result of refused) assert.equal(result.status === 'rejected' && result.reason.code, 'service_unavailable');
  await assert.rejects(names(database), { code: 'service_unavailable' });
  line.mend();
  await until(() =>
    database
      .write('d', (trx) => insert(trx, 'd'))
      .then(
        () => true,
        () => false,
      ),
  );
  assert.deepEqual(await names(database), ['a', 'b', 'd']);
  assert.ok(faults.length > 0);
});

test('a unit that swallows a database error is not reported as done', async (t) => {
  const database = await open(t, await createPostgresDatabase(t));
  await database.write('a', (trx) => insert(trx, 'a'));
  await assert.rejects(
    database.write('b', async (trx) => {
      await insert(trx, 'b');
      await insert(trx, 'a').catch(() => {});
    }),
    /duplicate key/,
  );
  assert.deepEqual(await names(database), ['a']);
});

test('a unit whose sent row somebody else has just stored runs again, also when a later statement fails after it', async (t) => {
  const database = await open(t, await createPostgresDatabase(t));
  await database.write('a', (trx) => insert(trx, 'a'));
  let runs = 0;
  await database.write('b', async (trx) => {
    runs++;
    trx.send(insertSent, { name: runs === 1 ? 'a' : 'b' });
    await trx.all(readNames, {});
  });
  assert.equal(runs, 2);
  assert.deepEqual(await names(database), ['a', 'b']);
});

test('what has failed first in a transaction is told, not what failed after it', async (t) => {
  const database = await open(t, await createPostgresDatabase(t));
  await database.write('a', (trx) => insert(trx, 'a'));
  await assert.rejects(
    database.write('b', async (trx) => {
      trx.send(insertSent, { name: 'a' });
      await trx.all(readNames, {});
    }),
    /duplicate key/,
  );
});

test('a unit that shares a read with one whose row somebody else has stored runs again too', async (t) => {
  const database = await open(t, await createPostgresDatabase(t));
  await database.write('a', (trx) => insert(trx, 'a'));
  const sharedRead = (trx: Transaction) => trx.once('names', () => trx.all(readNames, {}));
  const runs: string[] = [];
  await Promise.all([
    database.write(
      'b',
      async (trx) => {
        runs.push('b');
        trx.send(insertSent, { name: runs.length === 1 ? 'a' : 'b' });
        await sharedRead(trx);
      },
      { together: true },
    ),
    database.write(
      'c',
      async (trx) => {
        runs.push('c');
        await sharedRead(trx);
        await insert(trx, 'c');
      },
      { together: true },
    ),
  ]);
  assert.deepEqual(runs, ['b', 'c', 'b', 'c']);
  assert.deepEqual(await names(database), ['a', 'b', 'c']);
});

test('a unit that waits for another process does not delay its group', async (t) => {
  const url = await createPostgresDatabase(t);
  const [one, other] = [await open(t, url), await open(t, url)];
  const held = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const holding = one.write('hold', async (trx) => {
    await trx.lock('x');
    held.resolve();
    await release.promise;
  });
  await held.promise;
  let runs = 0;
  let locked = false;
  const first = other.write('first', (trx) => insert(trx, 'first'));
  const second = other.write('second', async (trx) => {
    runs++;
    await trx.lock('x');
    locked = true;
    await insert(trx, 'second');
  });
  const third = other.write('third', (trx) => insert(trx, 'third'));
  await Promise.all([first, third]);
  await until(async () => (await askPostgres(url, WAITING_FOR_LOCKS)).length === 1);
  assert.equal(locked, false);
  release.resolve();
  await Promise.all([holding, second]);
  assert.equal(runs, 2);
  assert.deepEqual(await names(one), ['first', 'second', 'third']);
});

test('two processes that wait for each other both get through', async (t) => {
  const url = await createPostgresDatabase(t);
  const databases = [await open(t, url), await open(t, url)];
  const bothHold = Promise.withResolvers<void>();
  let holding = 0;
  await Promise.all(
    databases.map((database, index) =>
      database.write('cross', async (trx) => {
        await trx.lock(index === 0 ? 'deadlock:x' : 'deadlock:y');
        if (++holding === 2) bothHold.resolve();
        await bothHold.promise;
        await trx.lock(index === 0 ? 'deadlock:y' : 'deadlock:x');
        await insert(trx, `${index}`);
      }),
    ),
  );
  assert.deepEqual(await names(databases[0]!), ['0', '1']);
  assert.equal(holding, 3);
});

test('other processes that listen get every notification, the sender does not', async (t) => {
  const url = await createPostgresDatabase(t);
  const [one, other] = [await open(t, url), await open(t, url)];
  const heard = new Set<string>();
  const end = other.onRemoteChange((topics) => {
    for (const topic of topics) heard.add(topic);
  });
  one.onRemoteChange(() => assert.fail('it heard itself'));
  await listening(other, 'tasks');
  const topics = Array.from({ length: 1_000 }, (_, index) => `img_${String(index).padStart(26, '0')}`);
  one.announce('tasks', topics.slice(0, 10));
  one.announce('tasks', topics);
  await until(() => heard.size === 1_000);
  end();
  // One that still listens tells when the notification has come.
  let more = false;
  other.onRemoteChange(() => {
    more = true;
  });
  one.announce('others', ['not heard']);
  one.announce('tasks', ['more']);
  await until(() => more);
  assert.deepEqual([...heard].sort(), topics);
});

test('a listener whose connection was lost comes back, and says that it may have missed something', async (t) => {
  const url = await createPostgresDatabase(t);
  const faults: string[] = [];
  const [one, other] = [await open(t, url), await open(t, url, { onFault: (_, what) => faults.push(what) })];
  await listening(other, 'tasks');
  const before = other.changeCounter();
  await askPostgres(url, `${END_OTHERS} and application_name = 'darkroom listen'`);
  await until(() => other.changeCounter() !== before);
  const heard: string[] = [];
  other.onRemoteChange((topics) => heard.push(...topics));
  await until(() => {
    one.announce('tasks', ['work']);
    return heard.length > 0;
  });
  assert.deepEqual(faults, ['notification connection lost; reconnecting']);
});

test('a notice is not flushed to disk, and comes to those only who listen to its channel', async (t) => {
  const url = await createPostgresDatabase(t);
  const sender = await connect(url, 'read', 0);
  t.after(() => endConnection(sender));
  const settings: unknown[] = [];
  const send = async (text: string, values: unknown[]) => {
    await sender.query('begin');
    await sender.query(text, values);
    settings.push((await sender.query('show synchronous_commit')).rows[0].synchronous_commit);
    await sender.query('commit');
  };
  const heard: string[] = [];
  const faults = { onGap() {}, onFault: () => assert.fail('a fault') };
  const carrier = await openPostgresNotices({ url, send }, { ...faults, onNotice: (text) => heard.push(text) });
  await carrier.listen(['tasks', 'more'], []);
  await carrier.listen([], ['more']);
  await carrier.send([
    { channel: 'others', text: 'not heard' },
    { channel: 'more', text: 'no longer heard' },
    { channel: 'tasks', text: 'heard' },
  ]);
  await until(() => heard.length > 0);
  assert.deepEqual(heard, ['heard']);
  assert.deepEqual(settings, ['off']);
  await carrier.close();
});

test('statements stay usable when a newer version adds a column beneath them', async (t) => {
  const url = await createPostgresDatabase(t);
  const database = await open(t, url);
  await database.write('a', (trx) => insert(trx, 'a'));
  const readThere = (trx: Transaction) => trx.all(readNames, {});
  await database.write('read', readThere);
  await names(database);
  await askPostgres(url, `alter table secrets add column more text not null default ''`);
  assert.equal((await database.write('read', readThere)).length, 1);
  assert.deepEqual(await names(database), ['a']);
});

test('a text with NUL is refused with a clear error', async (t) => {
  const database = await open(t, await createPostgresDatabase(t));
  await assert.rejects(
    database.write('a', (trx) => insert(trx, 'a\0b')),
    { code: 'invalid_request' },
  );
});

test("the backup command refers to PostgreSQL's own tools", async (t) => {
  const database = await open(t, await createPostgresDatabase(t));
  await assert.rejects(database.backup('copy'), /pg_dump/);
});

test('a server that cannot be reached is named without its password', async () => {
  await assert.rejects(openPostgres({ url: 'postgres://me:secret@host.invalid:1/darkroom' }), (error: Error) => {
    assert.match(error.message, /PostgreSQL at host\.invalid:1\/darkroom cannot be used/);
    assert.ok(!error.message.includes('secret'));
    return true;
  });
});

const WAITING_FOR_LOCKS = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
const END_OTHERS = `select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()`;

const until = (isSo: () => boolean | Promise<boolean>) => untilAccepted(isSo, (so) => so);

/** Resolves once a process hears what is announced to a channel. */
function listening(database: Database, channel: string): Promise<void> {
  return new Promise((resolve) => {
    database.listenTo(channel, resolve);
  });
}
