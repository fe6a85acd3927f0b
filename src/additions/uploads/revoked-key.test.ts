import assert from 'node:assert/strict';
import { test } from 'node:test';
import { smallPicture } from '@darkroom-service/engines/fakes/parts';
import { openTestHttp } from '../../../test/helpers/http.ts';
import { revokeKey } from '../../accounts/api-keys.ts';

test('a revoked key ends the signed URLs of its uploads, and those of no other key', async (t) => {
  const { app, as, issue, services, clock } = await openTestHttp(t);
  const [gone, kept] = [await issue(), await issue()];
  const payload = Buffer.from(await smallPicture);
  const urls: string[] = [];
  for (const { key } of [gone, kept]) {
    const headers = { 'content-type': 'application/octet-stream' };
    const { data } = (await as(key, { method: 'POST', url: '/v1/files', payload, headers })).json();
    const { pathname, search } = new URL(data.url);
    urls.push(`${pathname}${search}`);
  }
  const statuses = () => Promise.all(urls.map(async (url) => (await app.inject({ url })).statusCode));
  assert.deepEqual(await statuses(), [200, 200]);
  const by = { actor: 'test', now: clock.now(), createId: services.createId };
  await revokeKey(services.database, by, gone.key_id);
  assert.deepEqual(await statuses(), [403, 200]);
});
