import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Darkroom, isDarkroomError } from '@darkroom/client';
import { startTestService } from '../../helpers/service.ts';
import { createSwiftEngine } from '../../helpers/swift-engine.ts';
import { wholeFile } from '../../helpers/whole-file.ts';

const service = await startTestService(wholeFile, { service: { engines: [createSwiftEngine()] } });
const ORDER = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' } as const;

async function newClient(): Promise<Darkroom> {
  const { key } = await service.issueKey({ mode: 'test' });
  return new Darkroom({ baseUrl: service.url, apiKey: key });
}

test('the limits of an end user are set, listed, reached and removed', async () => {
  const client = await newClient();
  const { amount } = await client.prices(ORDER);
  const user = await client.endUsers.setLimits('customer/17', { day: amount, total: null });
  assert.deepEqual([user.end_user, user.limits], ['customer/17', { day: amount, total: null }]);
  await client.images.generate({ ...ORDER, end_user: 'customer/17' });
  const refused = await client.images.create({ ...ORDER, end_user: 'customer/17' }).catch((thrown: unknown) => thrown);
  assert.ok(isDarkroomError(refused, 'end_user_limit_reached') && refused.ordered === 'no');
  assert.equal((await client.endUsers.get('customer/17')).windows.day.available, '0.00');
  for (const name of ['a', 'b']) await client.endUsers.setLimits(name, { month: '1' });
  const names = [];
  for await (const { end_user: name } of client.endUsers.list({ limit: 1 })) names.push(name);
  assert.deepEqual(names, ['a', 'b', 'customer/17']);
  assert.deepEqual((await client.endUsers.removeLimits('customer/17')).limits, {});
  await client.images.create({ ...ORDER, end_user: 'customer/17' });
});

test('a client with a token of an end user orders for it, asks for the token anew, and may do nothing else', async () => {
  const server = await newClient();
  let asked = 0;
  const page = new Darkroom({
    baseUrl: service.url,
    apiKey: async () => {
      asked++;
      return (await server.clientTokens.create({ end_user: 'customer-17', models: ['sketch*'] })).token;
    },
  });
  const fox = await page.images.generate(ORDER);
  assert.equal(fox.task.end_user, 'customer-17');
  assert.equal((await fox.content().bytes()).length, fox.output.bytes);
  assert.ok(asked >= 3);
  const forbidden = await page.account.get().catch((thrown: unknown) => thrown);
  assert.ok(isDarkroomError(forbidden, 'forbidden'));
  const { token, expires_at: end } = await server.clientTokens.create({ end_user: 'another', expires_in: 60 });
  assert.ok(Date.parse(end) - Date.now() <= 61_000);
  const other = new Darkroom({ baseUrl: service.url, apiKey: token });
  assert.deepEqual((await other.images.list().page()).items, []);
});
