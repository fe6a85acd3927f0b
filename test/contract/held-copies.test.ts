import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { openDatabase } from '../../src/database/open-database.ts';
import { copyInstallation } from '../helpers/copied-installation.ts';
import { DONE, FOX, hasBeaten, isReleased, openHeldServices } from '../helpers/held-services.ts';
import { createScriptedEngine } from '../helpers/scripted-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';

const { start, startOriginal } = await openHeldServices();

/** Makes due in a database what the process that was copied was doing. */
async function letGoOfWork({ DARKROOM_DATABASE_URL: url, DARKROOM_DATA_DIR: directory = '' }: Record<string, string>) {
  const database = await openDatabase({ url: url ?? null, path: join(directory, 'darkroom.db') });
  await database.write('let_go', (trx) => trx.run(trx.builder.updateTable('work').set({ due_at: 0 })));
  await database.close();
}

test('an order that the original of a held copy may have sent cannot be canceled there, alone or in a batch; later and simulated ones can', async (t) => {
  const { original, ordered } = await startOriginal(t);
  const { keys } = original;
  const order = (name: string, more: object) => ({ name, operation: 'images', body: { ...FOX, ...more } });
  const free = { model_id: 'sketch', simulate: { outcome: 'stuck' } };
  const placed = await original.call(keys.live, 'POST', '/v1/batches', { orders: [order('a', {}), order('b', {})] });
  assert.equal(placed.status, 201, JSON.stringify(placed.body));
  const batch = (path = '') => `/v1/batches/${placed.data.batch_id}${path}` as '/v1/batches/id';
  await until(
    async () => (await original.call(keys.live, 'GET', batch())).data.counts,
    ({ queued }) => queued === 2,
  );
  const slot = await original.issueKey({ mode: 'test', concurrency: 1 });
  const simulate = () => original.call(slot.key, 'POST', '/v1/images', { ...FOX, ...free });
  const [, simulated] = [await simulate(), (await simulate()).data];
  const again = createScriptedEngine();
  again.answer = () => DONE;
  const copy = await start(t, [again], await copyInstallation(wholeFile, original));
  const { call } = copy;
  const cancel = (key: string, id: string) => call(key, 'POST', `/v1/images/${id}/cancel`);
  const waiting = ordered[1]!.task_id;
  const refused = await cancel(keys.live, waiting);
  assert.deepEqual([refused.status, refused.error.code], [409, 'not_cancelable']);
  assert.match(refused.error.message, /restored from a backup, or copied, and is held/);
  const later = (await call(keys.live, 'POST', '/v1/images', FOX)).data;
  assert.equal((await cancel(keys.live, later.task_id)).data.status, 'canceled');
  assert.equal((await cancel(slot.key, simulated.task_id)).data.status, 'canceled');
  assert.equal((await call(keys.live, 'POST', batch('/cancel'))).status, 200);
  await hasBeaten(copy);
  assert.deepEqual((await call(keys.live, 'GET', batch())).data.counts.canceled, 0);

  await original.service.stop({ now: true });
  assert.equal((await call(keys.admin, 'DELETE', '/admin/v1/hold?as=successor')).status, 200);
  await isReleased(copy);
  const ended = await until(
    async () => (await call(keys.live, 'GET', batch())).data,
    ({ status }) => status !== 'processing',
  );
  assert.deepEqual([ended.counts.failed, ended.counts.canceled], [2, 0]);
  assert.equal((await call(keys.live, 'GET', `/v1/images/${waiting}`)).data.error?.code, 'outcome_unknown');
});

test('a held copy fetches no reference of an order that its original may have made, so that its loss fails none', async (t) => {
  let asked = 0;
  // The first answer never comes, and the others say that the picture is gone.
  const host = createServer((_request, response) => {
    asked++;
    if (asked > 1) response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await once(host, 'listening');
  t.after(() => host.close().closeAllConnections());
  const original = await start(t, [createScriptedEngine()]);
  const { keys } = original;
  const picture = `http://127.0.0.1:${(host.address() as AddressInfo).port}/fox.png`;
  const order = { ...FOX, model_id: 'from-picture', image_urls: [picture] };
  const { task_id: id } = (await original.call(keys.live, 'POST', '/v1/images', order)).data;
  await until(
    async () => asked,
    (count) => count === 1,
  );
  const variables = await copyInstallation(wholeFile, original);
  await letGoOfWork(variables);
  const copy = await start(t, [createScriptedEngine()], variables);
  await hasBeaten(copy);
  await original.service.stop({ now: true });
  assert.equal(asked, 1);
  assert.equal((await copy.call(keys.admin, 'DELETE', '/admin/v1/hold?as=successor')).status, 200);
  await isReleased(copy);
  assert.equal((await copy.call(keys.live, 'GET', `/v1/images/${id}`)).data.error?.code, 'outcome_unknown');
});
