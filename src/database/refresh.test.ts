import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startTestRefresh } from '../../test/helpers/start-refresh.ts';

/** Starts a refresh whose reads end when the test resolves them. */
async function open(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval', 'setTimeout'] });
  const reads: PromiseWithResolvers<void>[] = [];
  let isOpen = false;
  const refresh = await startTestRefresh('test', 1_000, async () => {
    if (!isOpen) return;
    const read = Promise.withResolvers<void>();
    reads.push(read);
    await read.promise;
  });
  isOpen = true;
  return { refresh, reads };
}

test('requests during a read share one that begins after it', async (t) => {
  const { refresh, reads } = await open(t);
  const first = refresh.now();
  const [one, two] = [refresh.now(), refresh.now()];
  assert.equal(reads.length, 1, 'one read at a time');
  reads[0]?.resolve();
  await first;
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(reads.length, 2);
  reads[1]?.resolve();
  await Promise.all([one, two]);
  await refresh.stop();
  t.mock.timers.tick(10_000);
  assert.equal(reads.length, 2, 'nothing is read after the stop');
});

test('a read that does not end delays the next one by five seconds only', async (t) => {
  const { refresh, reads } = await open(t);
  const passSeconds = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      t.mock.timers.tick(1_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await passSeconds(5);
  assert.equal(reads.length, 1);
  await passSeconds(2);
  assert.equal(reads.length, 2);
  reads[1]?.resolve();
  await refresh.stop();
});

test('a failed read rejects the request for it, and the next one works', async (t) => {
  const { refresh, reads } = await open(t);
  const failed = refresh.now();
  reads[0]?.reject(new Error('away'));
  await assert.rejects(failed, /away/);
  const next = refresh.now();
  reads[1]?.resolve();
  await next;
  await refresh.stop();
});
