import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { until } from '@darkroom-service/testing';
import type { Database } from '../../../../src/database/database.ts';
import type { Check } from '../../../../src/service/check.ts';
import { assertFewAreTold, startFleet, timeOrder } from '../../../../test/helpers/few-are-told.ts';
import { loadConfig } from '../../../../test/helpers/load-config.ts';
import { loggedLines } from '../../../../test/helpers/logged-lines.ts';
import { type NatsServer, startNatsServer } from '../../../../test/helpers/nats-server.ts';
import { openPostgres } from '../../../../test/helpers/open-postgres.ts';
import { createPostgresDatabase } from '../../../../test/helpers/postgres-server.ts';
import { runDarkroom } from '../../../../test/helpers/run-darkroom.ts';
import { openServerWithoutListen } from '../../../../test/helpers/server-without-listen.ts';
import type { TestService } from '../../../../test/helpers/service.ts';
import { openTransactionPooler } from '../../../../test/helpers/transaction-pooler.ts';
import { FLEET } from '../../src/fleet.ts';

const SECRET = 'p@ss/word';
const SIGN_IN = `authorization { user: "darkroom", password: "${SECRET}" }`;
const urlOf = ({ host }: NatsServer, user = '') => `nats://${user === '' ? '' : `${user}@`}${host}`;

async function noticesCheck({ call, keys }: TestService) {
  const { status, body } = await call(keys.admin, 'GET', '/readyz');
  assert.equal(status, 200);
  return body.checks?.find(({ name }) => name === 'notices');
}

async function isUp({ url, keys }: TestService): Promise<string | undefined> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${keys.admin}` } });
  return /^darkroom_notices_up (\d)$/m.exec(await answer.text())?.[1];
}

test('with NATS, an order is told to at most three processes, and the database gets neither LISTEN nor NOTIFY', async (t) => {
  const nats = await startNatsServer(t, SIGN_IN);
  const database = await openServerWithoutListen(t, await createPostgresDatabase(t), '0A000');
  const notices = urlOf(nats, `darkroom:${encodeURIComponent(SECRET)}`);
  await assertFewAreTold(t, { DARKROOM_DATABASE_URL: database.url, DARKROOM_NOTICES_URL: notices }, () =>
    nats.delivered(),
  );
  assert.deepEqual([database.refusals, database.notices], [0, 0]);
});

test('a service starts without its NATS server, works while it is killed, and hears others again when it is back', async (t) => {
  const nats = await startNatsServer(t, 'authorization { token: "a-token" }');
  await nats.kill();
  const { log, lines } = loggedLines('warn');
  const api = await startFleet(
    t,
    { DARKROOM_DATABASE_URL: await createPostgresDatabase(t), DARKROOM_NOTICES_URL: urlOf(nats, 'a-token') },
    ['worker'],
    log,
  );
  const away = async () => {
    await until(
      () => noticesCheck(api),
      (found) => found?.ok === false && /ECONNREFUSED/.test(found.detail),
    );
    assert.equal(await isUp(api), '0');
    await timeOrder(api);
  };
  await away();
  await nats.start();
  await until(
    () => noticesCheck(api),
    (found) => found?.ok === true,
  );
  assert.equal(await isUp(api), '1');
  const before = await nats.delivered();
  // The other processes connect again in their own time.
  await until(
    async () => {
      await timeOrder(api);
      return await nats.delivered();
    },
    (delivered) => delivered > before,
  );
  await nats.kill();
  await away();
  const told = lines.filter(({ msg }) => msg === 'notification connection lost; reconnecting');
  assert.deepEqual(
    told.map(({ level }) => level),
    ['warn', 'warn'],
  );
});

test('a wrong password is a warning that does not tell the password, and orders are found by polls', async (t) => {
  const nats = await startNatsServer(t, SIGN_IN);
  const { log, lines } = loggedLines('trace');
  const api = await startFleet(
    t,
    { DARKROOM_DATABASE_URL: await createPostgresDatabase(t), DARKROOM_NOTICES_URL: urlOf(nats, 'darkroom:wrong-one') },
    ['worker'],
    log,
  );
  const check = await until(
    () => noticesCheck(api),
    (found) => found?.ok === false,
  );
  assert.match(check?.detail ?? '', /Authorization Violation/);
  await timeOrder(api);
  assert.doesNotMatch(JSON.stringify(lines), /wrong-one/);
});

function carrierAt(url: string) {
  return FLEET.openNoticeTransport?.(
    loadConfig({ DARKROOM_DATABASE_URL: 'postgres://a/b', DARKROOM_NOTICES_URL: url }),
  );
}

async function enterInstallation(database: Database, name: string): Promise<void> {
  await database.write('installation', (trx) =>
    trx.run(
      trx.builder.insertInto('installation').values({
        row: 1,
        id: `ins_${name}`,
        owner: name,
        beat: 0,
        system_id: null,
        database_oid: null,
        held: null,
        prefix: null,
        sweep_stopped: null,
      }),
    ),
  );
}

test('installations on one server hear their own processes only', async (t) => {
  const nats = await startNatsServer(t);
  const open = async (url: string) => {
    const database = await openPostgres({ url, openNoticeTransport: carrierAt(urlOf(nats)) });
    t.after(() => database.close());
    return database;
  };
  const heard: string[] = [];
  const listen = async (database: Database, name: string) => {
    database.onRemoteChange((topics) => heard.push(...topics.map((topic) => `${name} heard ${topic}`)));
    await until(
      async () => database.notices.fault,
      (fault) => fault === null,
    );
    await new Promise<void>((resolve) => database.listenTo('tasks', resolve));
  };
  for (const name of ['one', 'other']) {
    const url = await createPostgresDatabase(t);
    const [sender, listener] = [await open(url), await open(url)];
    await enterInstallation(sender, name);
    await listen(listener, name);
    await until(
      () => {
        sender.announce('tasks', [`${name}'s`]);
        return heard;
      },
      (lines) => lines.some((line) => line.startsWith(name)),
    );
  }
  assert.deepEqual([...new Set(heard)], ["one heard one's", "other heard other's"]);
});

