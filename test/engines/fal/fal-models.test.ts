import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { systemClock } from '@darkroom-service/contract';
import { createFalEngine } from '@darkroom-service/engines/adapters';
import { openFakeServer } from '@darkroom-service/engines/fakes/parts';
import { createTrustedFetch } from '@darkroom-service/media';
import { createLog } from '../../../src/base/log.ts';

/** What fal might answer for ids of which it has some and lacks others. Its documentation does not say. */
const ANSWERS = {
  'refuses the whole request': (found: string[], asked: string[]) => (found.length < asked.length ? null : found),
  'leaves those out that it lacks': (found: string[]) => found,
  'leaves those out, and has one model a page': (found: string[]) => found.slice(0, 1),
};

async function openFal(t: TestContext, answer: Parameters<typeof openFakeServer>[0]) {
  const fal = await openFakeServer(answer);
  t.after(() => fal.stop());
  const { fetch, close } = createTrustedFetch({ allowedAddresses: [] });
  t.after(close);
  const tools = { clock: systemClock, log: createLog('silent'), fetch };
  const engine = createFalEngine({ ...tools, key: 'id:secret', url: fal.url });
  const context = { signal: AbortSignal.timeout(20_000), onProgress: () => {} };
  return { find: (asked: readonly string[]) => engine.models?.(context, asked) ?? assert.fail('it has no list') };
}

for (const [name, answer] of Object.entries(ANSWERS))
  test(`a model at fal is gone only if fal says so of it alone, also when fal ${name}`, async (t) => {
    const sold = Array.from({ length: 60 }, (_, number) => `fal-ai/fox/v${number}`);
    const groups: number[] = [];
    const { find } = await openFal(t, ({ query, reply }) => {
      const asked = query.getAll('endpoint_id');
      groups.push(asked.length);
      const found = answer(
        asked.filter((id) => sold.includes(id)),
        asked,
      );
      if (found === null || found.length === 0) return reply(404, { error: { type: 'not_found' } });
      reply(200, { models: found.map((id) => ({ endpoint_id: id })), has_more: false, next_cursor: null });
    });
    assert.deepEqual([...(await find([...sold, 'fal-ai/gone'])).keys()], sold);
    assert.ok(Math.max(...groups) <= 50, `fal takes 50 ids a request, and was sent ${groups}`);
  });

test('an answer of fal that is no list says of no model that it is gone', async (t) => {
  const { find } = await openFal(t, ({ query, reply }) => {
    const [first, ...others] = query.getAll('endpoint_id');
    // The group is answered; of the model that it lacks, a gateway answers in fal's place.
    if (others.length > 0) return reply(200, { models: [{ endpoint_id: first }] });
    reply(200, { status: 'ok' });
  });
  await assert.rejects(async () => await find(['fal-ai/fox', 'fal-ai/hare']), /no list of models/);
});
