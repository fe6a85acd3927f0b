import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing/until';
import { startTestService } from '../../test/service.ts';
import { createSwiftEngine } from '../../test/swift-engine.ts';

const ORDERS = 7;
const CAPACITY = 2;

test('orders that begin when they are placed take no more slots of their engine than it has, and the others follow', async (t) => {
  let running = 0;
  let most = 0;
  const waiting: (() => void)[] = [];
  const swift = createSwiftEngine();
  const engine = createSwiftEngine({
    concurrency: CAPACITY,
    async start(order, context) {
      most = Math.max(most, ++running);
      await new Promise<void>((resolve) => waiting.push(resolve));
      running--;
      return await swift.start(order, context);
    },
  });
  const { call, keys } = await startTestService(t, { service: { engines: [engine] } });
  const answers = Array.from({ length: ORDERS }, (_, index) =>
    call(keys.live, 'POST', '/openai/v1/images/generations', { model: 'sketch', prompt: `fox ${index}` }),
  );
  for (let begun = 1; begun <= ORDERS; begun++) {
    await until(
      () => waiting,
      (calls) => calls.length === Math.min(CAPACITY, ORDERS - begun + 1),
    );
    waiting.shift()?.();
  }
  for (const answer of answers) assert.equal((await answer).status, 200);
  assert.equal(most, CAPACITY);
});
