import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../../test/helpers/service.ts';

test('an operator who follows changes is told of an order and of an act of another operator', async (t) => {
  const { call, keys, url } = await startTestService(t);
  const left = new AbortController();
  const response = await fetch(`${url}/admin/v1/events`, {
    headers: { authorization: `Bearer ${keys.admin}` },
    signal: left.signal,
  });
  assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let seen = '';
  const events = () => seen.match(/^event: changed$/gm)?.length ?? 0;
  const reach = async (count: number) => {
    while (events() < count) {
      const { done, value } = await reader.read();
      assert.ok(!done, seen);
      seen += value;
    }
  };
  await reach(1);
  await call(keys.admin, 'POST', '/admin/v1/engines/sketch/pause', { reason: 'a check' });
  await reach(2);
  await call(keys.admin, 'POST', '/admin/v1/engines/sketch/resume');
  await reach(3);
  const { status } = await call(keys.test, 'POST', '/v1/images', {
    model_id: 'sketch',
    prompt: 'a fox',
    simulate: { outcome: 'stuck' },
  });
  assert.equal(status, 201);
  await reach(4);
  left.abort();
});
