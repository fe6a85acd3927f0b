import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { openPremises } from './child-service.ts';
import { runKillChain, type Script, type Step } from './kill-chain.ts';

const HEARD_WITHIN_MS = 30_000;

test('a webhook that was interrupted by a kill is sent again', async (t) => {
  const heard = new Map<string, string>();
  const receiver = createServer(async (request, response) => {
    const { type, data } = JSON.parse(await text(request));
    heard.set(data.task_id, type);
    response.end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  t.after(() => {
    receiver.closeAllConnections();
    receiver.close();
  });
  const premises = await openPremises(t);
  const { test: key } = premises.keys;
  const body = {
    model_id: 'sketch',
    prompt: 'a fox',
    simulate: { outcome: 'content_policy' },
    webhook_url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
  };
  const told: Script = async (client) => {
    const taskId = await client.order(key, '/v1/images', body);
    await client.final(key, '/v1/images', taskId);
    for (let waited = 0; !heard.has(taskId); waited += 20) {
      assert.ok(waited < HEARD_WITHIN_MS, `nobody was told of ${taskId}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.equal(heard.get(taskId), 'task.failed');
  };
  const steps: Step[] = [];
  for (const name of ['webhook_claim', 'webhook_attempt']) {
    for (const moment of ['before', 'after'] as const)
      steps.push({ kill: { name, moment }, scripts: [told, told], onceReady: true });
  }
  await runKillChain(t, premises, [], steps, { DARKROOM_ALLOWED_ADDRESSES: '127.0.0.1/32' });
});
