import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { startTestService, type WireValue } from '../service.ts';

const ORDER = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K', end_user: 'ann' };

interface Verdict {
  readonly status?: number;
  readonly body: unknown;
}

/** A moderation service that answers as it is told, and keeps what it was asked. */
async function startModeration(t: TestContext, answer: (question: WireValue) => Verdict | Promise<Verdict>) {
  const asked: WireValue[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const question = JSON.parse(Buffer.concat(chunks).toString());
    asked.push(question);
    const { status = 200, body } = await answer(question);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/check`, asked };
}

test('moderation is asked before a submission and before success, and lets pass what it allows', async (t) => {
  const seen: number[] = [];
  const moderation = await startModeration(t, async ({ urls }) => {
    for (const url of urls) seen.push((await (await fetch(url)).arrayBuffer()).byteLength);
    return { body: { allowed: true } };
  });
  const service = await startTestService(t, { env: { DARKROOM_MODERATION_URL: moderation.url } });
  const task = await service.make(service.keys.test, '/v1/images', ORDER);
  assert.equal(task.status, 'succeeded');
  assert.deepEqual(seen, [task.outputs[0].bytes], 'the output can be looked at before it has succeeded');
  const [before, after] = moderation.asked;
  assert.deepEqual(
    [before.stage, before.task_id, before.model_id, before.prompt, before.end_user, before.urls],
    ['input', task.task_id, 'sketch', 'a fox', 'ann', []],
  );
  assert.equal(after.stage, 'output');
});

for (const stage of ['input', 'output']) {
  test(`what moderation refuses of the ${stage} fails as content_policy with its reason, released`, async (t) => {
    const moderation = await startModeration(t, (question) => ({
      body: question.stage === stage ? { allowed: false, reason: 'No foxes here.' } : { allowed: true },
    }));
    const service = await startTestService(t, { env: { DARKROOM_MODERATION_URL: moderation.url } });
    const task = await service.make(service.keys.test, '/v1/images', ORDER);
    assert.deepEqual(
      [task.status, task.error.code, task.error.message],
      ['failed', 'content_policy', 'No foxes here.'],
    );
    assert.deepEqual([task.cost.state, task.cost.amount, task.outputs], ['released', '0.00', []]);
    assert.equal(task.started_at === null, stage === 'input', 'what is refused at once was never submitted');
  });
}

for (const required of [true, false]) {
  test(`a moderation that cannot be asked ${required ? 'refuses' : 'lets orders pass'} as the setting says`, async (t) => {
    const moderation = await startModeration(t, () => ({ status: 500, body: {} }));
    const service = await startTestService(t, {
      env: { DARKROOM_MODERATION_URL: moderation.url, DARKROOM_MODERATION_REQUIRED: String(required) },
    });
    const task = await service.make(service.keys.test, '/v1/images', ORDER);
    assert.equal(task.status, required ? 'failed' : 'succeeded');
    if (required) assert.equal(task.error.code, 'content_policy');
  });
}
