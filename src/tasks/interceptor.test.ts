import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../test/helpers/service.ts';
import { createSwiftEngine } from '../../test/helpers/swift-engine.ts';
import { ADDITIONS } from '../additions/list.ts';
import type { Addition } from '../service/addition.ts';

/** The moments at which two additions are asked about an order. */
const MOMENTS = ['one before submission', 'other before submission', 'one before success', 'other before success'];
const ORDER = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' };

function askedAdditions(refusing: string) {
  const asked: string[] = [];
  const addition = (name: string): Addition => {
    const answer = async (moment: string) => {
      asked.push(`${name} ${moment}`);
      return `${name} ${moment}` === refusing ? `Refused by ${name}.` : null;
    };
    return {
      name,
      open: () => ({
        judge: async () => ({
          beforeSubmission: () => answer('before submission'),
          beforeSuccess: () => answer('before success'),
        }),
      }),
    };
  };
  return { asked, additions: [...ADDITIONS, addition('one'), addition('other')] };
}

for (const [index, refusing] of MOMENTS.entries())
  test(`an order that an addition refuses fails with its reason, and nobody is asked after ${refusing}`, async (t) => {
    const { asked, additions } = askedAdditions(refusing);
    const { make, keys } = await startTestService(t, { service: { additions, engines: [createSwiftEngine()] } });
    const task = await make(keys.live, '/v1/images', ORDER);
    assert.deepEqual([task.status, task.error.code], ['failed', 'content_policy']);
    assert.equal(task.error.message, `Refused by ${refusing.split(' ')[0]}.`);
    assert.deepEqual([task.cost.state, task.outputs], ['released', []]);
    assert.deepEqual(asked, MOMENTS.slice(0, index + 1));
  });

test('an order of an OpenAI client, which begins at once, is not submitted before additions are asked', async (t) => {
  const { additions } = askedAdditions('other before submission');
  const swift = createSwiftEngine();
  let started = 0;
  const start: typeof swift.start = (order, context) => {
    started++;
    return swift.start(order, context);
  };
  const { call, keys } = await startTestService(t, {
    service: { additions, engines: [createSwiftEngine({ start })] },
  });
  const { status, error } = await call(keys.live, 'POST', '/openai/v1/images/generations', {
    model: 'sketch',
    prompt: 'a fox',
  });
  assert.equal(status, 400);
  assert.match(error.message, /Refused by other\./);
  assert.equal(started, 0);
});
