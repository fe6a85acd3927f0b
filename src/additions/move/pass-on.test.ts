import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { ServiceError } from '@darkroom-service/contract/errors';
import fastify from 'fastify';
import { sendRaw } from '../../../test/raw-http.ts';
import { openTestServices } from '../../../test/task-services.ts';
import { hashSecret } from '../../accounts/key-secret.ts';
import { passOn } from './pass-on.ts';

test('a process that cannot read which accounts have left does not deny a key, because it may be one of theirs', async (t) => {
  const { database, clock } = await openTestServices(t, 'postgres');
  let isAway = true;
  const read = Object.create(database.read, {
    all: {
      value: (...query: Parameters<typeof database.read.all>) => {
        if (isAway) throw new ServiceError('service_unavailable', 'The database cannot be reached now.');
        return database.read.all(...query);
      },
    },
  });
  const app = fastify();
  t.after(() => app.close());
  passOn({ database: { ...database, read }, clock }, 'eu1')(app);
  app.setErrorHandler((error: ServiceError, _, reply) =>
    reply.code(error.code === 'service_unavailable' ? 503 : 500).send(),
  );
  // Stands for what the service answers when it finds no row of the key.
  app.get('/v1/account', (_, reply) => reply.code(401).send());
  app.get('/healthz', (_, reply) => reply.send('well'));
  const statusOf = async (url: string, headers = {}) => (await app.inject({ url, headers })).statusCode;
  const withKey = { authorization: 'Bearer dk_live_eu1' };

  assert.equal(await statusOf('/v1/account', withKey), 503);
  assert.equal(await statusOf('/healthz'), 200);
  isAway = false;
  clock.advance(1_000);
  assert.equal(await statusOf('/v1/account', withKey), 401);
  isAway = true;
  clock.advance(1_000);
  assert.equal(await statusOf('/v1/account', withKey), 401, 'what it has just read is trusted');
  clock.advance(4_000);
  assert.equal(await statusOf('/v1/account', withKey), 503);
});

test('a request whose target is a whole address goes to the cell of its account, not to the host that it names', async (t) => {
  const { database, clock } = await openTestServices(t, 'postgres');
  const asked: string[] = [];
  const cell = createServer(({ url = '' }, response) => {
    asked.push(url);
    response.setHeader('content-type', 'application/json').end('{}');
  }).listen(0, '127.0.0.1');
  await once(cell, 'listening');
  t.after(() => cell.close());
  const url = `http://127.0.0.1:${(cell.address() as AddressInfo).port}/us1`;
  const key = 'dk_live_moved';
  await database.write('move', async (trx) => {
    const move = {
      account_id: 'studio',
      role: 'source',
      state: 'open',
      move_id: 'm',
      cell: 'us1',
      url,
      fence: 1,
    } as const;
    const times = { held_until: 0, closed_until: 0, changed_at: 1 };
    await trx.run(trx.builder.insertInto('account_moves').values({ ...move, ...times }));
    const moved = { key_id: 'key_1', account_id: 'studio', hash: hashSecret(key), previous_hash: null };
    await trx.run(trx.builder.insertInto('moved_keys').values(moved));
  });
  const app = fastify();
  t.after(() => app.close());
  passOn({ database, clock }, 'eu1')(app);
  app.get('/v1/account', (_, reply) => reply.code(401).send());
  const here = await app.listen({ port: 0, host: '127.0.0.1' });
  const answers = [];
  for (const target of ['/v1/account?a=1', 'http://elsewhere.example/v1/account?a=1', 'HTTP://@:80/v1/account']) {
    answers.push(
      (await sendRaw(here, `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`)).status,
    );
  }
  assert.deepEqual(asked, ['/us1/v1/account?a=1', '/us1/v1/account?a=1']);
  assert.deepEqual(answers, [200, 200, 400]);
});
