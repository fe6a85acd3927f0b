import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { openPremises } from './child-service.ts';

// How quick is shown by bench/while-painting.ts; here only that painting holds nobody up.
test('while films are painted, tasks are retrieved, and every film comes to its end', async (t) => {
  const premises = await openPremises(t);
  const child = await premises.start();
  const { live } = premises.keys;
  const film = { model_id: 'sketch-motion', prompt: 'a fox', resolution: '360p', duration: 1 };
  let painting = true;
  const begun = performance.now();
  const films = Promise.all(
    Array.from({ length: 3 }, async () => {
      const { body } = await child.call(live, 'POST', '/v1/videos', film);
      return await until(
        () => child.call(live, 'GET', body.data.urls.self, undefined, { prefer: 'wait=60' }),
        (answer) => answer.body.data.completed_at !== null,
      );
    }),
  ).finally(() => {
    painting = false;
  });
  const took: number[] = [];
  while (painting) {
    const since = performance.now();
    assert.equal((await child.call(live, 'GET', '/v1/videos')).status, 200);
    took.push(performance.now() - since);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  for (const { body } of await films) assert.equal(body.data.status, 'succeeded');
  // Where a film held them up, a retrieval would take as long as one of the three.
  const bound = Math.max(250, (performance.now() - begun) / 12);
  took.sort((one, other) => one - other);
  const median = took[Math.floor(took.length / 2)] ?? 0;
  assert.ok(median < bound, `the median of ${took.length} retrievals is ${median} ms, expected less than ${bound}`);
});