async function openListener(t: TestContext, url: string) {
  const faults: string[] = [];
  const database = await openPostgres({
    url: await createPostgresDatabase(t),
    openNoticeTransport: carrierAt(url),
    onFault: (_, what) => faults.push(what),
  });
  t.after(() => database.close());
  await enterInstallation(database, 'test');
  return { database, faults };
}

test('a server that refuses the subjects is told once, and so is one without TLS where TLS is asked for', async (t) => {
  const allowed = 'permissions: { publish: "elsewhere", subscribe: "elsewhere" }';
  const nats = await startNatsServer(t, `authorization { users: [{ user: "a", password: "b", ${allowed} }] }`);
  const refused = await openListener(t, urlOf(nats, 'a:b'));
  await until(
    async () => {
      refused.database.listenTo('tasks');
      refused.database.announce('tasks', ['more']);
      return refused.database.notices.fault ?? '';
    },
    (fault) => /permissions violation/i.test(fault),
  );
  assert.deepEqual(refused.faults, ['the NATS server refuses notices']);
  const plain = await openListener(t, urlOf(nats, 'a:b').replace('nats:', 'tls:'));
  await until(
    () => plain.database.notices.fault ?? '',
    (fault) => fault.includes("server does not support 'tls'"),
  );
});

test('a server that accepts connections and says nothing is asked again, and costs no more than one connection', async (t) => {
  const open = new Set<Socket>();
  let attempts = 0;
  const silent = createServer((socket) => {
    attempts++;
    open.add(socket.on('error', () => {}).on('close', () => open.delete(socket)));
    socket.resume();
  }).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  t.after(() => silent.close());
  const { database, faults } = await openListener(t, `nats://127.0.0.1:${(silent.address() as AddressInfo).port}`);
  await until(
    () => attempts,
    (count) => count >= 3,
  );
  assert.ok(open.size <= 1, `${open.size} connections`);
  assert.deepEqual(faults, ['notification connection lost; reconnecting']);
  assert.match(database.notices.fault ?? '', /^expected 127\.0\.0\.1:\d+ to answer within 2000 ms, found nothing$/);
});

test('doctor says whether NATS answers, and that processes behind a pooler are heard without the database', async (t) => {
  const nats = await startNatsServer(t, SIGN_IN);
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-nats-doctor-'));
  t.after(() => rm(directory, { recursive: true }));
  const pooler = await openTransactionPooler(t, await createPostgresDatabase(t), { ignoresParameters: false });
  const look = async (user: string) => {
    const env = {
      DARKROOM_DATA_DIR: directory,
      DARKROOM_DATABASE_URL: pooler,
      DARKROOM_NOTICES_URL: urlOf(nats, user),
    };
    const { stdout } = await runDarkroom(['doctor', '--json'], env, directory);
    const { checks } = JSON.parse(stdout) as { readonly checks: readonly Check[] };
    return checks
      .filter(({ name }) => name === 'notices' || name === 'database')
      .map(({ name, status, found }) => `${name} ${status}: ${found}`);
  };
  const [database, notices] = await look(`darkroom:${encodeURIComponent(SECRET)}`);
  assert.match(
    database ?? '',
    /^database ok: .*through a transaction pooler .*; other processes are heard without it\)/,
  );
  assert.equal(notices, 'notices ok: NATS answers');
  assert.equal((await look('darkroom:wrong'))[1], 'notices warning: NATS cannot be used: Authorization Violation');
});
