import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { formatMicros, parseMicros, systemClock } from '@darkroom-service/contract';
import { until } from '@darkroom-service/testing';
import fc from 'fast-check';
import { addSpending } from '../../src/accounts/spending.ts';
import { startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** A letter and its accent may be one sign or two: such names are one end user, shown as each was sent. */

const service = await startTestService(wholeFile, { service: { engines: [createSwiftEngine()] } });
const { call, keys } = service;
const ORDER = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' };
const price = (await call(keys.test, 'POST', '/v1/prices', ORDER)).data.amount;
const micros = parseMicros(price) ?? 0;
const spellings = (name: string) => [name.normalize('NFC'), name.normalize('NFD')] as const;
const newKey = async () => (await service.issueKey({ mode: 'test' })).key;
const at = (name: string) => `/v1/end_users/${encodeURIComponent(name)}`;
const order = (key: string, name: string) => call(key, 'POST', '/v1/images', { ...ORDER, end_user: name });

test('a limit holds over all spellings of a name, however orders at once spell it and by whichever door they come', async () => {
  const step = fc.record({ isComposed: fc.boolean(), door: fc.constantFrom('order', 'batch', 'token', 'openai') });
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 6, maxLength: 12 }),
      fc.integer({ min: 1, max: 5 }),
      async (steps, most) => {
        const key = await newKey();
        const [composed, decomposed] = spellings('Zoë Müller');
        const limit = { limits: { total: `${(micros * most) / 1_000_000}` } };
        assert.equal((await call(key, 'PUT', at(decomposed), limit)).status, 200);
        const tokens = await Promise.all(
          [composed, decomposed].map(
            async (end_user) => (await call(key, 'POST', '/v1/client_tokens', { end_user })).data.token,
          ),
        );
        const answers = await Promise.all(
          steps.map(async ({ isComposed, door }) => {
            const name = isComposed ? composed : decomposed;
            if (door === 'token') return await call(tokens[isComposed ? 0 : 1] ?? '', 'POST', '/v1/images', ORDER);
            if (door === 'openai')
              return await call(key, 'POST', '/openai/v1/videos', {
                model: 'sketch-motion',
                prompt: 'x',
                user: name,
                max_price: '0',
              });
            if (door === 'order') return await order(key, name);
            const body = { ...ORDER, end_user: name };
            return await call(key, 'POST', '/v1/batches', { orders: [{ operation: 'images', body }] });
          }),
        );
        const taken = answers.filter(({ status }) => status === 201).length;
        const images = steps.filter(({ door }) => door !== 'openai').length;
        assert.equal(
          taken,
          Math.min(most, images),
          JSON.stringify(answers.map(({ status, error }) => [status, error?.message])),
        );
        for (const name of [composed, decomposed]) {
          const { data } = await call(key, 'GET', at(name) as '/v1/end_users/{end_user}');
          assert.equal(data.end_user, name);
          const { charged, held } = data.windows.total;
          assert.equal((parseMicros(charged) ?? 0) + (parseMicros(held) ?? 0), taken * micros);
        }
      },
    ),
    { numRuns: 5 },
  );
});

test('lists, usage and the list of end users take both spellings for one, and each order shows what was sent', async () => {
  const key = await newKey();
  const [composed, decomposed] = spellings('José');
  for (const name of [composed, decomposed]) assert.equal((await order(key, name)).data.end_user, name);
  for (const name of [composed, decomposed]) {
    const { data } = await call(key, 'GET', `/v1/images?end_user=${encodeURIComponent(name)}`);
    assert.deepEqual(
      data.items.map((task: { end_user: string }) => task.end_user).sort(),
      [composed, decomposed].sort(),
    );
  }
  const { data: usage } = await call(key, 'GET', '/v1/account/usage?group_by=end_user');
  assert.deepEqual(
    usage.items.map(({ tasks }: { tasks: number }) => tasks),
    [2],
  );
  const { data: users } = await call(key, 'GET', '/v1/end_users');
  assert.equal(users.items.length, 1);
  const { data: token } = await call(key, 'POST', '/v1/client_tokens', { end_user: decomposed });
  const { data: own } = await call(token.token, 'GET', '/v1/images');
  assert.equal(own.items.length, 2);
});

test('a limit counts orders of an erased name that an earlier version counted under its other spelling', async () => {
  const { key, key_id: id } = await service.issueKey({ mode: 'test' });
  const [composed, decomposed] = spellings('Ren\u00e9e');
  await service.database.write('test_spending', async (trx) => {
    const subject = hash('sha256', `${id}\n${decomposed}`, 'base64url').slice(0, 32);
    addSpending(trx, subject, 2 * micros, systemClock.now(), true);
  });
  const limit = { limits: { total: formatMicros(3 * micros) } };
  assert.equal((await call(key, 'PUT', at(composed), limit)).status, 200);
  for (const name of [composed, decomposed]) {
    const { data } = await call(key, 'GET', at(name) as '/v1/end_users/{end_user}');
    assert.equal(data.windows.day.charged, formatMicros(2 * micros));
  }
  assert.equal((await order(key, decomposed)).status, 201);
  for (const name of [composed, decomposed])
    assert.equal((await order(key, name)).error?.code, 'end_user_limit_reached');
});

test('an erasure under one spelling takes the orders and the uploads of all', async () => {
  const account = await service.createAccount(null);
  const { key } = await service.issueKey({ mode: 'test', accountId: account });
  const [composed, decomposed] = spellings('Åsa');
  const tasks = await Promise.all([composed, decomposed].map(async (name) => (await order(key, name)).data.task_id));
  const erasure = { account_id: account, end_user: decomposed };
  const { data } = await call(keys.admin, 'POST', '/admin/v1/erasures', erasure);
  await until(
    async () => (await call(keys.admin, 'GET', `/admin/v1/erasures/${data.erasure_id}`)).data,
    ({ status }) => status === 'completed',
  );
  const { read } = service.database;
  const left = await read.all(
    read.builder.selectFrom('tasks').select(['end_user', 'end_user_sent']).where('id', 'in', tasks),
  );
  assert.deepEqual(left, Array(2).fill({ end_user: null, end_user_sent: null }));
});
