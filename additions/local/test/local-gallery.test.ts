import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { openGallery, TINY_BYTES } from '../../../test/helpers/gallery-bench.ts';
import { installation, startDarkroom } from '../../../test/helpers/run-darkroom.ts';

test('an admin pulls a model after accepting its licence, stops it, goes on, and removes it again', async (t) => {
  const { hub, tiny, pull, cancel, remove, call, keys } = await openGallery(t);
  const first = await tiny();
  assert.deepEqual(
    [first.state, first.bytes, first.is_exact, first.licence, first.model_ids],
    ['not_pulled', TINY_BYTES, true, { id: 'Community 1.0', must_be_accepted: true }, ['local-tiny']],
  );
  const refused = await pull();
  assert.deepEqual(
    [refused.status, refused.error.code, refused.error.param],
    [400, 'invalid_request', 'accept_licence'],
  );
  assert.equal((await cancel()).status, 400);
  hub.pauseMs = 300;
  assert.equal((await pull({ accept_licence: true })).data.state, 'pulling');
  assert.match((await pull()).error.message, /Another darkroom command is changing/);
  const under = await until(tiny, ({ pull: now }) => (now?.done_bytes ?? 0) > TINY_BYTES / 3);
  assert.deepEqual([under.state, under.pull?.total_bytes, under.pull?.file], ['pulling', TINY_BYTES, 'tiny-Q4.gguf']);
  const stopped = (await cancel()).data;
  assert.deepEqual([stopped.state, stopped.pull, stopped.failure], ['not_pulled', null, null]);
  hub.pauseMs = 0;
  const asked = hub.sent();
  assert.equal((await pull()).status, 200);
  const pulled = await until(tiny, ({ state }) => state === 'pulled');
  assert.ok(hub.sent() - asked < TINY_BYTES, 'what had arrived was not loaded again');
  assert.deepEqual([pulled.licence.must_be_accepted, pulled.pull], [false, null]);
  await until(
    () => call(keys.live, 'GET', '/v1/models/local-tiny'),
    ({ status }) => status === 200,
  );
  const removed = (await remove()).data;
  assert.ok(removed.removed && removed.bytes > TINY_BYTES / 2);
  assert.equal((await tiny()).state, 'not_pulled');
  const { items } = (await call(keys.admin, 'GET', '/admin/v1/audit')).data;
  assert.deepEqual(
    items.filter(({ target }) => target === 'tiny').map(({ act }) => act),
    ['local.remove', 'local.pull', 'local.cancel', 'local.pull'],
  );
});

test('facts that only the hub tells need an agreement, and wrong bytes are told as the reason', async (t) => {
  const licence = { id: 'MIT', acceptance: false };
  const { hub, tiny, pull } = await openGallery(t, { licence }, { bytes: null, sha256: null });
  await pull();
  const asked = await until(tiny, ({ state, failure }) => state === 'not_pulled' && failure !== null);
  assert.deepEqual(
    [asked.state, asked.failure?.unverified],
    ['not_pulled', [{ file: 'tiny-Q4.gguf', facts: ['bytes', 'sha256'] }]],
  );
  hub.faults.push('wrong byte');
  await pull({ accept_unverified: true });
  const wrong = await until(tiny, ({ state, failure }) => state === 'not_pulled' && failure?.unverified.length === 0);
  assert.match(wrong.failure?.message ?? '', /has the digest .* The file was deleted/);
  await pull({ accept_unverified: true });
  assert.equal((await until(tiny, ({ state }) => state === 'pulled')).failure, null);
  assert.equal((await pull({ build: 'steam' })).status, 400);
});

test('a pull of the command line is shown, and a model that needs too much memory is refused', async (t) => {
  const { hub, tiny, pull, cancel, config, env } = await openGallery(t, { memory_bytes: 9e12 });
  assert.match((await pull({ accept_licence: true })).error.message, /needs 9000000000000 bytes of memory/);
  hub.pauseMs = 50;
  const { directory } = await installation(t);
  const words = ['pull', 'tiny', '--build', 'none', '--accept-licence', '--force'];
  const { process: command, ended } = startDarkroom(
    words,
    { ...env, DARKROOM_DATA_DIR: config.dataDirectory },
    directory,
  );
  await until(tiny, ({ pull: now }) => (now?.done_bytes ?? 0) > 0);
  assert.match((await cancel()).error.message, /pulled by another process/);
  command.kill('SIGINT');
  assert.equal((await ended).code, 130);
  assert.equal((await tiny()).state, 'not_pulled');
});
