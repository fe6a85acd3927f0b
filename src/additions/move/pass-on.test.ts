import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '@darkroom-service/contract/errors';
import fastify from 'fastify';
import { openTestServices } from '../../../test/task-services.ts';
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
