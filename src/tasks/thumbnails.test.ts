import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EXAMINED_WITHIN_MS } from '@darkroom-service/contract';
import { placeOrder } from '../../test/helpers/ended-order.ts';
import { commitEnding, succeededWith } from '../../test/helpers/task-commits.ts';
import { insertKey, openTestServices } from '../../test/helpers/task-services.ts';
import { taskFileKey, thumbnailKeyOf } from '../record/task.ts';
import { createThumbnails } from './thumbnails.ts';

test('a request for a thumbnail that cannot be made in time is refused for now, and the next one gets it', async (t) => {
  const { services } = await openTestServices(t);
  const task = await placeOrder(services, await insertKey(services));
  const { outputs, ...ending } = succeededWith(task.price, task);
  const output = { ...outputs[0]!, key: taskFileKey(task.id, 1, '0.png') };
  assert.ok(await commitEnding(services, 'settle', task, { ...ending, outputs: [output] }));
  await services.storage.put(output.key, Buffer.from('x'), { contentType: 'image/png', maxBytes: 1 });
  const begun = Promise.withResolvers<void>();
  const drawn = Promise.withResolvers<Uint8Array>();
  const thumbnail = async () => {
    begun.resolve();
    return await drawn.promise;
  };
  const { make } = createThumbnails({ ...services, media: { ...services.media, thumbnail } });
  const key = thumbnailKeyOf(output) ?? '';
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const first = make(key);
  await begun.promise;
  t.mock.timers.tick(EXAMINED_WITHIN_MS);
  await assert.rejects(first, { code: 'service_unavailable', retryAfterSeconds: 10 });
  const second = make(key);
  drawn.resolve(Buffer.from('small'));
  assert.deepEqual(await second, { bytes: 5 });
});
